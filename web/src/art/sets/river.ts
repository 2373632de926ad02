// The river of a tile: where it flows, and where roads go over it.
import { CENTRE, type Cubic, type Point, distance, distanceToLine, flatten, mix } from "../points";
import { MIDDLES } from "../shape";
import { type PrintedTile, SIDES } from "../table";

/** Half the width of the water with its banks. */
export const RIVER_HALF = 8.5;

export interface River {
  curves: Cubic[];
  line: Point[];
  /** Where it springs, or the lake it ends in. */
  pond: { at: Point; radius: number } | null;
  covers(p: Point, margin: number): boolean;
}

const LAKE = "RI/I.e";

export function riverOf(tile: PrintedTile, kind: string): River | null {
  const sides = SIDES.filter((_, i) => tile.edges[i] === "W");
  if (sides.length === 0) return null;
  const beside = tile.segments.some(({ terrain }) => terrain === "monastery");
  const [from, to] = sides.map((side) => MIDDLES[side]!) as [Point, Point?];
  const pond = to ? null : { at: mix(from, CENTRE, 1.08), radius: kind === LAKE ? 24 : 12 };
  const curves = to ? through(from, to, beside) : [ending(from, pond!.at)];
  const line = curves.flatMap((curve) => flatten(curve));
  const covers = (p: Point, margin: number) =>
    distanceToLine(p, line) < RIVER_HALF + margin || (pond !== null && distance(p, pond.at) < pond.radius + margin);
  return { curves, line, pond, covers };
}

function ending(from: Point, end: Point): Cubic {
  const [dx, dy] = [from[0] - end[0], from[1] - end[1]];
  const [x, y] = mix(from, end, 0.6);
  return [from, mix(from, end, 0.4), [x - dy * 0.08, y + dx * 0.08], end];
}

/** From edge to edge: a bend, or a bow that makes room for a monastery; at the edges it runs straight out. */
function through(a: Point, b: Point, beside: boolean): Cubic[] {
  if (a[0] !== b[0] && a[1] !== b[1]) return [[a, mix(a, CENTRE, 0.75), mix(b, CENTRE, 0.75), b]];
  const bow = beside ? 17 : 3.5;
  const aside = (p: Point): Point => [p[0] + ((b[1] - a[1]) / 100) * bow, p[1] + (Math.abs(b[0] - a[0]) / 100) * bow];
  return [
    [a, mix(a, b, 0.2), aside(mix(a, b, 0.3)), aside(CENTRE)],
    [aside(CENTRE), aside(mix(a, b, 0.7)), mix(a, b, 0.8), b],
  ];
}

/** Where a road goes over water or another road. */
export interface Bridge {
  at: Point;
  /** The direction of the road, of length 1. */
  along: Point;
  /** Half of its length. */
  half: number;
}

export function bridgeOver(road: readonly Point[], under: readonly Point[], half: number): Bridge[] {
  for (let i = 1; i < road.length; i++) {
    const [a, b] = [road[i - 1]!, road[i]!];
    const at = mix(a, b, 0.5);
    const length = distance(a, b);
    if (length > 0 && distanceToLine(at, under) < 1.6)
      return [{ at, along: [(b[0] - a[0]) / length, (b[1] - a[1]) / length], half }];
  }
  return [];
}
