// What the server tells about games, as lists and boards.
import { get, post } from "../api/request";
import { someone } from "../session/session.svelte";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { GameInfo } from "../wire/GameInfo";
import type { GameType } from "../wire/GameType";
import type { Lobby } from "../wire/Lobby";
import type { MyGames } from "../wire/MyGames";
import type { NewGame } from "../wire/NewGame";
import type { Update } from "../wire/Update";

export const lobby = (signal?: AbortSignal): Promise<Lobby> => get<Lobby>("/api/lobby", signal);

/** A further page of one's own games that are not over. */
export const myGames = (before: string): Promise<MyGames> =>
  get<MyGames>(`/api/lobby/mine?before=${encodeURIComponent(before)}`);

export interface Table {
  info: GameInfo;
  update: Update;
}

export const table = (id: string, signal?: AbortSignal): Promise<Table> =>
  get<Table>(`/api/games/${encodeURIComponent(id)}`, signal);

/** The board of a game, as a spectator sees it. */
export async function boardOf(id: string, signal?: AbortSignal): Promise<{ view: CarcassonneView }> {
  const view = await get<CarcassonneView>(`/api/games/${encodeURIComponent(id)}/view`, signal);
  if (view.sets) await import("../art/sets");
  return { view };
}

/** Makes a game; whoever asks becomes a guest first if they are nobody yet. */
export async function createGame(wanted: NewGame): Promise<Table> {
  await someone();
  return post<Table>("/api/games", { nonce: nonce(), ...wanted });
}

let types: Promise<GameType[]> | undefined;

/** The games there are; asked for once. */
export function gameTypes(): Promise<GameType[]> {
  types ??= get<GameType[]>("/api/game-types").catch((error: unknown) => {
    types = undefined;
    throw error;
  });
  return types;
}

/** This browser's share in the shuffle: so that the server alone cannot choose the order. */
export function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
