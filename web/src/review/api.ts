// Where the server keeps reviews.
import { get, post, request } from "../api/request";
import type { GameEvent } from "../game/events";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { GameInfo } from "../wire/GameInfo";
import type { NewReview } from "../wire/NewReview";
import type { Replay } from "../wire/Replay";
import type { ReviewDepth } from "../wire/ReviewDepth";
import type { ReviewJob } from "../wire/ReviewJob";
import type { ReviewedGames } from "../wire/ReviewedGames";
import type { TriedTurn } from "../wire/TriedTurn";
import type { TryPosition } from "../wire/TryPosition";
import type { TryTurn } from "../wire/TryTurn";

const review = (id: string) => `/api/games/${encodeURIComponent(id)}/review`;

/** A finished game as it is told about: who played, and who of them is here. */
export interface FinishedGame {
  info: GameInfo;
  update: { ply: number; view: CarcassonneView; seats: number[] };
}

export const finishedGame = (id: string, signal?: AbortSignal): Promise<FinishedGame> =>
  get<FinishedGame>(`/api/games/${encodeURIComponent(id)}`, signal);

/** What the move that led to a ply made happen. */
export const eventsAt = async (id: string, ply: number): Promise<GameEvent[]> =>
  (await get<Replay>(`/api/games/${encodeURIComponent(id)}/replay?ply=${ply}`)).events as GameEvent[];

export const reviewOf = (id: string, depth: ReviewDepth, signal?: AbortSignal): Promise<ReviewJob> =>
  get<ReviewJob>(`${review(id)}?depth=${depth}`, signal);

/** Asks for a review; one that is there or being made is answered, not made again. */
export const askForReview = (id: string, depth: ReviewDepth): Promise<ReviewJob> =>
  post<ReviewJob>(review(id), { depth } satisfies NewReview);

/** Says that it is no longer wanted here. */
export const stopReview = (id: string, depth: ReviewDepth): Promise<void> =>
  request<void>("DELETE", `${review(id)}?depth=${depth}`);

export const streamAddress = (id: string, depth: ReviewDepth): string => `${review(id)}/stream?depth=${depth}`;

/** The position before a decision, with every legal turn. */
export const positionBefore = (id: string, ply: number, signal?: AbortSignal): Promise<TryPosition> =>
  get<TryPosition>(`${review(id)}/position?ply=${ply}`, signal);

/** What another turn in place of the one played is worth. */
export const tryTurn = (id: string, turn: TryTurn): Promise<TriedTurn> =>
  request<TriedTurn>("POST", `${review(id)}/try`, { body: turn, patience: 60_000 });

export const reviewsOfUser = (name: string, signal?: AbortSignal): Promise<ReviewedGames> =>
  get<ReviewedGames>(`/api/users/${encodeURIComponent(name)}/reviews`, signal);

export const reviewsOfBot = (name: string, signal?: AbortSignal): Promise<ReviewedGames> =>
  get<ReviewedGames>(`/api/bots/${encodeURIComponent(name)}/reviews`, signal);

/** Asks for another game of the same players. */
export const askForRematch = (id: string): Promise<unknown> =>
  post(`/api/games/${encodeURIComponent(id)}/rematch`, { accept: true });
