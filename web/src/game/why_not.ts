// Why no line to a table opens: asked over HTTP, where the server says more than a socket can.
import { ApiError } from "../api/api_error";
import { request } from "../api/request";
import type { GameInfo } from "../wire/GameInfo";
import type { Problem } from "../wire/Problem";
import { paths } from "./api";
import type { GameUpdate } from "./table.svelte";

/**
 * A refusal that waiting does not cure, such as a game that does not exist. A game that answers here is told, for who
 * looks on; so is one that the browser kept from an earlier visit.
 */
export async function whyNot(id: string, tell: (info: GameInfo, update: GameUpdate) => void): Promise<Problem | null> {
  try {
    const { info, update } = await request<{ info: GameInfo; update: GameUpdate }>("GET", paths.game(id));
    tell(info, { ...update, seats: [], legal: null });
  } catch (error) {
    if (error instanceof ApiError && error.kind === "refused" && error.status < 500) return error.problem;
  }
  return null;
}
