// The moves of a town in words: "brick, row 1, column 2", "cottage, row 3, column 1".
import { t } from "../i18n/index.svelte";
import type { ReviewedTurn } from "./turns";

type Piece = "brick" | "glass" | "cottage" | "greenhouse";

/** What a move puts where; nothing if it builds nothing more. */
export function readTownMove(move: string | undefined): { piece: Piece; square: string } | null {
  const [piece] = move?.split(" ") ?? [];
  const square = move?.match(/\d+,\d+$/)?.[0];
  return piece && square ? { piece: piece as Piece, square } : null;
}

export function townMoveWords([move]: readonly string[]): string {
  const read = readTownMove(move);
  if (!read) return t("tinytown.noMore");
  const [row = 0, column = 0] = read.square.split(",").map(Number);
  return t("tinytown.square", { row: row + 1, column: column + 1, name: t(`tinytown.${read.piece}`) });
}

/** The moves that cost points: losses are exact. */
export const losing = (turns: readonly ReviewedTurn[]): ReviewedTurn[] =>
  turns.filter(({ decision }) => decision.loss.margin > 0);
