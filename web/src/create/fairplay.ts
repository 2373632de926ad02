// What the rules of fair play mean for a new table.
import { get } from "../api/request";
import type { BotInfo } from "../wire/BotInfo";
import type { ClockRule } from "../wire/ClockRule";
import type { OwnFairplay } from "../wire/OwnFairplay";
import type { SeatRequest } from "../wire/SeatRequest";

/** Why a table cannot be rated; nothing if it can. */
export type NoRating = "account" | "table" | "busy" | "clock" | "help" | "wait";

export interface TableToRate {
  /** Whether somebody with an account asks. */
  account: boolean;
  seats: readonly SeatRequest[];
  /** The bots there are, with what they offer now. */
  bots: readonly Pick<BotInfo, "name" | "rated">[];
  clock: ClockRule;
  /** Whether the order of the draws was given. */
  seeded: boolean;
  /** Whether the engine may be asked. */
  help: boolean;
  /** Seconds until a rated game is possible. */
  wait: number;
}

export function whyNotRated(table: TableToRate): NoRating | null {
  const own = table.seats.filter(({ kind }) => kind === "me").length;
  if (!table.account) return "account";
  const offers = table.seats.map((seat) =>
    seat.kind === "bot" ? (table.bots.find(({ name }) => name === seat.bot)?.rated ?? "never") : "offered",
  );
  if (own !== 1 || table.seeded || offers.includes("never")) return "table";
  if (offers.includes("busy")) return "busy";
  if (table.clock.kind === "none") return "clock";
  if (table.help) return "help";
  return table.wait > 0 ? "wait" : null;
}

/** Whether several people will sit at the table, so that the engine helps only if all allow it. */
export const peopleMeet = (seats: readonly SeatRequest[]): boolean =>
  seats.some(({ kind }) => kind === "open" || kind === "user") && seats.filter(({ kind }) => kind !== "bot").length > 1;

/** Milliseconds until the asker may play a rated game. */
export async function ratedWait(signal?: AbortSignal): Promise<number> {
  const { rated_wait_ms } = await get<OwnFairplay>("/api/me/fairplay", signal);
  return rated_wait_ms;
}
