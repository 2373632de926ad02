// What lies where on a printed tile: cities with their walls, roads, the village, the monastery.
//
// One rule draws every city: walk the four edges; an edge of the city is straight, and each run
// of other edges becomes one curve towards the centre. So a new kind needs a row in the table of
// tiles and nothing here.
import { CENTRE, type Cubic, type Point, type Rotation, areaOf, cubicAt, flatten, mix } from "./points";
import { type Random, randomFrom } from "./random";
import { type PrintedSegment, type PrintedTile, SIDES, printedTile } from "./table";

/** A wall bends around `run` edges that are not of the city. */
export interface Wall {
  curve: Cubic;
  line: Point[];
  run: number;
  /** The first of these edges. */
  first: number;
  /** Where a road goes through it. */
  gate: Point | null;
}

export interface CityShape {
  name: string;
  sides: string;
  pennants: number;
  /** The border in order: straight steps along edges, curves along walls. */
  border: (Point | Cubic)[];
  polygon: Point[];
  area: number;
  walls: Wall[];
  /** Where something else is shown in it than pennants: houses keep off. */
  signs?: Point[];
  /** Where a cathedral stands: the ground that it takes from the houses. */
  yard?: Point[];
}

export interface RoadShape {
  name: string;
  /** One curve after another. */
  curves: Cubic[];
  line: Point[];
}

export interface TileShape {
  kind: string;
  cities: CityShape[];
  roads: RoadShape[];
  monastery: Point | null;
  /** Where three roads or more end. */
  village: Point | null;
  /** What only tiles of sets have. */
  more?: MoreShape;
}

/** River, bridges, gardens, inns, cathedrals, goods: drawn by what comes with the sets. */
export interface MoreShape {
  garden: Point | null;
  /** Whether a point lies in water, in a garden or by an inn, or nearer than a margin. */
  takes(p: Point, margin: number): boolean;
  isWater(p: Point): boolean;
  /** What lies in fields: figures stand beside it. */
  inFields: Point[];
  /** Drawn under roads, over them, on the ground, over all that stands. */
  ground(rotation: Rotation): string;
  ways(rotation: Rotation): string;
  buildings(rotation: Rotation): string;
  signs(rotation: Rotation): string;
}

/** Half the width of a road, and how far the ground of village and monastery reaches. */
export const ROAD_HALF = 4.9;
export const VILLAGE_RADIUS = 12;
export const MONASTERY_RADIUS = 20;
export const GARDEN_RADIUS = 11;
/** Half the width of a wall. */
export const WALL_HALF = 2.6;

export const CORNERS: readonly Point[] = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
];
export const MIDDLES: Record<string, Point> = { N: [50, 0], E: [100, 50], S: [50, 100], W: [0, 50] };

const shapes = new Map<string, TileShape>();

/** Who makes the shapes of kinds that are not of the base game. */
let makeOther = makeShape;
export const shapeOthers = (make: typeof makeShape): unknown => (makeOther = make);

export function tileShape(kind: string): TileShape {
  let shape = shapes.get(kind);
  if (!shape) shapes.set(kind, (shape = (kind[1] ? makeOther : makeShape)(kind, printedTile(kind))));
  return shape;
}

export function makeShape(kind: string, tile: PrintedTile): TileShape {
  const random = randomFrom(`${kind} ways`);
  const of = (terrain: string) => tile.segments.filter((segment) => segment.terrain === terrain);
  const [citySegments, roadSegments] = [of("city"), of("road")];
  const monastery = of("monastery").length > 0 ? CENTRE : null;
  const deadEnds = roadSegments.filter((road) => road.sides?.length === 1);
  const village = deadEnds.length >= 3 ? CENTRE : null;

  const crowded = citySegments.length > 1 && citySegments.some((a) => touchesAny(a, citySegments));
  const cities = citySegments.map((city) =>
    cityShape(city, (side, run) => wallCurve(side, run, crowded, roadSegments.length > 0)),
  );
  const target = (side: string) => (village || monastery ? CENTRE : (gateFor(side, cities) ?? CENTRE));
  const roads = roadSegments.map((road) => {
    const sides = road.sides ?? "";
    const curves = sides.length === 2 ? through(sides, random) : [inward(sides, target(sides))];
    return { name: road.name, curves, line: curves.flatMap((curve) => flatten(curve)) };
  });
  return { kind, cities, roads, monastery, village };
}

/** Whether the city has an edge next to an edge of another one: both must then keep flat. */
export function touchesAny(city: PrintedSegment, all: readonly PrintedSegment[]): boolean {
  const beside = (a: string, b: string) =>
    (SIDES.findIndex((s) => s === a) - SIDES.findIndex((s) => s === b) + 4) % 2 === 1;
  return all.some(
    (other) => other !== city && [...city.sides!].some((a) => [...other.sides!].some((b) => beside(a, b))),
  );
}

export function cityShape(
  segment: PrintedSegment,
  curveOf: (side: number, run: number) => Cubic,
  /** Whether the city reaches the corner after a side though no side of it ends there. */
  reaches: (side: number) => boolean = () => false,
): CityShape {
  const own = SIDES.map((side) => (segment.sides ?? "").includes(side));
  const common = { name: segment.name, sides: segment.sides ?? "", pennants: segment.pennants ?? 0 };
  if (own.every(Boolean)) {
    return { ...common, border: [...CORNERS], polygon: [...CORNERS], area: 100 * 100, walls: [] };
  }
  const first = own.findIndex((is, i) => is && !own[(i + 3) % 4]);
  const border: (Point | Cubic)[] = [CORNERS[first]!];
  const polygon: Point[] = [CORNERS[first]!];
  const walls: Wall[] = [];
  for (let walked = 0; walked < 4;) {
    const side = (first + walked) % 4;
    if (own[side]) {
      border.push(CORNERS[(side + 1) % 4]!);
      polygon.push(CORNERS[(side + 1) % 4]!);
      walked += 1;
      continue;
    }
    let run = 1;
    while (walked + run < 4 && !own[(side + run) % 4] && !reaches((side + run + 3) % 4)) run += 1;
    const curve = curveOf(side, run);
    walls.push({ curve, line: flatten(curve), run, first: side, gate: null });
    border.push(curve);
    polygon.push(...flatten(curve, 20).slice(1));
    walked += run;
  }
  return { ...common, border, polygon, area: areaOf(polygon), walls };
}

/** The wall around the edges `side … side + run - 1`, from corner to corner. */
function wallCurve(side: number, run: number, crowded: boolean, withRoad: boolean): Cubic {
  const [a, b] = [CORNERS[side]!, CORNERS[(side + run) % 4]!];
  if (run === 2) {
    // A corner city bulges towards the corner between, where no road needs the room.
    const outer = CORNERS[(side + 1) % 4]!;
    const bulge = (p: Point) => mix(mix(p, CENTRE, 0.62), outer, withRoad ? 0.03 : 0.2);
    return [a, bulge(a), bulge(b), b];
  }
  const depth = run === 1 ? 0.53 : crowded ? 0.58 : 0.72;
  return [a, mix(a, CENTRE, depth), mix(b, CENTRE, depth), b];
}

/** The middle of the wall that a road from this side runs into; marks it as a gate. */
function gateFor(side: string, cities: CityShape[]): Point | null {
  for (const wall of cities.flatMap((city) => city.walls)) {
    const middle = cubicAt(wall.curve, 0.5);
    const ahead = MIDDLES[side]!;
    const straight = Math.abs(middle[0] - ahead[0]) < 2 || Math.abs(middle[1] - ahead[1]) < 2;
    if (wall.run === 1 && straight) return (wall.gate = middle);
  }
  return null;
}

/** A road from edge to edge: a bend, or a slight bow; at the edges it always runs straight out. */
export function through(sides: string, random: Random): Cubic[] {
  const [a, b] = [MIDDLES[sides[0]!]!, MIDDLES[sides[1]!]!];
  const straight = a[0] + b[0] === 100 && a[1] + b[1] === 100;
  if (!straight) return [[a, mix(a, CENTRE, 0.75), mix(b, CENTRE, 0.75), b]];
  const bow = (random() < 0.5 ? -1 : 1) * (3 + random() * 1.5);
  const aside = (p: Point): Point => [p[0] + ((b[1] - a[1]) / 100) * bow, p[1] + ((b[0] - a[0]) / 100) * bow];
  const [before, middle, after] = [mix(a, b, 0.3), CENTRE, mix(a, b, 0.7)];
  return [
    [a, mix(a, b, 0.2), aside(before), aside(middle)],
    [aside(middle), aside(after), mix(a, b, 0.8), b],
  ];
}

function inward(side: string, target: Point): Cubic {
  const a = MIDDLES[side]!;
  const end = mix(a, target, target === CENTRE ? 0.84 : 1);
  return [a, mix(a, end, 0.33), mix(a, end, 0.67), end];
}
