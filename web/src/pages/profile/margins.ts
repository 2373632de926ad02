// Numbers of reviewed games as profiles and lists show them.
import { number, signed } from "../../i18n/amounts";
import type { AdjustedMargin } from "../../wire/AdjustedMargin";
import type { LostPoints } from "../../wire/LostPoints";
import type { ReviewSource } from "../../wire/ReviewSource";

/** "± 3.2"; nothing where too few games say how sure a number is. */
export const withError = (error: number | null): string => (error === null ? "" : `± ${number(error, 1)}`);

/** "+3.1 ± 2.0" */
const told = (value: number, error: number | null): string =>
  [signed(value, 1), withError(error)].filter((part) => part !== "").join(" ");

export const marginWords = ({ margin, margin_error }: AdjustedMargin): string => told(margin, margin_error);
export const adjustedWords = ({ adjusted, adjusted_error }: AdjustedMargin): string => told(adjusted, adjusted_error);

/** Less than this a game is not worth a line. */
const TINY = 0.05;

/** A source of points; meeples are counted in meeples. */
export interface LostRow extends LostPoints {
  source: Exclude<ReviewSource, "meeples">;
}

/** Where points are lost, the most first. */
export const lostRows = (lost: readonly LostPoints[]): LostRow[] =>
  lost
    .filter((row): row is LostRow => row.source !== "meeples" && Math.abs(row.points) >= TINY)
    .sort((a, b) => b.points - a.points);
