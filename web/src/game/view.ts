// From the server's view to what the board draws. Nothing is worked out here, only renamed.
import type {
  BoardEvent,
  BoardFeature,
  BoardMeeple,
  BoardTile,
  BoardTurn,
  LegalPlacement,
  Rotation,
} from "../board/types";
import type { Terrain } from "../art";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { LegalMove } from "../wire/LegalMove";
import { type GameEvent, type Scored, cellName } from "./events";

export interface BoardParts {
  tiles: BoardTile[];
  meeples: BoardMeeple[];
  features: BoardFeature[];
  dead: string[];
  last: { cell: string; player: number } | null;
}

export function boardParts(view: CarcassonneView): BoardParts {
  const meeples = view.meeples.map((meeple) => ({
    cell: meeple.position,
    segment: meeple.segment,
    player: meeple.player,
    number: meeple.meeple,
    lying: meeple.segment.startsWith("field"),
    figure: meeple.figure,
  }));
  return { tiles: tiles(view), meeples, features: features(view), dead: view.dead_cells, last: lastMove(view) };
}

function tiles(view: CarcassonneView): BoardTile[] {
  return Object.entries(view.board.tiles).map(([cell, tile]) => ({
    cell,
    kind: tile!.type,
    rotation: (tile!.rotation / 90) as Rotation,
    ply: tile!.turn,
    player: tile!.player,
  }));
}

function features(view: CarcassonneView): BoardFeature[] {
  const counts = new Map<string, Map<number, number>>();
  for (const { feature, player } of view.meeples) {
    const byPlayer = counts.get(feature) ?? new Map<number, number>();
    counts.set(feature, byPlayer.set(player, (byPlayer.get(player) ?? 0) + 1));
  }
  return Object.entries(view.features).map(([id, feature]) => ({
    id: Number(id),
    terrain: feature!.feature_type as Terrain,
    complete: feature!.is_complete,
    segments: feature!.segments.map(([cell, segment]) => ({ cell, segment })),
    owners: feature!.owners,
    points: feature!.points,
    meeples: [...(counts.get(id) ?? [])].map(([player, count]) => ({ player, count })),
    finishedCities: feature!.fed_by.map(Number),
  }));
}

function lastMove(view: CarcassonneView): BoardParts["last"] {
  const cell = view.last_placed_position;
  const player = cell === null ? null : (view.board.tiles[cell]?.player ?? null);
  return cell === null || player === null ? null : { cell, player };
}

/** The turn of the player here, if a tile is to be placed. */
export function boardTurn(
  player: number | null,
  tile: string | null,
  legal: LegalMove[] | null,
  effect: (move: LegalMove) => string | null,
  worth: (move: LegalMove) => Record<string, string> = () => ({}),
): BoardTurn | null {
  if (player === null || tile === null || !legal) return null;
  const placements = legal.flatMap((move) => placement(move, effect(move), worth(move)) ?? []);
  return placements.length === 0 ? null : { player, tile, legal: placements };
}

function placement(legal: LegalMove, effect: string | null, worth: Record<string, string>): LegalPlacement | null {
  const match = /^(-?\d+,-?\d+) r([0-3])$/.exec(legal.move);
  if (!match) return null;
  return {
    move: legal.move,
    cell: match[1]!,
    rotation: Number(match[2]) as Rotation,
    meeples: legal.then.filter((move) => move !== "pass"),
    worth,
    ...(effect === null ? {} : { effect }),
  };
}

/** What the board shows moving. Points float over the scorer's meeple, or else over the feature. */
export function boardEvents(events: GameEvent[], view: CarcassonneView): BoardEvent[] {
  return events.flatMap((event): BoardEvent[] => {
    switch (event.event) {
      case "tile_placed":
        return [{ type: "placed", cell: cellName(event) }];
      case "meeple_placed":
      case "meeple_returned": {
        const type = event.event === "meeple_placed" ? "claimed" : "returned";
        const { player, segment, meeple, figure } = event;
        return [{ type, cell: cellName(event), segment, player, number: meeple, figure }];
      }
      case "feature_scored":
      case "end_game_points": {
        const at = scoredAt(event, events, view);
        return at ? [{ type: "scored", player: event.player, points: event.points, ...at }] : [];
      }
      default:
        return [];
    }
  });
}

function scoredAt(
  scored: Scored,
  events: GameEvent[],
  view: CarcassonneView,
): { cell: string; segment: string } | null {
  for (const event of events) {
    const returned = event.event === "meeple_returned" && event.player === scored.player;
    if (returned && event.feature === scored.feature) return { cell: cellName(event), segment: event.segment };
  }
  const meeple = view.meeples.find((m) => m.player === scored.player && m.feature === String(scored.feature));
  if (meeple) return { cell: meeple.position, segment: meeple.segment };
  const [cell, segment] = view.features[String(scored.feature)]?.segments[0] ?? [];
  return cell !== undefined && segment !== undefined ? { cell, segment } : null;
}

/** A turn that was confirmed and not yet answered. */
export interface Sent {
  tile: BoardTile;
  meeple: BoardMeeple | null;
}

export function sentTurn(
  [placement, choice]: readonly [string, string],
  kind: string | null,
  player: number | null,
): Sent | null {
  const match = /^(-?\d+,-?\d+) r([0-3])$/.exec(placement);
  if (!match || kind === null || player === null) return null;
  const cell = match[1]!;
  const tile = { cell, kind, rotation: Number(match[2]) as Rotation, ply: 0, player };
  const [segment, figure] = choice.split(" ").reverse() as [string, string?];
  const lying = segment.startsWith("field");
  // No meeple has this number: the real one takes its place.
  const stays = choice === "pass" || choice === "recall";
  return { tile, meeple: stays ? null : { cell, segment, player, number: -1, lying, figure } };
}

/** The board as it will be, unless the server refuses. */
export function withSent(parts: BoardParts, { tile, meeple }: Sent): BoardParts {
  if (parts.tiles.some((t) => t.cell === tile.cell)) return parts;
  return {
    ...parts,
    tiles: [...parts.tiles, tile],
    meeples: meeple ? [...parts.meeples, meeple] : parts.meeples,
    last: { cell: tile.cell, player: tile.player! },
  };
}
