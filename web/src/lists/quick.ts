// One click to a game: against a bot that suits the player.
import { get } from "../api/request";
import { someone } from "../session/session.svelte";
import type { BalanceAgainst } from "../wire/BalanceAgainst";
import type { Profile } from "../wire/Profile";
import type { SetName } from "../wire/SetName";
import { createGame } from "./games";

/** The levels that people are led through, the gentlest first (the server's names). */
export const LEVELS = ["shepherd", "pilgrim", "peddler", "mason", "steward", "architect", "abbess", "master"] as const;

/** Who has never played meets this one. */
const FIRST = 1;

/** The level to meet next: past every one that has been beaten more often than not. */
export function suitableLevel(byLevel: readonly BalanceAgainst[]): string {
  let at = FIRST;
  for (const [index, level] of LEVELS.entries()) {
    const met = byLevel.find(({ label }) => label === level)?.balance;
    if (met && met.won > met.lost) at = Math.max(at, index + 1);
    if (met && index === FIRST && met.lost > met.won + 1 && at === FIRST) at = FIRST - 1;
  }
  return LEVELS[Math.min(at, LEVELS.length - 1)]!;
}

/** Makes a table for whoever has its link; answers with its address. The friend begins: the host may
 * be away when they come. */
export async function friendGame(): Promise<string> {
  const { info } = await createGame({
    game: "carcassonne",
    seats: [{ kind: "open" }, { kind: "me" }],
    shuffle_seats: false,
    visibility: "link",
  });
  return `/g/${info.id}`;
}

/** Makes a table that stands in the lobby until somebody comes; answers with its address. */
export async function openTable(): Promise<string> {
  const { info } = await createGame({ game: "carcassonne", seats: [{ kind: "me" }, { kind: "open" }] });
  return `/g/${info.id}`;
}

/** Makes a casual game against a suitable bot, with sets if any are named; answers with its address. */
export async function quickGame(expansions: readonly SetName[] = []): Promise<string> {
  const me = await someone();
  const profile = await get<Profile>(`/api/users/${encodeURIComponent(me.name)}`).catch(() => null);
  const bot = suitableLevel(profile?.by_level ?? []);
  const { info } = await createGame({
    game: "carcassonne",
    seats: [{ kind: "me" }, { kind: "bot", bot }],
    ...(expansions.length > 0 ? { options: { expansions } } : {}),
  });
  return `/g/${info.id}`;
}
