// Stepping through a game: which views its turns need, and playing them one after the other.
import { showError } from "../design/toasts.svelte";
import type { CarcassonneView } from "../wire/CarcassonneView";
import { boardAt, history } from "./api";
import type { GameEvent } from "./events";
import type { GameModel } from "./model.svelte";
import { eventsBetween, turnPlies, turnTime } from "./replay";

export class Stepper {
  /** The plies at which each turn is over, once they were asked for. */
  plies: number[] = [];
  #model: GameModel;
  #events: GameEvent[] = [];
  #views = new Map<number, Promise<CarcassonneView>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The turn asked for last: an answer for another one comes too late. */
  #wanted: number | null = null;

  constructor(model: GameModel) {
    this.#model = model;
  }

  /** Shows the board after a turn; the present one if it is the last. */
  async go(turn: number): Promise<void> {
    try {
      await this.#show(turn);
    } catch (error) {
      this.#model.pause();
      showError(error);
    }
  }

  async #show(turn: number): Promise<void> {
    const model = this.#model;
    const target = Math.max(0, Math.min(model.turns, turn));
    model.counted = model.countedScores = null;
    this.#wanted = target;
    if (target === model.turns) return this.live();
    if (this.plies.length <= target) {
      this.#events = await (model.table.local?.events() ?? history(model.table.id));
      this.plies = turnPlies(this.#events);
    }
    const [from, ply] = [this.plies[model.shownTurn], this.plies[target]];
    if (ply === undefined) return;
    const view = await this.#viewAt(ply);
    if (this.#wanted !== target) return;
    const forward = model.past !== null && target === model.past.turn + 1 && from !== undefined;
    model.past = { turn: target, view };
    model.animate(forward ? eventsBetween(this.#events, from, ply) : [], view);
    const next = this.plies[target + 1];
    if (next !== undefined && target + 1 < model.turns) this.#viewAt(next).catch(() => undefined);
  }

  /** Back to the present. */
  live(): void {
    const model = this.#model;
    const was = model.past;
    this.#wanted = null;
    model.past = null;
    const view = model.update?.view;
    if (!was || !view) return;
    const from = this.plies[was.turn];
    const step = was.turn === model.turns - 1 && from !== undefined;
    model.animate(step ? eventsBetween(this.#events, from, Infinity) : [], view);
  }

  play(): void {
    const model = this.#model;
    if (model.shownTurn >= model.turns) void this.go(0);
    model.playing = true;
    this.#tick();
  }

  pause(): void {
    clearTimeout(this.#timer);
  }

  #tick(): void {
    const model = this.#model;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!model.playing) return;
      void this.go(model.shownTurn + 1).then(() => {
        if (model.shownTurn >= model.turns) model.pause();
        else if (model.playing) this.#tick();
      });
    }, turnTime(model.speed));
  }

  #viewAt(ply: number): Promise<CarcassonneView> {
    let view = this.#views.get(ply);
    if (!view) {
      const { local, id } = this.#model.table;
      view = local?.boardAt(ply) ?? boardAt(id, ply);
      // What failed may be asked for again.
      view.catch(() => this.#views.delete(ply));
      this.#views.set(ply, view);
    }
    return view;
  }
}
