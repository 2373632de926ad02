// A step in words: where the tile goes and what the meeple does.
import { cellWords } from "../board/cells";
import { readTurn } from "../game/advice";
import { segmentName } from "../game/words";
import { t } from "../i18n/index.svelte";

/** "P14, road"; "P14, no meeple". */
export function turnWords(moves: readonly string[], kind: string | null): string {
  const turn = readTurn(moves);
  if (!turn) return moves.join(" ");
  if (moves.length === 1) return cellWords(turn.cell);
  const meeple = turn.segment
    ? segmentName(turn.segment, kind, turn.rotation).toLowerCase()
    : t(moves[1] === "recall" ? "analysis.recalls" : "analysis.noMeeple");
  return `${cellWords(turn.cell)}, ${meeple}`;
}

/** What a mark means. */
const MEANINGS = {
  "!!": "analysis.veryGood",
  "!": "analysis.good",
  "!?": "analysis.interesting",
  "?!": "analysis.doubtful",
  "?": "analysis.mistake",
  "??": "analysis.blunder",
} as const;

export const markWords = (mark: keyof typeof MEANINGS): string => t(MEANINGS[mark]);
