// Tiles and features by their places on the table.
import { anchor, type Point } from "../art";
import { placeOf } from "./cells";
import type { BoardFeature, BoardTile, SegmentPlace } from "./types";

export type TilesByCell = ReadonlyMap<string, BoardTile>;

export function tilesByCell(tiles: readonly BoardTile[]): TilesByCell {
  return new Map(tiles.map((tile) => [tile.cell, tile]));
}

/** Where a meeple stands on the table. */
export function anchorOf({ cell, segment }: SegmentPlace, tiles: TilesByCell): Point | null {
  const tile = tiles.get(cell);
  if (!tile) return null;
  const { x, y } = placeOf(cell);
  const [dx, dy] = anchor(tile.kind, segment, tile.rotation);
  return [x + dx, y + dy];
}

/** The feature that a segment belongs to. */
export function featureAt(features: readonly BoardFeature[], at: SegmentPlace): BoardFeature | null {
  const holds = (f: BoardFeature) => f.segments.some((s) => s.cell === at.cell && s.segment === at.segment);
  return features.find(holds) ?? null;
}
