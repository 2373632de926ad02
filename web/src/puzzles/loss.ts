// What a turn that is not the best loses, beside what the puzzle says of the best one.
import { number } from "../i18n/amounts";
import { t } from "../i18n/index.svelte";
import type { PuzzleGap } from "../wire/PuzzleGap";
import type { TriedTurn } from "../wire/TriedTurn";

type Lost = Pick<TriedTurn, "loss" | "error">;

/** The loss with its error; nothing where none can be told from chance. */
export function lossWords({ loss, error }: Lost): string {
  if (loss.margin > 0) {
    const points = number(loss.margin, 1);
    return error.margin > 0
      ? t("puzzles.loses", { points, error: number(error.margin, 1) })
      : t("review.triedLoses", { points });
  }
  return loss.win > 0 ? t("review.triedLosesOdds", { part: number(100 * loss.win) }) : "";
}

/** Whether a turn seems to lose less than the next best one: the two were measured apart, and the reader is told so. */
export const isBelow = ({ loss, error }: Lost, gap: PuzzleGap): boolean =>
  loss.margin > 0 && error.margin > 0 && number(loss.margin, 1) !== number(gap.points, 1) && loss.margin < gap.points;
