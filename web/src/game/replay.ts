// Turns and plies of a game: where a replay can stop.
import type { GameEvent } from "./events";

/** The plies at which each turn is over and the next tile drawn, from turn 0, the start. */
export function turnPlies(events: readonly GameEvent[]): number[] {
  const placements = events.flatMap((e) => (e.event === "tile_placed" && e.ply !== undefined ? [e.ply] : []));
  const last = events.reduce((most, e) => Math.max(most, e.ply ?? 0), 0);
  return [...placements.map((ply) => ply - 1), last];
}

/** What happened between two plies, the later one included. */
export function eventsBetween(events: readonly GameEvent[], from: number, to: number): GameEvent[] {
  return events.filter((e) => e.ply !== undefined && e.ply > from && e.ply <= to);
}

/** The turn that an address names, `#34`; nothing if it names none. */
export function turnOfHash(hash: string): number | null {
  const match = /^#(\d{1,3})$/.exec(hash);
  return match ? Number(match[1]) : null;
}

export const SPEEDS = [0.5, 1, 2, 4] as const;

/** Milliseconds a turn at a speed. */
export const turnTime = (speed: number): number => 1_600 / speed;
