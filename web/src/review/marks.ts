// A reviewed turn on the board: the tile that was played with its verdict, the better turn as a ghost, an arrow.
import type { BoardMark } from "../board/types";
import { readTurn } from "../game/advice";
import type { ReviewCategory } from "../wire/ReviewCategory";
import { type ReviewedTurn, isMistake } from "./turns";

/** The design's name of a verdict's colour. */
export const TONES: Record<ReviewCategory, BoardMark["tone"]> = {
  best: "best",
  good: "good",
  inaccuracy: "inacc",
  mistake: "mistake",
  blunder: "blunder",
};

/** What stands beside the words of a verdict, and on the board. */
export const GLYPHS: Record<ReviewCategory, string> = {
  best: "✓",
  good: "·",
  inaccuracy: "?!",
  mistake: "?",
  blunder: "??",
};

/** The engine's turn as a ghost. */
export function bestMark({ decision, kind }: ReviewedTurn): BoardMark[] {
  const best = readTurn(decision.best);
  return best
    ? [
        {
          cell: best.cell,
          tone: "best",
          glyph: GLYPHS.best,
          ghost: {
            kind,
            rotation: best.rotation,
            player: decision.player,
            ...(best.segment ? { segment: best.segment } : {}),
          },
        },
      ]
    : [];
}

/** The marks of a turn as it was played; the better one beside it, if it was a mistake and lies elsewhere. */
export function turnMarks(turn: ReviewedTurn): BoardMark[] {
  const { category } = turn.decision;
  const played = readTurn(turn.decision.played);
  if (!played) return [];
  const own: BoardMark = { cell: played.cell, tone: TONES[category], glyph: GLYPHS[category] };
  const better = isMistake(turn.decision) ? bestMark(turn).filter(({ cell }) => cell !== played.cell) : [];
  return [own, ...better.map((mark) => ({ ...mark, from: played.cell }))];
}
