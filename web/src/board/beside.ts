// Where the buttons of a turn lie: beside the tile that was put down, on the side where they hide least.
import { overlap } from "./camera";
import type { Box } from "./cells";

export interface Size {
  width: number;
  height: number;
}

/** How buttons lie in a narrow view: at its foot two beside each other, or at its right side one below the other. */
export type Dock = "foot" | "side";

/** About how high a row of choices is, and what stands below them; how wide the choices are at the side. */
const [ROW, ACTS, BESIDE] = [50, 70, 204];

/** Where so many choices leave the tile the larger square to be seen in. */
export function dockOf({ width, height }: Size, choices: number): Dock {
  const atFoot = Math.min(width, height - Math.ceil(choices / 2) * ROW - ACTS);
  const atSide = Math.min(width - BESIDE, height);
  return atSide > atFoot ? "side" : "foot";
}

/** How far from the tile, in pixels. */
const GAP = 12;
/** A covered tile that lies is a smaller loss than a covered spot. */
const TILE_WEIGHT = 0.15;

/** The left top corner for something of a size; among equals the first of below, above, right, left. */
export function besideTile(
  tile: Box,
  { width, height }: Size,
  room: Box,
  spots: readonly Box[],
  tiles: readonly Box[],
  sideways: boolean,
): { left: number; top: number } {
  const [middleX, middleY] = [(tile.left + tile.right) / 2, (tile.top + tile.bottom) / 2];
  const vertical = [tile.bottom + GAP, tile.top - GAP - height].map((top) => ({ left: middleX - width / 2, top }));
  const horizontal = [tile.right + GAP, tile.left - GAP - width].map((left) => ({ left, top: middleY - height / 2 }));
  const places = (sideways ? [...horizontal, ...vertical] : [...vertical, ...horizontal]).map(({ left, top }) => ({
    left: Math.max(room.left, Math.min(left, room.right - width)),
    top: Math.max(room.top, Math.min(top, room.bottom - height)),
  }));
  const loss = ({ left, top }: { left: number; top: number }) => {
    const box = { left, top, right: left + width, bottom: top + height };
    const sum = (boxes: readonly Box[]) => boxes.reduce((sum, other) => sum + overlap(box, other), 0);
    return 10 * overlap(box, tile) + sum(spots) + TILE_WEIGHT * sum(tiles);
  };
  return places.reduce((best, place) => (loss(place) < loss(best) ? place : best));
}
