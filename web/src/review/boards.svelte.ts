// The boards of a game's past, each asked for once; while many are wanted in a row only the last is fetched.
import { showError } from "../design/toasts.svelte";
import type { CarcassonneView } from "../wire/CarcassonneView";

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 8_000;

export class Boards<View> {
  /** The board shown, and after how many plies it is. */
  shown = $state.raw<{ ply: number; view: View } | null>(null);
  #views = new Map<number, Promise<View>>();
  #wanted = -1;
  #busy = false;
  #closed = false;
  #wake = () => {};

  constructor(readonly fetch: (ply: number) => Promise<View>) {}

  /** Shows the board after so many plies; one that does not come is asked for again until another is wanted. */
  async show(ply: number): Promise<void> {
    this.#wanted = ply;
    this.#wake();
    if (this.#busy) return;
    this.#busy = true;
    for (let wait = FIRST_WAIT; this.#wanted !== this.shown?.ply && !this.#closed;) {
      const at = this.#wanted;
      try {
        const view = await this.view(at);
        if (at === this.#wanted) this.shown = { ply: at, view };
        wait = FIRST_WAIT;
      } catch (error) {
        if (wait === FIRST_WAIT && !this.#closed) showError(error);
        // Whoever wants another board meanwhile does not wait.
        if (at === this.#wanted) await this.#rest(wait);
        wait = Math.min(2 * wait, LONGEST_WAIT);
      }
    }
    this.#busy = false;
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  #rest(wait: number): Promise<void> {
    return new Promise((done) => {
      this.#wake = done;
      setTimeout(done, wait);
    });
  }

  /** Fetches a board that is likely to be wanted next. */
  expect(ply: number): void {
    this.view(ply).catch(() => undefined);
  }

  view(ply: number): Promise<View> {
    let view = this.#views.get(ply);
    if (!view) {
      view = this.fetch(ply);
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
