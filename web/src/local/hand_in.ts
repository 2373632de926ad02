// Games that were played without the server, handed in when it is there: each once, whatever goes wrong on the way.
import { ApiError } from "../api/api_error";
import { post } from "../api/request";
import { botName } from "../lists/bots";
import { someone } from "../session/session.svelte";
import type { Import } from "../wire/Import";
import type { Imported } from "../wire/Imported";
import { finishedGames, removeFinished } from "./kept";

let running: Promise<string[]> | undefined;

/** Hands in what waits; gives the ids of what the server took. Stops quietly where it is away. */
export function handIn(): Promise<string[]> {
  return (running ??= all().finally(() => (running = undefined)));
}

async function all(): Promise<string[]> {
  const taken: string[] = [];
  for (const { key, record, level, mine } of finishedGames()) {
    try {
      const { name } = await someone();
      const names = mine === 0 ? [name, botName(level)] : [botName(level), name];
      const asked: Import = { record, names, offline_key: key };
      const { id } = await post<Imported>("/api/import", asked);
      removeFinished(key, id);
      taken.push(id);
    } catch (error) {
      // A record that the server refuses will never be taken; everything else is tried again later.
      if (!(error instanceof ApiError) || ![400, 413, 422].includes(error.status)) break;
      removeFinished(key, null);
    }
  }
  return taken;
}
