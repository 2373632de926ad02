// Whether the engine may think in this page: not while its user plays a game in which help is not allowed.
// This stops temptation, not cheats (docs/fairplay.md).
import { ApiError } from "../api/api_error";
import { get } from "../api/request";
import { me, recognise } from "../session/session.svelte";
import type { MyGames } from "../wire/MyGames";

/** The engine does not think now: its user plays a game without help, or nobody knows. */
export class EngineRefused extends Error {}

/** What the server said last; kept for when it is away. */
let last: boolean | undefined;

/** Whether a game keeps its players from the engine's help. */
const keeps = ({ info }: MyGames["games"][number]): boolean => info.status === "playing" && !info.help_allowed;

/** Asks for the running games of who is here, all of them. Somebody may have come by another window meanwhile. */
async function playsWithoutHelp(): Promise<boolean> {
  // Who has no session plays nothing.
  if (!(me() ?? (await recognise()))) return false;
  let next: string | null = null;
  do {
    const before: string = next === null ? "" : `?before=${encodeURIComponent(next)}`;
    const page: MyGames = await get<MyGames>(`/api/lobby/mine${before}`);
    if (page.games.some(keeps)) return true;
    next = page.next;
  } while (next !== null);
  return false;
}

/** Throws while the engine must not think. Without the server its last word holds; without one, no. */
export async function refuseEngine(): Promise<void> {
  try {
    last = await playsWithoutHelp();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The session has ended since.
    if (error.status === 401) last = false;
    else if (!error.passing) throw error;
  }
  if (last !== false) throw new EngineRefused("you are playing a game without help");
}
