// The town as the page handles it: choices grouped, moves found among the legal ones.
import type { BuildingChoice } from "../../wire/BuildingChoice";
import type { LegalMove } from "../../wire/LegalMove";

export type Resource = "brick" | "glass";

/** A pattern on the grid that can be built now, with the squares where the building may stand. */
export interface Pattern {
  key: string;
  building: string;
  uses: [number, number][];
  places: { square: [number, number]; move: string }[];
}

export function patternsOf(choices: readonly BuildingChoice[]): Pattern[] {
  const patterns = new Map<string, Pattern>();
  for (const { building, uses, square, move } of choices) {
    const key = `${building} ${uses.map(([row, column]) => `${row},${column}`).join(" ")}`;
    const pattern = patterns.get(key) ?? { key, building, uses: uses as [number, number][], places: [] };
    pattern.places.push({ square: square as [number, number], move });
    patterns.set(key, pattern);
  }
  return [...patterns.values()];
}

/** The legal move that puts a resource on a square; nothing if there is none. */
export function placing(legal: readonly LegalMove[], resource: Resource, row: number, column: number): string | null {
  const wanted = `${resource} ${row},${column}`;
  return legal.some(({ move }) => move === wanted) ? wanted : null;
}

/** The one thing that can be done, if there is only one: the page does it without asking. */
export function forced(legal: readonly LegalMove[] | null): string | null {
  return legal?.length === 1 && legal[0]!.move === "end" ? "end" : null;
}

export const isAt = (squares: readonly (readonly number[])[], row: number, column: number): boolean =>
  squares.some(([r, c]) => r === row && c === column);
