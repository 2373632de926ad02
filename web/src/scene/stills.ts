// A game as a row of pictures, one a turn, put together from what the server said happened.
import type { BoardMeeple, BoardTile, Rotation } from "../board/types";
import { type GameEvent, cellName } from "../game/events";
import type { Points } from "./Scene.svelte";

export interface Still {
  tiles: BoardTile[];
  meeples: BoardMeeple[];
  scores: number[];
  frame: { cell: string; player: number } | null;
  /** What this turn scored, at the feature. */
  points: Points[];
}

export function stillsOf(events: readonly GameEvent[]): Still[] {
  const stills: Still[] = [];
  let now: Still = { tiles: [], meeples: [], scores: [0, 0], frame: null, points: [] };
  let turn = 0;
  for (const event of events) {
    switch (event.event) {
      case "starting_tile_placed":
        now = { ...now, tiles: [tile(event, 0, null)] };
        break;
      case "tile_placed":
        if (turn > 0) stills.push(now);
        turn += 1;
        now = {
          ...now,
          tiles: [...now.tiles, tile(event, turn, event.player)],
          frame: { cell: cellName(event), player: event.player },
          points: [],
        };
        break;
      case "meeple_placed":
        now = { ...now, meeples: [...now.meeples, meepleOf(event)] };
        break;
      case "meeple_returned":
        now = { ...now, meeples: now.meeples.filter((m) => m.player !== event.player || m.number !== event.meeple) };
        break;
      case "feature_scored":
        now = { ...now, points: [...now.points, ...pointsOf(event, now)] };
        break;
      case "score_updated":
        now = { ...now, scores: event.scores };
        break;
      default:
    }
  }
  return turn > 0 ? [...stills, now] : stills;
}

function tile(
  event: { x: number; y: number; tile: string; rotation: number },
  ply: number,
  player: number | null,
): BoardTile {
  return { cell: cellName(event), kind: event.tile, rotation: ((event.rotation / 90) % 4) as Rotation, ply, player };
}

function meepleOf(event: { x: number; y: number; player: number; meeple: number; segment: string }): BoardMeeple {
  const lying = event.segment.startsWith("field");
  return { cell: cellName(event), segment: event.segment, player: event.player, number: event.meeple, lying };
}

/** Points are shown on the tile that brought them. */
function pointsOf(event: { player: number; points: number; type: string }, now: Still): Points[] {
  const last = now.tiles.at(-1);
  if (!last || event.points === 0) return [];
  return [
    {
      player: event.player,
      text: `+${event.points}`,
      cell: last.cell,
      segment: `${event.type}${event.type === "monastery" ? "" : "0"}`,
    },
  ];
}
