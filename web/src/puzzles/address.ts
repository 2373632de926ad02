// The address of a puzzle, of the next one, and of a mistake of one's own.
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

export const ownAddress = (game: string, ply: number): string => `/puzzles/own/${encodeURIComponent(game)}/${ply}`;
