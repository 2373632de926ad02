// Finished games, page by page.
import { get, post } from "../api/request";
import { someone } from "../session/session.svelte";
import type { Imported } from "../wire/Imported";
import type { Library } from "../wire/Library";

export interface LibraryFilter {
  user?: string;
  /** Another person at the same table. */
  opponent?: string;
  bot?: string;
  /** `won`, `tied` or `lost` by `user`. */
  result?: string;
  /** Games for two, or others. */
  duel?: boolean;
  /** Unix milliseconds. */
  since?: number;
  game?: string;
  rated?: boolean;
  before?: string;
  limit?: number;
}

export function library(filter: LibraryFilter, signal?: AbortSignal): Promise<Library> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return get<Library>(`/api/games?${query}`, signal);
}

/** Takes in a record from elsewhere; answers with the id of the stored game. */
export async function importRecord(record: string, names: string[]): Promise<string> {
  await someone();
  const { id } = await post<Imported>("/api/import", { record, names });
  return id;
}
