// The game page's state: the table live, or a turn of its past, and what follows for the screen.
import type { BoardUpdate } from "../board/types";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { GameEvent } from "./events";
import { namesBySeat } from "./seats";
import type { Stepper } from "./stepper";
import { type AnyTable, Table } from "./table.svelte";
import { boardEvents, boardParts } from "./view";

/** A turn of the past that is shown instead of the present. */
interface Past {
  turn: number;
  view: CarcassonneView;
}

export class GameModel {
  readonly table: AnyTable;
  past = $state.raw<Past | null>(null);
  motion = $state.raw<BoardUpdate | null>(null);
  /** The feature that the final count is at. */
  counted = $state.raw<{ feature: number; player: number } | null>(null);
  /** The points so far while the final count is stepped through. */
  countedScores = $state.raw<number[] | null>(null);
  playing = $state(false);
  speed = $state(1);
  /** Whether the game ended while it was watched: then its end is shown. */
  endedNow = $state(false);
  /** Whether the winner has a moment. */
  celebrated = $state(false);
  #motions = 0;
  /** The turn asked for and not shown yet: further steps count from it. */
  #asked: number | null = null;
  #stepper: Stepper | null = null;

  info = $derived.by(() => this.table.info);
  update = $derived.by(() => this.table.update);
  /** What the game needs beside the rest if it has sets. */
  sets = $derived.by(() => this.table.sets);
  /** The board shown; one with sets waits for their tiles. */
  view = $derived.by(() => {
    const view = this.past?.view ?? this.table.update?.view ?? null;
    return view?.sets && !this.sets ? null : view;
  });
  parts = $derived.by(() => (this.view ? boardParts(this.view) : null));
  names = $derived.by(() => (this.info ? namesBySeat(this.info) : []));
  mine = $derived.by(() => this.update?.seats ?? []);
  /** Whose tile is shown: that of the turn to come, in the past too. */
  tileOwner = $derived.by(() => (this.past ? this.table.log.lines[this.past.turn]?.player : this.update?.turn) ?? null);
  /** Points by seat as they are shown: while the final count plays, those counted so far. */
  scores = $derived.by(() => (this.past ? null : this.countedScores) ?? this.view?.scores ?? []);
  /** Turns played so far. */
  turns = $derived.by(() => this.table.log.lines.length);
  shownTurn = $derived.by(() => this.past?.turn ?? this.turns);
  over = $derived.by(() => this.info?.status === "over");
  /** Whether the player here is to move, on the present board. */
  myTurn = $derived.by(() => {
    const turn = this.update?.turn ?? null;
    return this.info?.status === "playing" && !this.past && turn !== null && this.mine.includes(turn);
  });

  constructor(at: string | AnyTable) {
    this.table = typeof at === "string" ? new Table(at) : at;
  }

  close(): void {
    this.pause();
    this.table.close();
  }

  /** The game ended while it was watched: the points go back to before the final count, which then plays. */
  ended(): void {
    const { count } = this.table.log;
    this.endedNow = true;
    if (count.length === 0 || this.table.pace() === 0 || this.update?.result?.reason !== "normal") return;
    const before = [...this.update.view.scores];
    for (const { player, points } of count) before[player] = (before[player] ?? 0) - points;
    this.countedScores = before;
  }

  /** Shows what the latest update changed. */
  animate(events: GameEvent[], view: CarcassonneView): void {
    this.#motions += 1;
    this.motion = { version: this.#motions, events: boardEvents(events, view) };
  }

  /** Shows the board after a turn; the present one if it is the last. */
  async go(turn: number): Promise<void> {
    const asked = (this.#asked = Math.max(0, Math.min(this.turns, turn)));
    try {
      await (await this.#stepping()).go(asked);
    } finally {
      if (this.#asked === asked) this.#asked = null;
    }
  }

  /** So many turns on, or back: each step counts, however fast they come. */
  step(by: number): Promise<void> {
    return this.go((this.#asked ?? this.shownTurn) + by);
  }

  /** Back to the present. */
  live(): void {
    this.#stepper?.live();
  }

  play(): void {
    void this.#stepping().then((stepper) => stepper.play());
  }

  pause(): void {
    this.playing = false;
    this.#stepper?.pause();
  }

  /** The record's ply at the turn shown, for an engine to think about. */
  shownPly(): number {
    return (this.past && this.#stepper?.plies[this.past.turn]) ?? this.update?.ply ?? 0;
  }

  /** Comes with the first step: no move waits for it. */
  async #stepping(): Promise<Stepper> {
    const { Stepper } = await import("./stepper");
    return (this.#stepper ??= new Stepper(this));
  }
}
