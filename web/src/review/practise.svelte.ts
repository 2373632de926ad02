// Practising: one mistake after the other as a position, every try answered with its loss.
import type { BoardMark, BoardTurn, WholeTurn } from "../board/types";
import { showError } from "../design/toasts.svelte";
import { boardParts, boardTurn } from "../game/view";
import { effectOf, worthOf } from "../game/words";
import { t } from "../i18n/index.svelte";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { LegalMove } from "../wire/LegalMove";
import type { ReviewDepth } from "../wire/ReviewDepth";
import type { TriedTurn } from "../wire/TriedTurn";
import { positionBefore, tryTurn } from "./api";
import { withSets } from "./boards.svelte";
import { GLYPHS, TONES, bestMark, ghostMark } from "./marks";
import type { ReviewedTurn } from "./turns";

interface Position {
  view: CarcassonneView;
  legal: LegalMove[];
  /** Adds the choice between figures, in games with sets. */
  dress: (turn: BoardTurn) => BoardTurn;
}

/** A turn that was tried, and what it is worth once the engine answered. */
export interface Tried {
  moves: WholeTurn;
  answer: TriedTurn | null;
}

/** Tries of these categories count as found. */
const FOUND: readonly string[] = ["best", "good"];

export class Practise {
  at = $state(0);
  position = $state.raw<Position | null>(null);
  /** Whether the position did not come. */
  missing = $state(false);
  tried = $state.raw<Tried | null>(null);
  bestShown = $state(false);
  /** The mistakes for which something as good as the best was found without being shown it. */
  found = $state.raw<ReadonlySet<number>>(new Set());

  turn = $derived.by(() => this.mistakes[this.at] ?? null);
  /** Past the last one. */
  over = $derived.by(() => this.at >= this.mistakes.length);
  parts = $derived.by(() => (this.position ? boardParts(this.position.view) : null));
  isFound = $derived.by(() => FOUND.includes(this.tried?.answer?.category ?? ""));
  /** What can be put down now. */
  legal = $derived.by<BoardTurn | null>(() => {
    const { turn, position } = this;
    if (!turn || !position || this.tried || this.bestShown) return null;
    const { view, legal, dress } = position;
    const { player } = turn.decision;
    const plain = boardTurn(player, view.current_tile, legal, (move) => effectOf(move, player, this.names), worthOf);
    const left = view.meeple_supply[player] ?? 0;
    return plain && dress({ ...plain, keep: t("game.keepInHand", { n: left }) });
  });
  marks = $derived.by<BoardMark[]>(() => {
    const { turn, tried } = this;
    if (!turn) return [];
    const best = this.bestShown ? bestMark(turn) : [];
    // Two ghosts do not lie on one spot.
    const marks = tried ? triedMark(turn, tried).filter(({ cell }) => cell !== best[0]?.cell) : [];
    return [...marks, ...best];
  });

  constructor(
    readonly id: string,
    readonly depth: ReviewDepth,
    readonly names: readonly string[],
    readonly mistakes: readonly ReviewedTurn[],
    /** The ply of the mistake to begin with; the first one if there is none of it. */
    ply: number | null = null,
  ) {
    const named = mistakes.findIndex(({ decision }) => decision.ply === ply);
    void this.show(Math.max(0, named));
  }

  /** Shows a mistake as a position; past the last one nothing. */
  async show(at: number): Promise<void> {
    this.at = at;
    this.tried = null;
    this.bestShown = false;
    this.position = null;
    this.missing = false;
    const ply = this.turn?.decision.ply;
    if (ply === undefined) return;
    try {
      const { position, legal } = await positionBefore(this.id, ply);
      const view = await withSets(position.view as CarcassonneView);
      const sets = view.sets ? await import("../sets") : null;
      if (this.at !== at) return;
      this.position = { view, legal, dress: (turn) => (sets ? sets.withFigures(turn, view, legal) : turn) };
    } catch (error) {
      if (this.at === at) this.missing = true;
      showError(error);
    }
  }

  async play(moves: WholeTurn): Promise<void> {
    const { at, turn } = this;
    if (!turn) return;
    this.tried = { moves, answer: null };
    try {
      const answer = await tryTurn(this.id, { depth: this.depth, ply: turn.decision.ply, moves });
      if (this.at !== at) return;
      this.tried = { moves, answer };
      if (this.isFound) this.found = new Set(this.found).add(at);
    } catch (error) {
      this.tried = null;
      showError(error);
    }
  }

  again(): void {
    this.tried = null;
    this.bestShown = false;
  }

  showBest(): void {
    this.bestShown = true;
  }
}

function triedMark({ kind, decision }: ReviewedTurn, { moves, answer }: Tried): BoardMark[] {
  const category = answer?.category ?? null;
  const [tone, glyph] = category ? ([TONES[category], GLYPHS[category]] as const) : (["good", "…"] as const);
  return ghostMark(moves, kind, decision.player, tone, glyph);
}
