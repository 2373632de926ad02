// Who is wanted at a new table, as the form edits it.
import type { SeatRequest } from "../wire/SeatRequest";

/** The value of the select of a seat. */
export type SeatChoice = "me" | "open" | "user" | `bot:${string}`;

export function choiceOf(seat: SeatRequest): SeatChoice {
  return seat.kind === "bot" ? `bot:${seat.bot}` : seat.kind;
}

export function seatOf(choice: SeatChoice): SeatRequest {
  if (choice.startsWith("bot:")) return { kind: "bot", bot: choice.slice("bot:".length) };
  switch (choice) {
    case "me":
      return { kind: "me" };
    case "user":
      return { kind: "user", name: "" };
    default:
      return { kind: "open" };
  }
}

/** Several seats of one person: the device is passed on. */
export const passesOn = (seats: readonly SeatRequest[]): boolean =>
  seats.filter(({ kind }) => kind === "me").length > 1;

/** Only bots: a game to watch. */
export const botsOnly = (seats: readonly SeatRequest[]): boolean => seats.every(({ kind }) => kind === "bot");

/** Whether somebody must come before the game can begin. */
export const waits = (seats: readonly SeatRequest[]): boolean =>
  seats.some(({ kind }) => kind === "open" || kind === "user");

/** Why the table cannot be made yet; nothing if it can. */
export function missing(seats: readonly SeatRequest[]): "name" | null {
  return seats.some((seat) => seat.kind === "user" && seat.name.trim() === "") ? "name" : null;
}
