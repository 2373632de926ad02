// The feature that a segment of the staged tile would belong to: what lies against it, side by side.
import { type Rotation, printedTile, terrainOf } from "../art";
import { parseCell } from "./cells";
import { type TilesByCell, featureAt } from "./features";
import type { BoardFeature, SegmentPlace } from "./types";

const SIDES = "NESW";
const STEPS: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];

/** Where a segment reaches the border of its turned tile: sides (`2`), or halves of sides (`2L`). */
function ends(kind: string, segment: string, rotation: Rotation): string[] {
  const printed = printedTile(kind).segments.find(({ name }) => name === segment);
  const turned = (side: string) => (SIDES.indexOf(side) + rotation) % 4;
  const sides = [...(printed?.sides ?? "")].map((side) => String(turned(side)));
  return [...sides, ...(printed?.halves ?? []).map((half) => `${turned(half[0]!)}${half[1]}`)];
}

/** The same place seen from the other tile: the opposite side, left and right swapped. */
function across(end: string): string {
  return `${(Number(end[0]) + 2) % 4}${end[1] ? (end[1] === "L" ? "R" : "L") : ""}`;
}

/** A feature made of the staged segment and of all that it joins, for its outline. */
export function joinedFeature(
  place: SegmentPlace,
  tiles: TilesByCell,
  features: readonly BoardFeature[],
): BoardFeature | null {
  const tile = tiles.get(place.cell);
  if (!tile) return null;
  const { x, y } = parseCell(place.cell);
  const found = new Set<BoardFeature>();
  for (const end of ends(tile.kind, place.segment, tile.rotation)) {
    const [dx, dy] = STEPS[Number(end[0])]!;
    const cell = `${x + dx},${y + dy}`;
    const other = tiles.get(cell);
    const met =
      other &&
      printedTile(other.kind).segments.find(({ name }) => ends(other.kind, name, other.rotation).includes(across(end)));
    const feature = met && featureAt(features, { cell, segment: met.name });
    if (feature) found.add(feature);
  }
  const segments = [place, ...[...found].flatMap((feature) => feature.segments)];
  const terrain = terrainOf(place.segment);
  return { id: -1, terrain, complete: false, segments, owners: [], points: 0, meeples: [] };
}
