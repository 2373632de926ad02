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

/** What stands beside the words of a verdict, and on the board; a good turn needs no sign. */
export const GLYPHS: Record<ReviewCategory, string> = {
  best: "✓",
  good: "",
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

/** The marks of a turn as it was played; what was better beside it, if it was a mistake. */
export function turnMarks(turn: ReviewedTurn): BoardMark[] {
  const { category, player } = turn.decision;
  const [played, best] = [readTurn(turn.decision.played), readTurn(turn.decision.best)];
  if (!played) return [];
  const own: BoardMark = { cell: played.cell, tone: TONES[category], glyph: GLYPHS[category] };
  if (!best || !isMistake(turn.decision)) return [own];
  if (best.cell !== played.cell) return [own, ...bestMark(turn).map((mark) => ({ ...mark, from: played.cell }))];
  // The tile lies where it should, and only its meeple does not; a tile turned otherwise would hide what was played.
  const segment = best.segment ?? played.segment;
  if (best.rotation !== played.rotation || !segment) return [own];
  const { kind } = turn;
  return [{ ...own, meeple: { kind, rotation: best.rotation, segment, player, stays: best.segment === null } }];
}
