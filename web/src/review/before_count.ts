// Who led before the final count: the points at the end, less what was counted then.
import type { GameEvent } from "../game/events";

export interface Lead {
  /** Nobody if the best were level. */
  seat: number | null;
  points: number;
}

/** The lead before the points that the end of a game gave; nothing if it gave none. */
export function leadBeforeCount(scores: readonly number[], events: readonly GameEvent[]): Lead | null {
  const before = [...scores];
  let counted = false;
  for (const event of events) {
    if (event.event !== "end_game_points" && event.event !== "end_game_goods") continue;
    before[event.player] = (before[event.player] ?? 0) - event.points;
    counted = true;
  }
  const [first, second] = before.map((points, seat) => ({ points, seat })).sort((a, b) => b.points - a.points);
  if (!counted || !first || !second) return null;
  const points = first.points - second.points;
  return { seat: points > 0 ? first.seat : null, points };
}
