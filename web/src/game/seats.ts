// Who sits where, for people.
import type { GameInfo } from "../wire/GameInfo";
import type { SeatInfo } from "../wire/SeatInfo";

/** The name of whoever sits there; empty if nobody does. */
export function seatName(seat: SeatInfo): string {
  const { sitter } = seat;
  switch (sitter.kind) {
    case "user":
    case "invited":
      return sitter.name;
    case "bot":
      return sitter.bot.charAt(0).toUpperCase() + sitter.bot.slice(1);
    default:
      return "";
  }
}

export const isBot = (seat: SeatInfo): boolean =>
  seat.sitter.kind === "bot" || (seat.sitter.kind === "user" && seat.sitter.bot_account);

/** Seats whose players are told apart by their number: one person plays several of them. */
export function namesBySeat(info: GameInfo): string[] {
  const names = info.seats.map(seatName);
  return names.map((name, i) => {
    const same = names.flatMap((other, j) => (other === name ? [j] : []));
    return name !== "" && same.length > 1 ? `${name} ${same.indexOf(i) + 1}` : name;
  });
}

/** The seats from the watcher's own on, in the order of play; a spectator sees them from the first. */
export function seatsFrom(info: GameInfo, mine: readonly number[]): SeatInfo[] {
  const first = info.pass_and_play ? 0 : (mine[0] ?? 0);
  return [...info.seats.slice(first), ...info.seats.slice(0, first)];
}
