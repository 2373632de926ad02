// The page of a review: the game, its review, and the turn that is looked at.
import type { BoardMark } from "../board/types";
import { readTurn } from "../game/advice";
import { boardAt } from "../game/api";
import { boardParts } from "../game/view";
import { namesBySeat } from "../game/seats";
import { turnTime } from "../game/replay";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { ReviewDepth } from "../wire/ReviewDepth";
import { type FinishedGame, eventsAt } from "./api";
import { type Lead, leadBeforeCount } from "./before_count";
import { Boards, withSets } from "./boards.svelte";
import { reviewHere } from "./here";
import { Making } from "./making.svelte";
import { bestMark, turnMarks } from "./marks";
import { costliest, nextMistake, plyAfter, pointAfter } from "./turns";

export class ReviewModel {
  readonly making: Making;
  readonly boards: Boards<CarcassonneView>;
  readonly info;
  readonly names: string[];
  /** The seats of who is here. */
  readonly mine: number[];
  /** The seats from the reader's own on. */
  readonly seats: number[];
  /** The turn looked at; nothing until somebody chose one: then it is the latest, or the costliest once all are there. */
  chosen = $state<number | null>(null);
  /** How often the reader went to a turn. */
  moves = $state(0);
  /** Whether the engine's turn is shown in place of the one that was played. */
  bestShown = $state(false);
  playing = $state(false);
  readonly #last: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  course = $derived.by(() => this.making.course);
  turns = $derived.by(() => this.course.turns);
  at = $derived.by(() => {
    const last = this.turns.length;
    if (this.chosen !== null) return Math.min(this.chosen, last);
    return this.making.state === "done" ? (costliest(this.turns)?.number ?? last) : last;
  });
  /** The turn looked at; nothing at the start. */
  turn = $derived.by(() => this.turns[this.at - 1] ?? null);
  /** Where it lies on the graph, and what the game is worth there, by seat. */
  point = $derived.by(() => pointAfter(this.course, this.at));
  /** How many turns the graph has room for: what is drawn after the last one is seen too. */
  length = $derived.by(() => {
    const reached = Math.max(1, Math.ceil(this.course.points.at(-1)?.x ?? 0));
    return this.making.state === "done" ? reached : Math.max(reached, Math.ceil(this.making.plies / 3));
  });
  /** The ply of the board that is wanted. */
  ply = $derived.by(() => {
    const { decision } = this.turn ?? {};
    if (!decision) return 0;
    return this.bestShown ? decision.ply - 1 : plyAfter(decision);
  });
  parts = $derived.by(() => (this.boards.shown ? boardParts(this.boards.shown.view) : null));
  /** Marks belong to the board they were made for. */
  marks = $derived.by<BoardMark[]>(() => {
    if (!this.turn || this.boards.shown?.ply !== this.ply) return [];
    return this.bestShown ? bestMark(this.turn) : turnMarks(this.turn, (cell) => !this.#cells.has(cell));
  });
  /** The cell of the tile played, where the engine's is shown instead: the view of the board stays as it is. */
  room = $derived.by(() => {
    const played = this.turn && this.bestShown ? readTurn(this.turn.decision.played) : null;
    return played ? [played.cell] : [];
  });
  #cells = $derived.by(() => new Set(this.parts?.tiles.map(({ cell }) => cell)));

  /** Who led before the final count, and by how much; nobody if nothing was counted, or it is not known yet. */
  lead = $state.raw<Lead | null>(null);

  constructor(
    readonly id: string,
    game: FinishedGame,
    depth: ReviewDepth,
    /** The ply of a decision that the address names. */
    readonly wantedPly: number | null,
  ) {
    this.info = game.info;
    this.mine = game.update.seats;
    this.#last = game.update.ply;
    this.names = namesBySeat(game.info);
    const first = game.info.pass_and_play ? 0 : (this.mine[0] ?? 0);
    this.seats = game.info.seats.map((_, at) => (at + first) % game.info.seats.length);
    this.making = new Making(id, depth, depth === "quick" && game.update.seats.length > 0 ? reviewHere(id) : null);
    this.boards = new Boards(async (ply) => withSets(await boardAt(id, ply)));
  }

  /** Looks at what was counted at the end; without it only a sentence is missing. */
  async lookAtCount(): Promise<void> {
    const { result } = this.info;
    if (result?.reason !== "normal") return;
    const events = await eventsAt(this.id, this.#last).catch(() => []);
    this.lead = leadBeforeCount(result.scores, events);
  }

  close(): void {
    this.pause();
    this.making.close();
    this.boards.close();
  }

  go(turn: number): void {
    // Before the first turn is reviewed there is nothing to choose from.
    if (this.turns.length === 0) return;
    this.moves += 1;
    this.chosen = Math.max(0, Math.min(this.turns.length, turn));
    this.bestShown = false;
  }

  /** A step of the reader's own ends what plays by itself. */
  step(by: number): void {
    this.pause();
    this.go(this.at + by);
  }

  /** To the next mistake, or the one before; answers whether there is one. */
  toMistake(by: 1 | -1): boolean {
    const mistake = nextMistake(this.turns, this.at, by);
    if (!mistake) return false;
    this.pause();
    this.go(mistake.number);
    return true;
  }

  /** Goes to the turn that the address names, once it is reviewed. */
  goToWanted(): void {
    if (this.wantedPly === null || this.chosen !== null) return;
    const turn = this.turns.find(({ decision }) => decision.ply >= this.wantedPly!);
    if (turn) this.chosen = turn.number;
  }

  toggleBest(): void {
    if (!this.turn) return;
    this.pause();
    // The turn stays: what was looked at by itself is looked at now.
    this.chosen = this.at;
    this.bestShown = !this.bestShown;
  }

  play(): void {
    if (this.at >= this.turns.length) this.go(0);
    this.playing = true;
    this.#tick();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #tick(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.playing) return;
      this.go(this.at + 1);
      if (this.at >= this.turns.length && !this.making.grows) this.pause();
      else this.#tick();
    }, turnTime(1));
  }
}
