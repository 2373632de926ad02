// The address of a puzzle, and of the next one.
import { NEXT } from "./api";

export interface PuzzlePlace {
  /** The theme that the next ones are of. */
  theme?: string | null;
  /** The puzzle just seen, which does not come again. */
  seen?: string | null;
}

export function puzzleAddress(id: string, { theme, seen }: PuzzlePlace = {}): string {
  const parts = [
    theme ? `theme=${encodeURIComponent(theme)}` : "",
    seen ? `seen=${encodeURIComponent(seen)}` : "",
  ].filter((part) => part !== "");
  return `/puzzles/${encodeURIComponent(id)}${parts.length > 0 ? `?${parts.join("&")}` : ""}`;
}

export const nextAddress = (place: PuzzlePlace = {}): string => puzzleAddress(NEXT, place);
