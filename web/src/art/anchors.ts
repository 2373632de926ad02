// Where meeples stand on tiles, for every kind, segment and rotation.
//
// `anchors.json` is written by `anchors.test.ts` from the drawn shapes; other clients get the
// same table from the server's catalogue of tiles.
import json from "./anchors.json";
import type { Point, Rotation } from "./points";

/** How wide a meeple is drawn, in the tile's units; anchors of a tile are farther apart. */
export const MEEPLE_WIDTH = 22;

type Anchors = Record<string, Record<string, readonly Point[]>>;

const TABLE = json as unknown as Anchors;

/** Makes those of further kinds known. */
export const addAnchors = (more: Anchors): unknown => Object.assign(TABLE, more);

/** The middle of a figure on a segment (or of the figure of a move, `big city0`) of a turned tile, in the tile's 100 × 100 units. */
export function anchor(kind: string, segment: string, rotation: Rotation): Point {
  const point = TABLE[kind]?.[segment.replace(/^.* /, "")]?.[rotation];
  if (!point) {
    const names = Object.keys(TABLE[kind] ?? {}).join(" ");
    throw new Error(`tile ${kind} has no segment '${segment}'; it has ${names || "none"}`);
  }
  return point;
}
