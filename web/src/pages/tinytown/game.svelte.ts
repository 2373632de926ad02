// A puzzle in progress: the table on the server, and the moves sent to it.
import { post } from "../../api/request";
import { createGame, table } from "../../lists/games";
import { showError } from "../../design/toasts.svelte";
import type { TinytownView } from "../../wire/TinytownView";
import type { Update } from "../../wire/Update";
import { forced } from "./town";

export class TownGame {
  id = $state<string | null>(null);
  update = $state.raw<Update | null>(null);
  busy = $state(false);

  get view(): TinytownView | null {
    return (this.update?.view as TinytownView | undefined) ?? null;
  }

  async start(options: Record<string, unknown>): Promise<void> {
    await this.#attempt(async () => {
      const { info, update } = await createGame({
        game: "tinytown",
        options,
        seats: [{ kind: "me" }],
        visibility: "private",
      });
      this.id = info.id;
      this.update = update;
    });
  }

  async open(id: string): Promise<void> {
    await this.#attempt(async () => {
      const { update } = await table(id);
      this.id = id;
      this.update = update;
    });
  }

  /** Plays a move, and what is forced after it. */
  async play(move: string): Promise<void> {
    await this.#attempt(async () => {
      await this.#send(move);
      const next = forced(this.update?.legal ?? null);
      if (next) await this.#send(next);
    });
  }

  /** Takes back the last move that was chosen; what the page did by itself goes with it. */
  async takeBack(): Promise<void> {
    await this.#attempt(async () => {
      do {
        await post(`/api/games/${this.id}/takeback`, { accept: true });
        this.update = (await table(this.id!)).update;
      } while (forced(this.update.legal) !== null && this.update.ply > 0);
    });
  }

  async #send(move: string): Promise<void> {
    await post(`/api/games/${this.id}/play`, { version: this.update!.version, moves: [move] });
    this.update = (await table(this.id!)).update;
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    try {
      await work();
    } catch (error) {
      showError(error);
      // Whatever went wrong, show what the server has.
      if (this.id) this.update = (await table(this.id).catch(() => null))?.update ?? this.update;
    } finally {
      this.busy = false;
    }
  }
}
