// The game page's state: the table live, or a turn of its past, and what follows for the screen.
import type { BoardUpdate } from "../board/types";
import type { CarcassonneView } from "../wire/CarcassonneView";
import { boardAt, history } from "./api";
import type { GameEvent } from "./events";
import { eventsBetween, turnPlies, turnTime } from "./replay";
import { namesBySeat } from "./seats";
import { Table } from "./table.svelte";
import { boardEvents, boardParts } from "./view";

/** A turn of the past that is shown instead of the present. */
interface Past {
  turn: number;
  view: CarcassonneView;
}

export class GameModel {
  readonly table: Table;
  past = $state.raw<Past | null>(null);
  /** Every event of the game with its ply, once a replay has asked for it. */
  #events = $state.raw<GameEvent[]>([]);
  motion = $state.raw<BoardUpdate | null>(null);
  /** The feature that the final count is at. */
  counted = $state.raw<{ feature: number; player: number } | null>(null);
  playing = $state(false);
  speed = $state(1);
  #views = new Map<number, Promise<CarcassonneView>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #motions = 0;
  /** The turn asked for last: an answer for another one comes too late. */
  #wanted: number | null = null;

  info = $derived.by(() => this.table.info);
  update = $derived.by(() => this.table.update);
  view = $derived.by(() => this.past?.view ?? this.table.update?.view ?? null);
  parts = $derived.by(() => (this.view ? boardParts(this.view) : null));
  names = $derived.by(() => (this.info ? namesBySeat(this.info) : []));
  mine = $derived.by(() => this.update?.seats ?? []);
  plies = $derived.by(() => turnPlies(this.#events));
  /** Turns played so far. */
  turns = $derived.by(() => this.table.log.lines.length);
  shownTurn = $derived.by(() => this.past?.turn ?? this.turns);
  over = $derived.by(() => this.info?.status === "over");
  /** Whether the player here is to move, on the present board. */
  myTurn = $derived.by(() => {
    const turn = this.update?.turn ?? null;
    return this.info?.status === "playing" && !this.past && turn !== null && this.mine.includes(turn);
  });

  constructor(id: string) {
    this.table = new Table(id);
  }

  close(): void {
    this.pause();
    this.table.close();
  }

  /** Shows what the latest update changed. */
  animate(events: GameEvent[], view: CarcassonneView): void {
    this.#motions += 1;
    this.motion = { version: this.#motions, events: boardEvents(events, view) };
  }

  /** Shows the board after a turn; the present one if it is the last. */
  async go(turn: number): Promise<void> {
    const target = Math.max(0, Math.min(this.turns, turn));
    this.counted = null;
    this.#wanted = target;
    if (target === this.turns) return this.live();
    if (this.#events.length === 0 || this.plies.length <= target) await this.#load();
    const [from, ply] = [this.plies[this.shownTurn], this.plies[target]];
    if (ply === undefined) return;
    const view = await this.#viewAt(ply);
    if (this.#wanted !== target) return;
    const forward = this.past !== null && target === this.past.turn + 1 && from !== undefined;
    this.past = { turn: target, view };
    this.animate(forward ? eventsBetween(this.#events, from, ply) : [], view);
    const next = this.plies[target + 1];
    if (next !== undefined && target + 1 < this.turns) void this.#viewAt(next);
  }

  /** Back to the present. */
  live(): void {
    const was = this.past;
    this.#wanted = null;
    this.past = null;
    const view = this.update?.view;
    if (!was || !view) return;
    const from = this.plies[was.turn];
    const step = was.turn === this.turns - 1 && from !== undefined;
    this.animate(step ? eventsBetween(this.#events, from, Infinity) : [], view);
  }

  play(): void {
    if (this.shownTurn >= this.turns) void this.go(0);
    this.playing = true;
    this.#tick();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  /** The record's ply at the turn shown, for an engine to think about. */
  shownPly(): number {
    return (this.past && this.plies[this.past.turn]) ?? this.update?.ply ?? 0;
  }

  #tick(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.playing) return;
      void this.go(this.shownTurn + 1).then(() => {
        if (this.shownTurn >= this.turns) this.pause();
        else if (this.playing) this.#tick();
      });
    }, turnTime(this.speed));
  }

  async #load(): Promise<void> {
    this.#events = await history(this.table.id);
  }

  #viewAt(ply: number): Promise<CarcassonneView> {
    let view = this.#views.get(ply);
    if (!view) {
      view = boardAt(this.table.id, ply);
      // What failed may be asked for again.
      view.catch(() => this.#views.delete(ply));
      this.#views.set(ply, view);
    }
    return view;
  }
}
