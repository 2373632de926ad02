// Where a meeple stands on each segment of a printed tile: inside it and clear of the others.
//
// This runs when the table of anchors is written (see `anchors.test.ts`), never in the page.
import { SIZE, type Point, distance } from "./points";
import { type LabelGrid, labelGrid } from "./grid";
import { MEEPLE_WIDTH } from "./anchors";
import { tileShape } from "./shape";
import { type PrintedSegment, printedTile } from "./table";

interface Candidate {
  point: Point;
  worth: number;
}

/** Keeps figures a little farther apart than they must be. */
const APART = MEEPLE_WIDTH + 3;
/** A figure must not hang over the tile's border by more than a little. */
const MARGIN = 9;
/** How far a figure keeps from a sign, if it can. */
const SIGN = 18;
/** More room than this makes a place no better. */
const ROOM = 13;

/** A point for each segment of the kind, by name. */
export function placeAnchors(kind: string): Record<string, Point> {
  const { segments } = printedTile(kind);
  const choices = segments.map((segment) => candidates(kind, segment));
  const chosen = choices.map((list) => best(list, []));
  // Each in turn moves to where it is best off, given the others, until nobody moves.
  for (let round = 0, moved = true; moved && round < 50; round++) {
    moved = false;
    choices.forEach((list, i) => {
      const others = chosen.filter((_, k) => k !== i).map((c) => c.point);
      const next = best(list, others);
      if (next.point !== chosen[i]!.point) [chosen[i], moved] = [next, true];
    });
  }
  return Object.fromEntries(segments.map((segment, i) => [segment.name, chosen[i]!.point]));
}

function best(list: readonly Candidate[], others: readonly Point[]): Candidate {
  const crowding = (point: Point) =>
    others.reduce((sum, other) => sum + Math.max(0, APART - distance(point, other)) ** 2, 0);
  let [found, value] = [list[0]!, -Infinity];
  for (const candidate of list) {
    const worth = candidate.worth - 4 * crowding(candidate.point);
    if (worth > value) [found, value] = [candidate, worth];
  }
  return found;
}

function candidates(kind: string, segment: PrintedSegment): Candidate[] {
  const grid = labelGrid(kind);
  const shape = tileShape(kind);
  if (segment.terrain === "monastery" && shape.monastery) return [{ point: shape.monastery, worth: 0 }];
  if (segment.terrain === "garden" && shape.more?.garden) return [{ point: rounded(shape.more.garden), worth: 0 }];
  const road = shape.roads.find((r) => r.name === segment.name);
  if (road) {
    // On the middle of the road, best halfway along it.
    const inside = road.line.filter((p) => isClear(p) && grid.labels[square(rounded(p))] === segment.name);
    const middle = road.line[Math.floor(road.line.length / 2)]!;
    return inside.map((p) => ({ point: rounded(p), worth: -0.1 * distance(p, middle) }));
  }
  const squares = grid.labels.flatMap((label, at) => (label === segment.name ? [at] : []));
  const mean = (of: (at: number) => number) => squares.reduce((sum, at) => sum + of(at), 0) / squares.length;
  const middle: Point = [mean((at) => at % SIZE), mean((at) => Math.floor(at / SIZE))];
  const found: Candidate[] = [];
  for (let y = MARGIN; y <= SIZE - MARGIN; y++) {
    for (let x = MARGIN; x <= SIZE - MARGIN; x++) {
      const point: Point = [x, y];
      if (grid.labels[square(point)] !== segment.name) continue;
      const room = Math.min(ROOM, clearance(grid, point, segment.name));
      // What lies in the field, or hangs in the city, stays to be seen.
      const city = shape.cities.find((c) => c.name === segment.name);
      const shown = [...(shape.more?.inFields ?? []), ...(city?.signs ?? [])];
      const hidden = shown.reduce((sum, other) => sum + Math.max(0, SIGN - distance(point, other)), 0);
      found.push({ point, worth: 3 * room - 0.3 * distance(point, middle) - 2 * hidden });
    }
  }
  return found;
}

const isClear = ([x, y]: Point) => x >= MARGIN && y >= MARGIN && x <= SIZE - MARGIN && y <= SIZE - MARGIN;
const square = ([x, y]: Point) => Math.floor(y) * SIZE + Math.floor(x);
const rounded = ([x, y]: Point): Point => [Math.round(x), Math.round(y)];

/** How far the nearest square of another segment is; the tile's border does not count. */
function clearance(grid: LabelGrid, [x, y]: Point, name: string): number {
  for (let radius = 1; radius <= ROOM; radius++) {
    for (let step = 0; step < 16; step++) {
      const angle = (step * Math.PI) / 8;
      const at: Point = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
      const outside = at[0] < 0 || at[1] < 0 || at[0] >= SIZE || at[1] >= SIZE;
      if (!outside && grid.labels[square(at)] !== name) return radius - 1;
    }
  }
  return ROOM;
}
