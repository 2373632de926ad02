// Where the server keeps what the game page needs.
import { post, request } from "../api/request";
import type { Thoughts } from "../wire/Thoughts";

const game = (id: string) => `/api/games/${encodeURIComponent(id)}`;

export const paths = {
  game,
  socket: (id: string) => `${game(id)}/socket`,
  events: (id: string) => `${game(id)}/events`,
  record: (id: string) => `${game(id)}/record`,
  replay: (id: string, ply: number) => `${game(id)}/replay?ply=${ply}`,
};

/** Sits down on an open seat. */
export const join = (id: string): Promise<unknown> => post(`${game(id)}/join`);

/** Gets up again before the game has begun. */
export const leave = (id: string): Promise<unknown> => post(`${game(id)}/leave`);
