// Cities: paving, lanes, houses, walls with towers, gates, pennants.
import { LAND, ROOFS } from "./palette";
import {
  CENTRE,
  type Point,
  type Rotation,
  at,
  cubicAt,
  curvePath,
  distance,
  distanceToLine,
  isInside,
  mix,
  short,
  turn,
  turnCubic,
} from "./points";
import { cityOutline } from "./city_outline";
import type { Prop } from "./props";
import { type Random, pick } from "./random";
import { type CityShape, MIDDLES as EDGE_MIDDLES, type TileShape } from "./shape";

/** A city with more ground than this has a church. */
const CHURCH_AREA = 4500;

export function drawCity(shape: TileShape, city: CityShape, rotation: Rotation, random: Random, props: Prop[]): string {
  const { fill } = cityOutline(city, rotation);
  const lanes = lanesOf(city);
  let drawing = `<path d="${fill}" fill="${LAND.paving}"/>`;
  drawing += drawPaving(city, rotation, random);
  const lanePath = lanes.map((lane) => `M${lane.map((p) => at(turn(p, rotation))).join("L")}`).join("");
  drawing += `<path d="${lanePath}" stroke="${LAND.lane}" stroke-width="5.4" stroke-opacity=".75" fill="none" stroke-linecap="round" stroke-linejoin="round"/>`;
  const pennants = [...pennantPoints(city), ...(city.signs ?? [])];
  buildHouses(city, lanes, pennants, random, props);
  drawing += drawWalls(shape, city, rotation, props);
  return drawing;
}

/** Lanes lead from the middle of each edge of the city to its heart, and to its gates. */
function lanesOf(city: CityShape): Point[][] {
  const heart = heartOf(city);
  const ends = [...city.sides].map((side) => EDGE_MIDDLES[side]!);
  const gates = city.walls.flatMap((wall) => (wall.gate ? [wall.gate] : []));
  return [...ends, ...gates].map((end) => [end, heart]);
}

function heartOf(city: CityShape): Point {
  const { sides } = city;
  if (sides.length === 1) return mix(EDGE_MIDDLES[sides]!, CENTRE, 0.22);
  const middle = [...sides].map((side) => EDGE_MIDDLES[side]!);
  const sum = middle.reduce<Point>((s, p) => [s[0] + p[0], s[1] + p[1]], [0, 0]);
  return [sum[0] / middle.length, sum[1] / middle.length];
}

function drawPaving(city: CityShape, rotation: Rotation, random: Random): string {
  const inside = (margin: number): Point | null => {
    const p: Point = [random() * 100, random() * 100];
    const clear = city.walls.every((wall) => distanceToLine(p, wall.line) > margin);
    return isInside(city.polygon, p) && clear ? turn(p, rotation) : null;
  };
  let drawing = "";
  for (let tries = 0, pools = 0; tries < 50 && pools < city.area / 900; tries++) {
    const p = inside(10);
    if (!p || p[0] < 12 || p[1] < 12 || p[0] > 88 || p[1] > 88) continue;
    pools += 1;
    drawing +=
      pools % 2
        ? `<circle cx="${short(p[0])}" cy="${short(p[1])}" r="${short(8 + random() * 4)}" fill="url(#paving)"/>`
        : `<ellipse cx="${short(p[0])}" cy="${short(p[1])}" rx="${short(6 + random() * 4)}" ry="${short(4 + random() * 3)}" fill="${LAND.pavingDark}" opacity=".45"/>`;
  }
  let cobbles = "";
  for (let tries = 0, laid = 0; tries < 160 && laid < city.area / 130; tries++) {
    const p = inside(4);
    if (!p) continue;
    laid += 1;
    cobbles += `M${at(p)}h1.2`;
  }
  return `${drawing}<path d="${cobbles}" stroke="${LAND.cobble}" stroke-width=".7" stroke-opacity=".6" stroke-linecap="round"/>`;
}

/** Where the pennants of a city hang: clear of its heart, where a knight stands. */
export function pennantPoints(city: CityShape): Point[] {
  const spots: Record<string, Point> = { NESW: [24, 27], NEW: [79, 24], EW: [21, 52], NW: [22, 24] };
  const first = spots[city.sides] ?? mix(EDGE_MIDDLES[city.sides[0]!]!, heartOf(city), 0.5);
  return Array.from({ length: city.pennants }, (_, i) => [first[0] + 15 * i, first[1]]);
}

function buildHouses(city: CityShape, lanes: Point[][], pennants: Point[], random: Random, props: Prop[]): void {
  const built: Point[] = [...(city.yard ?? [])];
  const fits = (p: Point, fromWalls: number, apart: number) =>
    isInside(city.polygon, p) &&
    p[0] > 5.5 &&
    p[1] > 7 &&
    p[0] < 94.5 &&
    p[1] < 95.5 &&
    city.walls.every((wall) => distanceToLine(p, wall.line) > fromWalls) &&
    lanes.every((lane) => distanceToLine(p, lane) > 6.2) &&
    pennants.every((q) => Math.hypot(p[0] - q[0], (p[1] - q[1]) * 0.9) > 13) &&
    built.every((q) => Math.hypot(p[0] - q[0], (p[1] - q[1]) * 1.15) > apart);
  if (city.area > CHURCH_AREA && !city.yard) {
    for (let tries = 0; tries < 200; tries++) {
      const p: Point = [22 + random() * 56, 26 + random() * 50];
      if (!fits(p, 15, 10) || distance(p, CENTRE) < 20 || pennants.some((q) => distance(p, q) < 28)) continue;
      props.push({ symbol: "church", at: p, scale: 1 });
      // The church keeps its yard: its neighbours stand as around three houses.
      built.push(p, [p[0] - 5, p[1] - 3], [p[0] + 5, p[1] - 3], [p[0], p[1] - 9]);
      break;
    }
  }
  const most = Math.round(city.area / 150);
  for (let tries = 0, houses = 0; tries < 2600 && houses < most; tries++) {
    const p: Point = [random() * 100, random() * 100];
    if (!fits(p, 8, 11.6)) continue;
    built.push(p);
    houses += 1;
    const roof = Math.floor(random() * ROOFS.length);
    const green = random() < 0.1 && city.area > 2500;
    const symbol = green ? pick(random, ["oak", "oak", "cypress"]) : `${random() < 0.62 ? "long" : "gable"}${roof}`;
    props.push({ symbol, at: [p[0], p[1] + 3], scale: green ? 0.8 : 1.06 + random() * 0.2 });
  }
}

/** A wall has a shadow, a face, a walk and merlons; the light on it never turns. */
function drawWalls(shape: TileShape, city: CityShape, rotation: Rotation, props: Prop[]): string {
  let [shadows, walls] = ["", ""];
  for (const wall of city.walls) {
    const curve = turnCubic(wall.curve, rotation);
    const lowered = (dx: number, dy: number) =>
      curvePath(curve.map(([x, y]) => [x + dx, y + dy] as Point) as unknown as typeof curve);
    const walk = curvePath(curve);
    shadows += `<path d="${lowered(1, 3)}" stroke="${LAND.shade}" stroke-opacity=".2" stroke-width="7"/>`;
    walls +=
      `<path d="${lowered(0, 2)}" stroke="${LAND.wallFace}" stroke-width="5"/>` +
      `<path d="${walk}" stroke="${LAND.wallEdge}" stroke-width="5.2"/>` +
      `<path d="${walk}" stroke="${LAND.wall}" stroke-width="4.2"/>` +
      `<path d="${walk}" stroke="${LAND.wallLight}" stroke-width="4.2" stroke-dasharray="1.7 1.4"/>`;
    const crowded = shape.cities.length > 1 && wall.run === 3;
    const towers = wall.run === 1 ? [0.5] : wall.run === 2 ? [0.3, 0.7] : crowded ? [0.5] : [0.26, 0.74];
    for (const t of wall.gate ? [] : towers) {
      props.push({ symbol: "tower", at: lower(cubicAt(wall.curve, t), rotation), scale: 0.88 });
    }
  }
  return `<g fill="none">${shadows}${walls}</g>`;
}

/** A point that lies a little lower once the tile is turned: the foot of what stands on a wall. */
function lower(p: Point, rotation: Rotation, by = 2.4): Point {
  const [x, y] = turn(p, rotation);
  return turn([x, y + by], ((4 - rotation) % 4) as Rotation);
}

/** A gatehouse: an arch seen from the front, or a passage seen from the side, between two towers. */
export function drawGate(gate: Point, rotation: Rotation, props: Prop[]): string {
  const [x, y] = turn(gate, rotation);
  const aside: Point = gate[0] === CENTRE[0] ? [7, 0] : [0, 7];
  for (const sign of [-1, 1]) {
    const foot: Point = [gate[0] + sign * aside[0], gate[1] + sign * aside[1]];
    props.push({ symbol: "tower", at: lower(foot, rotation, 3.4), scale: 1.02 });
  }
  const front = (aside[0] !== 0) === (rotation % 2 === 0);
  const place = `<g transform="translate(${at([x, y])})">`;
  return front
    ? `${place}<path d="M-5.4-5.4H5.4V3.6H-5.4z" fill="#d6c6a5"/><path d="M-5.4-5.4H5.4v2.1H-5.4z" fill="${LAND.wallLight}"/><path d="M-3 3.7V.2a3 3 0 0 1 6 0v3.5z" fill="#4f3c29"/></g>`
    : `${place}<path d="M-3.6-6.4h7.2V6.6h-7.2z" fill="#d6c6a5"/><path d="M-3.6-6.4h7.2v2h-7.2z" fill="${LAND.wallLight}"/><path d="M-3.6-2.6h7.2v6h-7.2z" fill="#4f3c29"/></g>`;
}

/** A pennant: a gold star on a blue shield. */
export function drawPennant(point: Point): string {
  return (
    `<g transform="translate(${at(point)}) scale(1.12)"><path d="M-6.4-7.4H8.2V1C8.2 7 4 10.2 1 11.6Z" fill="${LAND.shade}" opacity=".3"/>` +
    `<path d="M-7.2-8.2H7.2V0C7.2 5.8 3 9 0 10.4-3 9-7.2 5.8-7.2 0Z" fill="#fdf6e5"/>` +
    `<path d="M-5.8-6.8H5.8V0C5.8 4.8 2.4 7.4 0 8.7-2.4 7.4-5.8 4.8-5.8 0Z" fill="#2f4a88"/>` +
    `<path d="M-5.8-6.8H0V8.7C-2.4 7.4-5.8 4.8-5.8 0Z" fill="#3e5ea5"/>` +
    `<path d="M0-4.9L1.3-1.7 4.7-1.5 2.1.6 2.9 3.9 0 2.1-2.9 3.9-2.1.6-4.7-1.5-1.3-1.7Z" fill="#f3c94f"/></g>`
  );
}
