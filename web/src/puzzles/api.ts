// Where the server keeps puzzles.
import { get, request } from "../api/request";
import type { MyPuzzles } from "../wire/MyPuzzles";
import type { OwnAnswer } from "../wire/OwnAnswer";
import type { OwnMistakes } from "../wire/OwnMistakes";
import type { OwnPuzzle } from "../wire/OwnPuzzle";
import type { OwnResult } from "../wire/OwnResult";
import type { PuzzleAnswer } from "../wire/PuzzleAnswer";
import type { PuzzlePosition } from "../wire/PuzzlePosition";
import type { PuzzleResult } from "../wire/PuzzleResult";
import type { PuzzleThemes } from "../wire/PuzzleThemes";

/** What stands in an address in place of an id: the day's puzzle, or one that fits. */
export const DAILY = "daily";
export const NEXT = "next";

/** A puzzle by its id, the day's, or the next one (of a theme, and not the one just seen). */
export function puzzleAt(
  id: string,
  theme: string | null,
  seen: string | null,
  signal?: AbortSignal,
): Promise<PuzzlePosition> {
  const query = new URLSearchParams(
    id === NEXT ? { ...(theme === null ? {} : { theme }), ...(seen === null ? {} : { seen }) } : {},
  );
  const search = query.size > 0 ? `?${query.toString()}` : "";
  return get<PuzzlePosition>(`/api/puzzles/${encodeURIComponent(id)}${search}`, signal);
}

/** The engine says why, which may take a moment. */
export const answerPuzzle = (id: string, moves: string[]): Promise<PuzzleResult> =>
  request<PuzzleResult>("POST", `/api/puzzles/${encodeURIComponent(id)}/answer`, {
    body: { moves } satisfies PuzzleAnswer,
    patience: 60_000,
  });

export const puzzleThemes = (signal?: AbortSignal): Promise<PuzzleThemes> => get<PuzzleThemes>("/api/puzzles", signal);
export const myPuzzles = (signal?: AbortSignal): Promise<MyPuzzles> => get<MyPuzzles>("/api/puzzles/mine", signal);
export const ownMistakes = (signal?: AbortSignal): Promise<OwnMistakes> => get<OwnMistakes>("/api/puzzles/own", signal);

const own = (game: string) => `/api/puzzles/own/${encodeURIComponent(game)}`;
export const ownPuzzle = (game: string, ply: number, signal?: AbortSignal): Promise<OwnPuzzle> =>
  get<OwnPuzzle>(`${own(game)}?ply=${ply}`, signal);
export const answerOwn = (game: string, ply: number, moves: string[]): Promise<OwnResult> =>
  request<OwnResult>("POST", `${own(game)}/answer`, { body: { ply, moves } satisfies OwnAnswer, patience: 60_000 });
