// One puzzle being solved: the position, the turn that was tried, and what came of it.
import type { BoardMark, BoardTurn, WholeTurn } from "../board/types";
import { showError } from "../design/toasts.svelte";
import { boardParts, boardTurn } from "../game/view";
import { effectOf, worthOf } from "../game/words";
import { t } from "../i18n/index.svelte";
import { GLYPHS, TONES, ghostMark } from "../review/marks";
import { withSets } from "../review/boards.svelte";
import { remember, remembered } from "../router/router.svelte";
import { someone } from "../session/session.svelte";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { LegalMove } from "../wire/LegalMove";
import type { OwnResult } from "../wire/OwnResult";
import type { PuzzlePosition } from "../wire/PuzzlePosition";
import type { PuzzleResult } from "../wire/PuzzleResult";

/** An answer and what came of it, kept with its step of the history: who comes back sees it again. */
interface Answered {
  address: string;
  tried: WholeTurn;
  result: Result;
}
const ANSWERED = "puzzle";

/** Adds the choice between figures, in games with sets. */
export type Dress = (turn: BoardTurn) => BoardTurn;

/** What is to be solved: a puzzle for all, or a mistake of one's own. */
export type Position = Pick<PuzzlePosition, "seat" | "view" | "legal">;
/** What came of an answer; that of one's own mistake has no ratings. */
export type Result = PuzzleResult | OwnResult;

/** Fetches what the board needs for a view. */
export async function dressFor(seen: CarcassonneView, legal: LegalMove[]): Promise<Dress> {
  const view = await withSets(seen);
  const sets = view.sets ? await import("../sets") : null;
  return (turn) => (sets ? sets.withFigures(turn, view, legal) : turn);
}

export class Solving {
  readonly names: string[];
  readonly kind: string;
  readonly parts;
  /** The turn that waits for its verdict, or has it. */
  tried = $state.raw<WholeTurn | null>(null);
  result = $state.raw<Result | null>(null);
  /** Whether an answer was given here before: others count no more. */
  counted = $state(false);

  /** What can be put down now. */
  legal = $derived.by<BoardTurn | null>(() => {
    if (this.tried) return null;
    const { seat, view, legal } = this.puzzle;
    const plain = boardTurn(seat, view.current_tile, legal, (move) => effectOf(move, seat, this.names), worthOf);
    const left = view.meeple_supply[seat] ?? 0;
    return plain && this.dress({ ...plain, keep: t("game.keepInHand", { n: left }) });
  });
  marks = $derived.by<BoardMark[]>(() => {
    const { tried, result, kind } = this;
    const { seat } = this.puzzle;
    if (!tried) return [];
    if (!result) return ghostMark(tried, kind, seat, "good", "…");
    // What is as good as the best stays as it was put down.
    if (result.right) return ghostMark(tried, kind, seat, "best", GLYPHS.best);
    const best = ghostMark(result.answer, kind, seat, "best", GLYPHS.best);
    const category = result.compared?.worth.category ?? "mistake";
    const own = ghostMark(tried, kind, seat, TONES[category], GLYPHS[category]);
    // Two ghosts do not lie on one spot.
    return [...own.filter(({ cell }) => cell !== best[0]?.cell), ...best];
  });

  constructor(
    readonly puzzle: Position,
    /** Where it is found again. */
    readonly address: string,
    readonly dress: Dress,
    readonly answer: (moves: string[]) => Promise<Result>,
  ) {
    const players = puzzle.view.scores.length;
    this.names = Array.from({ length: players }, (_, seat) => nameOf(seat, puzzle.seat, players));
    this.kind = puzzle.view.current_tile ?? "";
    this.parts = boardParts(puzzle.view);
    const before = remembered(ANSWERED) as Answered | undefined;
    if (before?.address === address) [this.tried, this.result, this.counted] = [before.tried, before.result, true];
  }

  async play(moves: WholeTurn): Promise<void> {
    this.tried = moves;
    try {
      // Whoever answers has a rating, as a guest at least.
      await someone();
      this.result = await this.answer([...moves]);
      this.counted = true;
      this.#remember({ address: this.address, tried: moves, result: this.result });
    } catch (error) {
      this.tried = null;
      showError(error);
    }
  }

  again(): void {
    this.tried = null;
    this.result = null;
    this.#remember(undefined);
  }

  /** An answer that comes when the reader has gone on belongs to no step of theirs. */
  #remember(answered: Answered | undefined): void {
    if (location.pathname === this.address) remember(ANSWERED, answered);
  }
}

/** The solver is "You"; a rival alone needs no number. */
function nameOf(seat: number, own: number, players: number): string {
  if (seat === own) return t("puzzles.you");
  const number = ((seat - own + players) % players) + 1;
  return players === 2 ? t("puzzles.rival") : t("puzzles.rivalNumber", { n: number - 1 });
}
