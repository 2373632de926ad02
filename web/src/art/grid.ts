// Which segment each square unit of a printed tile belongs to, from the same shapes that are drawn.
//
// What the fields are is found by flooding, not read from the table: so a drawing that cuts a
// field in two, or lets one leak through a wall, is found by the tests.
import { SIZE, type Point, distance, distanceToLine, isInside } from "./points";
import {
  GARDEN_RADIUS,
  MONASTERY_RADIUS,
  ROAD_HALF,
  type TileShape,
  VILLAGE_RADIUS,
  WALL_HALF,
  tileShape,
} from "./shape";
import { type Half, printedTile } from "./table";

/** Names by square, row by row; `null` is nobody's: walls, the village, slivers. */
export interface LabelGrid {
  labels: (string | null)[];
  /** How many separate meadows the drawing has. */
  meadows: number;
}

const UNCLAIMED = "?";
/** A meadow below this many square units is a sliver between strokes, not a field. */
const SLIVER = 40;

const grids = new Map<string, LabelGrid>();

export function labelGrid(kind: string): LabelGrid {
  let grid = grids.get(kind);
  if (!grid) grids.set(kind, (grid = makeGrid(kind)));
  return grid;
}

/** The label at a point of the printed tile. */
export function labelAt(grid: LabelGrid, [x, y]: Point): string | null {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (column < 0 || row < 0 || column >= SIZE || row >= SIZE) return null;
  return grid.labels[row * SIZE + column] ?? null;
}

/** A point just inside the middle of a half edge. */
export function halfEdgePoint(half: Half): Point {
  const along = half[1] === "L" ? 24 : 76;
  const inset = 0.5;
  switch (half[0]) {
    case "N":
      return [along, inset];
    case "E":
      return [SIZE - inset, along];
    case "S":
      return [SIZE - along, SIZE - inset];
    default:
      return [inset, SIZE - along];
  }
}

function makeGrid(kind: string): LabelGrid {
  const shape = tileShape(kind);
  const labels: (string | null)[] = [];
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) labels.push(built(shape, [x + 0.5, y + 0.5]));
  }
  const grid = { labels, meadows: 0 };
  const meadows = flood(grid);
  const fields = printedTile(kind).segments.filter((segment) => segment.terrain === "field");
  const inner = fields.filter((field) => !field.halves);
  for (const meadow of meadows) {
    // A meadow takes the name of the field whose half edge it reaches, or of the one closed within the tile.
    const field = fields.find((f) => f.halves?.some((half) => meadow.has(indexAt(halfEdgePoint(half))))) ?? inner.pop();
    for (const square of meadow) labels[square] = field?.name ?? null;
  }
  grid.meadows = meadows.length;
  return grid;
}

/** What is built on a point, `?` for open meadow. */
function built(shape: TileShape, p: Point): string | null {
  const city = shape.cities.find((c) => isInside(c.polygon, p));
  if (city) return city.name;
  if (shape.monastery && distance(p, shape.monastery) < MONASTERY_RADIUS) return "monastery";
  if (shape.village && distance(p, shape.village) < VILLAGE_RADIUS) return null;
  if (shape.more?.garden && distance(p, shape.more.garden) < GARDEN_RADIUS) return "garden";
  // Where two roads cross on a bridge, the later one is above.
  const road = shape.roads.findLast((r) => distanceToLine(p, r.line) < ROAD_HALF);
  if (road) return road.name;
  if (shape.more?.isWater(p)) return null;
  const underWall = shape.cities.some((c) => c.walls.some((w) => distanceToLine(p, w.line) < WALL_HALF));
  return underWall ? null : UNCLAIMED;
}

function flood({ labels }: LabelGrid): Set<number>[] {
  const meadows: Set<number>[] = [];
  for (let start = 0; start < labels.length; start++) {
    if (labels[start] !== UNCLAIMED) continue;
    const meadow = new Set<number>();
    const waiting = [start];
    labels[start] = null;
    for (let square = waiting.pop(); square !== undefined; square = waiting.pop()) {
      meadow.add(square);
      for (const next of neighbours(square)) {
        if (labels[next] !== UNCLAIMED) continue;
        labels[next] = null;
        waiting.push(next);
      }
    }
    if (meadow.size >= SLIVER) meadows.push(meadow);
  }
  return meadows;
}

export function neighbours(square: number): number[] {
  const [x, y] = [square % SIZE, Math.floor(square / SIZE)];
  const next: number[] = [];
  if (x > 0) next.push(square - 1);
  if (x < SIZE - 1) next.push(square + 1);
  if (y > 0) next.push(square - SIZE);
  if (y < SIZE - 1) next.push(square + SIZE);
  return next;
}

function indexAt([x, y]: Point): number {
  return Math.floor(y) * SIZE + Math.floor(x);
}
