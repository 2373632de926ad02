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

/** A turn that was not played, as a ghost with a verdict; nothing if it places no tile. */
export function ghostMark(
  moves: readonly string[],
  kind: string,
  player: number,
  tone: BoardMark["tone"],
  glyph: string,
): BoardMark[] {
  const turn = readTurn(moves);
  if (!turn) return [];
  const { cell, rotation, segment } = turn;
  return [{ cell, tone, glyph, ghost: { kind, rotation, player, ...(segment ? { segment } : {}) } }];
}

/** The engine's turn as a ghost. */
export const bestMark = ({ decision, kind }: ReviewedTurn): BoardMark[] =>
  ghostMark(decision.best, kind, decision.player, "best", GLYPHS.best);

/** The neighbour of a cell that is free, or the one at its left: the verdict's badge is at its right. */
function beside(cell: string, isFree: (cell: string) => boolean): string {
  const [x = 0, y = 0] = cell.split(",").map(Number);
  const around = [`${x - 1},${y}`, `${x},${y - 1}`, `${x},${y + 1}`, `${x + 1},${y}`];
  return around.find(isFree) ?? around[0]!;
}

/** The marks of a turn as it was played; what was better beside it, if it was a mistake. */
export function turnMarks(turn: ReviewedTurn, isFree: (cell: string) => boolean = () => true): BoardMark[] {
  const { category, player } = turn.decision;
  const [played, best] = [readTurn(turn.decision.played), readTurn(turn.decision.best)];
  if (!played) return [];
  const own: BoardMark = { cell: played.cell, tone: TONES[category], glyph: GLYPHS[category] };
  if (!best || !isMistake(turn.decision)) return [own];
  if (best.cell !== played.cell) return [own, ...bestMark(turn).map((mark) => ({ ...mark, from: played.cell }))];
  // A tile that had better been turned would hide what was played: it is seen beside it.
  if (best.rotation !== played.rotation)
    return [own, ...bestMark(turn).map((mark) => ({ ...mark, aside: beside(played.cell, isFree) }))];
  // The tile lies where it should, and only its meeple does not.
  const segment = best.segment ?? played.segment;
  if (!segment) return [own];
  const { kind } = turn;
  return [{ ...own, meeple: { kind, rotation: best.rotation, segment, player, stays: best.segment === null } }];
}
