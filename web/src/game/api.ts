// Where the server keeps what the game page needs.
import { post, request } from "../api/request";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { Replay } from "../wire/Replay";
import type { Analysis } from "../wire/Analysis";
import type { GameEvent } from "./events";

const game = (id: string) => `/api/games/${encodeURIComponent(id)}`;

export const paths = {
  game,
  socket: (id: string) => `${game(id)}/socket`,
  record: (id: string) => `${game(id)}/record`,
  replay: (id: string) => `${game(id)}/replay`,
  picture: (id: string) => `${game(id)}/picture`,
  animation: (id: string) => `${game(id)}/animation`,
};

/** Everything that happened in a game so far, each event with its ply. */
export async function history(id: string): Promise<GameEvent[]> {
  const { plies } = await request<Replay>("GET", paths.replay(id));
  return plies?.flatMap((ply) => ply.events) ?? [];
}

/** The board after so many moves of the record. */
export async function boardAt(id: string, ply: number): Promise<CarcassonneView> {
  const { view } = await request<Replay>("GET", `${paths.replay(id)}?ply=${ply}`);
  return view as CarcassonneView;
}

/** Sits down on an open seat. */
export const join = (id: string): Promise<unknown> => post(`${game(id)}/join`);

/** Gets up again before the game has begun. */
export const leave = (id: string): Promise<unknown> => post(`${game(id)}/leave`);

/** Hides what somebody says, on every table from the next connection on. */
export const muteUser = (name: string): Promise<unknown> => request("PUT", `/api/mutes/${encodeURIComponent(name)}`);
export const unmuteUser = (name: string): Promise<unknown> =>
  request("DELETE", `/api/mutes/${encodeURIComponent(name)}`);

/** What the engine would play now, in a game where it may be asked. */
export const askHint = (id: string): Promise<Analysis> =>
  request<Analysis>("POST", `${game(id)}/hint`, { body: {}, patience: 60_000 });

/** The engine's thoughts about a game: as it stands, or after so many moves of its record. */
export async function think(id: string, ply: number | null, top: number): Promise<Analysis> {
  const record = await request<string>("GET", paths.record(id));
  const body = { record, top, ...(ply === null ? {} : { ply }) };
  return request<Analysis>("POST", "/api/analyse", { body, patience: 60_000 });
}
