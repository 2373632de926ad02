// What lies where on the tiles of sets: as on those of the base game, with water, bridges, gardens and inns.
import { CENTRE, type Cubic, type Point, cubicAt, distance, flatten, mix } from "../points";
import { randomFrom } from "../random";
import {
  CORNERS,
  type CityShape,
  GARDEN_RADIUS,
  MIDDLES,
  type RoadShape,
  type TileShape,
  cityShape,
  makeShape,
  through,
  touchesAny,
} from "../shape";
import { type PrintedTile, SIDES } from "../table";
import { type Bridge, bridgeOver, riverOf } from "./river";
import { drawMore, goodPoint } from "./draw";

/** Where gardens lie, as printed: beside what the tile has, with room for a farmer. */
const GARDENS: Record<string, Point> = {
  "E-garden": [68, 64],
  "H-garden": [68, 50],
  "I-garden": [72, 66],
  "M-garden": [83, 68],
  "N-garden": [68, 83],
  "R-garden": [50, 86],
  "U-garden": [70, 24],
  "V-garden": [70, 32],
};

/** Where inns lie: near enough to be that road's and no other's. */
const INNS: Record<string, Point> = {
  "IC/RCc.i": [68, 84],
  "IC/RrC.i": [56, 70],
  "IC/CcRr+.i": [77, 78],
  "IC/RRR.i": [82, 37],
  "IC/RFr.i": [57, 34],
  "IC/Rr.i": [55, 64],
};

const INN_RADIUS = 9;
/** Half the length of a bridge over water, and of one over a road. */
const [OVER_WATER, OVER_ROAD] = [11.5, 8.9];

export function setShape(kind: string, tile: PrintedTile): TileShape {
  const shape = tile.set === "gardens" && kind !== "R-garden" ? makeShape(kind, tile) : builtShape(kind, tile);
  const river = riverOf(tile, kind);
  const garden = GARDENS[kind] ?? null;
  const inn = INNS[kind] ?? null;
  const under = river ? [{ line: river.line, half: OVER_WATER }] : [];
  const bridges = shape.roads.flatMap((road) => under.flatMap(({ line, half }) => bridgeOver(road.line, line, half)));
  const [lower, upper] = shape.roads;
  const crossing: Bridge[] = shape.roads.length === 2 && !river ? bridgeOver(upper!.line, lower!.line, OVER_ROAD) : [];
  for (const city of shape.cities) addSigns(city, tile);
  const near = (p: Point, at: Point | null, radius: number) => at !== null && distance(p, at) < radius;
  return {
    ...shape,
    more: {
      garden,
      takes: (p, margin) =>
        (river?.covers(p, margin) ?? false) ||
        near(p, garden, GARDEN_RADIUS + 1 + margin) ||
        near(p, inn, INN_RADIUS + margin),
      isWater: (p) => river?.covers(p, 0) ?? false,
      inFields: [garden, inn].filter((p) => p !== null),
      ...drawMore({ kind, tile, shape, river, garden, inn, bridges, crossing }),
    },
  };
}

function addSigns(city: CityShape, tile: PrintedTile): void {
  const segment = tile.segments.find(({ name }) => name === city.name)!;
  if (segment.good) city.signs = [goodPoint(city)];
  if (!segment.special) return;
  city.signs = [
    [40, 34],
    [60, 34],
    [50, 52],
    [38, 70],
    [62, 70],
  ];
  city.yard = [-16, -8, 0, 8, 16].flatMap((dx) => [-16, -6, 4, 14, 22].map((dy): Point => [50 + dx, 50 + dy]));
}

/** Cities beside others keep out of each other's way, roads end where the rules say that fields are parted. */
function builtShape(kind: string, tile: PrintedTile): TileShape {
  const of = (terrain: string) => tile.segments.filter((segment) => segment.terrain === terrain);
  const [citySegments, roadSegments, fields] = [of("city"), of("road"), of("field")];
  const hasRiver = tile.edges.includes("W");
  const monastery: Point | null = of("monastery").length === 0 ? null : hasRiver ? [50, 26] : CENTRE;
  const deadEnds = roadSegments.filter((road) => road.sides?.length === 1).length;
  const village = deadEnds >= 3 && !monastery ? CENTRE : null;
  const crowded = citySegments.length > 1 && citySegments.some((city) => touchesAny(city, citySegments));
  const waist = citySegments.length === 2 && citySegments.every(({ sides }) => sides?.length === 1) && deadEnds === 2;
  const tunnel = crowded && citySegments.some(({ sides }) => sides === "NS" || sides === "EW");
  const commonGate = deadEnds === 2 && fields.some((field) => !field.cities);
  // Two fields that meet at a corner and are not one are parted by a city that reaches it.
  const fieldAt = (half: string) => fields.findIndex((field) => field.halves?.some((own) => own === half));
  const reaches = (side: number) => {
    const [before, after] = [fieldAt(`${SIDES[side]}R`), fieldAt(`${SIDES[(side + 1) % 4]}L`)];
    return before >= 0 && after >= 0 && before !== after;
  };
  const ofAnother = (side: number, own: string) =>
    citySegments.some(({ sides }) => sides?.includes(SIDES[side % 4]!)) && !own.includes(SIDES[side % 4]!);

  const curveOf =
    (own: string) =>
    (side: number, run: number): Cubic => {
      const [a, b] = [CORNERS[side]!, CORNERS[(side + run) % 4]!];
      if (run === 2) {
        const [corner, by] = crowded
          ? [(side + 3) % 4, 0.2]
          : [(side + 1) % 4, roadSegments.length > 0 || hasRiver ? 0.03 : 0.2];
        const bulge = (p: Point) => mix(mix(p, CENTRE, 0.62), CORNERS[corner]!, by);
        return [a, bulge(a), bulge(b), b];
      }
      const depth = waist
        ? 4 / 3
        : run === 1
          ? crowded && ofAnother(side, own)
            ? 0.95
            : kind === "R-garden"
              ? 0.86
              : 0.53
          : crowded
            ? tunnel
              ? 0.42
              : 0.58
            : 0.72;
      return [a, mix(a, CENTRE, depth), mix(b, CENTRE, depth), b];
    };
  const cities = citySegments.map((city) => cityShape(city, curveOf(city.sides!), reaches));
  const random = randomFrom(`${kind} ways`);
  const roads = roadSegments.map((road): RoadShape => {
    const sides = road.sides!;
    const curves =
      sides.length === 2
        ? through(sides, random)
        : [inward(sides, waist ? CENTRE : endOf(sides, village ?? monastery, cities, commonGate))];
    return { name: road.name, curves, line: curves.flatMap((curve) => flatten(curve)) };
  });
  return { kind, cities, roads, monastery, village };
}

/** Where a road from a side ends: short of the village or monastery, or at the gate of a wall. */
function endOf(side: string, place: Point | null, cities: CityShape[], commonGate: boolean): Point {
  const from = MIDDLES[side]!;
  if (place) return mix(from, place, 0.84);
  const around = (wall: CityShape["walls"][number]) =>
    Array.from({ length: wall.run }, (_, i) => SIDES[(wall.first + i) % 4]!);
  const wall = cities.flatMap((city) => city.walls).find((each) => around(each).some((own) => own === side));
  if (!wall) return mix(from, CENTRE, 0.84);
  const place3 = around(wall).findIndex((own) => own === side) / Math.max(1, wall.run - 1);
  const spread = wall.run === 1 || commonGate ? 0 : wall.run === 2 ? 0.28 : 0.36;
  return (wall.gate = cubicAt(wall.curve, 0.5 + (place3 - 0.5) * spread));
}

function inward(side: string, end: Point): Cubic {
  const from = MIDDLES[side]!;
  // At the edge it runs straight out, where the next tile takes it up.
  return [from, mix(from, CENTRE, 0.36), mix(from, end, 0.67), end];
}
