// The boards of a game's past, each asked for once; while many are wanted in a row only the last is fetched.
import { showError } from "../design/toasts.svelte";
import { boardAt } from "../game/api";
import type { CarcassonneView } from "../wire/CarcassonneView";

export class Boards {
  /** The board shown, and after how many plies it is. */
  shown = $state.raw<{ ply: number; view: CarcassonneView } | null>(null);
  #views = new Map<number, Promise<CarcassonneView>>();
  #wanted = -1;
  #busy = false;

  constructor(readonly id: string) {}

  /** Shows the board after so many plies. */
  async show(ply: number): Promise<void> {
    this.#wanted = ply;
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let at = -1; at !== this.#wanted;) {
        at = this.#wanted;
        const view = await this.view(at);
        if (at === this.#wanted) this.shown = { ply: at, view };
      }
    } catch (error) {
      showError(error);
    }
    this.#busy = false;
  }

  /** Fetches a board that is likely to be wanted next. */
  expect(ply: number): void {
    this.view(ply).catch(() => undefined);
  }

  view(ply: number): Promise<CarcassonneView> {
    let view = this.#views.get(ply);
    if (!view) {
      view = boardAt(this.id, ply).then(withSets);
      // What failed may be asked for again.
      view.catch(() => this.#views.delete(ply));
      this.#views.set(ply, view);
    }
    return view;
  }
}

/** A board with sets waits for their tiles and words. */
export async function withSets(view: CarcassonneView): Promise<CarcassonneView> {
  if (view.sets) await (await import("../sets")).ready();
  return view;
}
