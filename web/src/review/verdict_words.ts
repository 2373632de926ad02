// A verdict in words: which move, what would have been better and by how much.
import { cellWords } from "../board/cells";
import { readTurn } from "../game/advice";
import { segmentName } from "../game/words";
import { number, signedPercent } from "../i18n/amounts";
import { t } from "../i18n/index.svelte";
import type { ReviewWorth } from "../wire/ReviewWorth";
import type { ReviewedDecision } from "../wire/ReviewedDecision";
import { type ReviewedTurn, isMistake } from "./turns";

/** Where a turn goes, and what its meeple does: "J10, road", "J10, no meeple". */
export function placeWords(moves: readonly string[], kind: string): string {
  const turn = readTurn(moves);
  if (!turn) return moves.join(" ");
  const meeple = turn.segment
    ? segmentName(turn.segment, kind, turn.rotation).toLowerCase()
    : t(moves[1] === "recall" ? "review.recalls" : "review.noMeeple");
  return `${cellWords(turn.cell)}, ${meeple}`;
}

/** Where the engine's turn goes; on the same spot, that its tile lies otherwise. */
function bestPlace({ best, played }: ReviewedDecision, kind: string): string {
  const place = placeWords(best, kind);
  const [a, b] = [readTurn(best), readTurn(played)];
  return a && a.cell === b?.cell && a.rotation !== b.rotation ? t("review.turned", { place }) : place;
}

/** "best was J10, road, worth 6.1 points more", "loses 0.8 points"; nothing for turns as good as the best. */
export function betterWords({ decision, kind }: ReviewedTurn): string {
  const { loss } = decision;
  if (!isMistake(decision)) return loss.margin > 0 ? t("review.triedLoses", { points: number(loss.margin, 1) }) : "";
  const place = bestPlace(decision, kind);
  return loss.margin > 0
    ? t("review.bestWas", { place, points: number(loss.margin, 1) })
    : t("review.bestWasOdds", { place, part: number(100 * loss.win) });
}

/** "Best turn: J10, road, worth 6.1 points more"; without a number where nothing is lost. */
export function bestWords({ decision, kind }: ReviewedTurn): string {
  const { loss } = decision;
  const place = bestPlace(decision, kind);
  if (loss.margin > 0) return t("review.bestTurnWorth", { place, points: number(loss.margin, 1) });
  if (loss.win > 0) return t("review.bestTurnOdds", { place, part: number(100 * loss.win) });
  return t("review.bestTurnIs", { place });
}

/** How sure the loss is: "exact", or "± 0.4"; nothing where there is no loss to be sure of. */
export function errorWords({ loss, error, exact }: { loss: ReviewWorth; error: ReviewWorth; exact: boolean }): string {
  if (exact) return t("review.exact");
  if (loss.margin === 0 && loss.win === 0) return "";
  return `± ${loss.margin > 0 ? number(error.margin, 1) : `${number(100 * error.win, 1)} %`}`;
}

/** "−13 %", or nothing where only points were lost. */
export const oddsLost = (loss: ReviewWorth): string => (loss.win > 0 ? signedPercent(-loss.win) : "");

/** "−6.1 points", short. */
export const pointsLost = (loss: ReviewWorth): string =>
  loss.margin > 0 ? t("review.points", { n: `−${number(loss.margin, 1)}` }) : "";
