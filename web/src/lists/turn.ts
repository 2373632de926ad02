// Whose move it is in a game of a list.
import type { GameSummary } from "../wire/GameSummary";

/** Whether the game waits for a move of this user. */
export function waitsFor({ info, turn }: GameSummary, user: string | undefined): boolean {
  if (info.status !== "playing" || user === undefined) return false;
  return info.seats.some(({ seat, sitter }) => seat === turn && sitter.kind === "user" && sitter.user === user);
}
