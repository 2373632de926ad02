// Figures and goods by name, in the order in which they are shown.
import type { FigureName } from "../wire/FigureName";
import type { GoodName } from "../wire/GoodName";

export const FIGURES: readonly FigureName[] = ["big", "builder", "pig", "abbot"];
export const GOODS: readonly GoodName[] = ["wine", "grain", "cloth"];

/** What a move puts down: a figure's name, `recall`, or nothing for a meeple. */
export function figureOf(move: string): FigureName | "recall" | "" {
  const [first = "", segment] = move.split(" ");
  return segment !== undefined || first === "recall" ? (first as FigureName | "recall") : "";
}
