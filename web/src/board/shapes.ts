// The shapes of whole features on the table, put together from the outlines of their segments.
import { outline } from "../art/outline";
import { placeOf } from "./cells";
import type { TilesByCell } from "./features";
import type { BoardFeature } from "./types";

export interface FeatureShape {
  fill: string;
  edge: string;
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

/** Path data moved on the table. Outlines use M, L, C and Z with absolute points, and arcs. */
function moved(path: string, x: number, y: number): string {
  return path.replace(/([MLC])([^MLCZa]*)/g, (_, command: string, points: string) => {
    const numbers = points.trim().split(/\s+/).map(Number);
    return command + numbers.map((n, i) => Math.round((n + (i % 2 ? y : x)) * 10) / 10).join(" ");
  });
}
