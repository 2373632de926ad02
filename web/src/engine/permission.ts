// Whether the engine may think in this page: not while its user plays a game in which help is not allowed.
// This stops temptation, not cheats (docs/fairplay.md).
import { ApiError } from "../api/api_error";
import { get } from "../api/request";
import { me, recognise } from "../session/session.svelte";
import type { MyGames } from "../wire/MyGames";

/** The engine does not think now: its user plays a game without help, or nobody knows. */
export class EngineRefused extends Error {}

/** So long an answer holds, in milliseconds: a look at a position asks for several things at once. */
const HOLDS = 1_000;

/** What the server said last; kept for when it is away. */
let last: boolean | undefined;
/** The question that was asked last, of whom and when. */
let asked: { of: string | undefined; at: number; answer: Promise<boolean> } | undefined;

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

/** The same, asked once for all who want to know at about the same time. What failed is asked again. */
function mayNotThink(): Promise<boolean> {
  const [of, now] = [me()?.id, Date.now()];
  if (asked && asked.of === of && Math.abs(now - asked.at) < HOLDS) return asked.answer;
  const answer = playsWithoutHelp();
  const question = { of, at: now, answer };
  asked = question;
  answer.then(
    // Who had not been recognised yet is known now.
    () => (question.of ??= me()?.id),
    () => {
      if (asked === question) asked = undefined;
    },
  );
  return answer;
}

/** Throws while the engine must not think. Without the server its last word holds; without one, no. */
export async function refuseEngine(): Promise<void> {
  try {
    last = await mayNotThink();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The session has ended since.
    if (error.status === 401) last = false;
    else if (!error.passing) throw error;
  }
  if (last !== false) throw new EngineRefused("you are playing a game without help");
}
