// A step in words: where the tile goes and what the meeple does.
import { cellWords } from "../board/cells";
import { readTurn } from "../game/advice";
import { segmentName } from "../game/words";
import { optional, t } from "../i18n/index.svelte";
import { figureOf } from "../sets/figures";

/** "P14, road"; "P14, no meeple"; "P14, road (big meeple)". */
export function turnWords(moves: readonly string[], kind: string | null): string {
  const turn = readTurn(moves);
  if (!turn) return moves.join(" ");
  if (moves.length === 1) return cellWords(turn.cell);
  const meeple = turn.segment
    ? segmentName(turn.segment, kind, turn.rotation).toLowerCase()
    : t(moves[1] === "recall" ? "analysis.recalls" : "analysis.noMeeple");
  const figure = turn.segment ? optional("sets", figureOf(turn.segment)) : undefined;
  return `${cellWords(turn.cell)}, ${meeple}${figure ? ` (${figure.toLowerCase()})` : ""}`;
}

/** For each turn of a list how its tile is turned, where another one reads the same; nothing for the others. */
export function turnedWords(turns: readonly (readonly string[])[], kind: string | null): (string | null)[] {
  const words = turns.map((moves) => turnWords(moves, kind));
  return turns.map((moves, at) => {
    const turn = readTurn(moves);
    if (!turn || words.filter((other) => other === words[at]).length < 2) return null;
    return turn.rotation === 0 ? t("analysis.notTurned") : t("analysis.turnedBy", { degrees: 90 * turn.rotation });
  });
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
