// The shapes of whole features on the table, put together from the outlines of their segments.
import { outline, anchor, type Point } from "../art";
import { placeOf } from "./cells";
import type { BoardFeature, BoardTile, SegmentPlace } from "./types";

export type TilesByCell = ReadonlyMap<string, BoardTile>;

export interface FeatureShape {
  fill: string;
  edge: string;
}

export function tilesByCell(tiles: readonly BoardTile[]): TilesByCell {
  return new Map(tiles.map((tile) => [tile.cell, tile]));
}

/** The whole shape of a feature, for one path on the table. */
export function featureShape(feature: BoardFeature, tiles: TilesByCell): FeatureShape {
  let [fill, edge] = ["", ""];
  for (const { cell, segment } of feature.segments) {
    const tile = tiles.get(cell);
    if (!tile) continue;
    const { x, y } = placeOf(cell);
    const shape = outline(tile.kind, segment, tile.rotation);
    fill += moved(shape.fill, x, y);
    edge += moved(shape.edge, x, y);
  }
  return { fill, edge };
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

/** Path data moved on the table. Outlines use M, L, C and Z with absolute points, and arcs. */
function moved(path: string, x: number, y: number): string {
  return path.replace(/([MLC])([^MLCZa]*)/g, (_, command: string, points: string) => {
    const numbers = points.trim().split(/\s+/).map(Number);
    return command + numbers.map((n, i) => Math.round((n + (i % 2 ? y : x)) * 10) / 10).join(" ");
  });
}
