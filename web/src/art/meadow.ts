// Open land: grass in lighter and darker pools, furrowed plots with hedges, trees, sheep, flowers.
import { CROPS, FLOWERS, LAND } from "./palette";
import { type Point, type Rotation, at, distance, distanceToLine, isInside, mix, short, turn } from "./points";
import type { Prop } from "./props";
import { type Random, pick } from "./random";
import { MONASTERY_RADIUS, ROAD_HALF, type TileShape, VILLAGE_RADIUS } from "./shape";

interface Plot {
  centre: Point;
  width: number;
}

export function drawMeadow(shape: TileShape, rotation: Rotation, random: Random, props: Prop[]): string {
  const turned = (p: Point) => turn(p, rotation);
  const plots: Plot[] = [];
  let drawing = `<path d="M0 0h100v100H0z" fill="${LAND.grass}"/>`;
  for (let i = 0; i < 5; i++) {
    const radius = 17 + random() * 14;
    const within = () => radius + random() * (100 - 2 * radius);
    const [x, y] = turned([within(), within()]);
    const pool = i % 2 ? "dark" : "light";
    drawing += `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" fill="url(#${pool})"/>`;
  }
  drawing += drawPlots(shape, turned, random, plots, props);
  drawing += drawTufts(shape, turned, random, plots);
  plantTrees(shape, random, plots, props);
  grazeSheep(shape, random, plots, props);
  return drawing;
}

/** Whether a point of the meadow is clear of all that is built, by a margin. */
function isFree(shape: TileShape, p: Point, margin: number, fromWalls = margin): boolean {
  const { cities, roads, monastery, village, more } = shape;
  return !(
    more?.takes(p, margin) ||
    cities.some((c) => isInside(c.polygon, p) || c.walls.some((w) => distanceToLine(p, w.line) < fromWalls)) ||
    roads.some((road) => distanceToLine(p, road.line) < ROAD_HALF + margin) ||
    (monastery && distance(p, monastery) < MONASTERY_RADIUS + 2 + margin) ||
    (village && distance(p, village) < VILLAGE_RADIUS + margin)
  );
}

const isOffPlots = (plots: readonly Plot[], p: Point) =>
  plots.every((plot) => distance(plot.centre, p) > plot.width * 0.62);

type Turned = (p: Point) => Point;

/** Up to three plots, each kept whole within one meadow. */
function drawPlots(shape: TileShape, turned: Turned, random: Random, plots: Plot[], props: Prop[]): string {
  let drawing = "";
  for (let tries = 0; tries < 90 && plots.length < 3; tries++) {
    const [width, height] = [17 + random() * 16, 12 + random() * 11];
    const angle = (random() - 0.5) * 0.5 + (random() < 0.5 ? 0 : Math.PI / 2);
    const centre: Point = [random() * 100, random() * 100];
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const corner = (u: number, v: number): Point => [
      centre[0] + ((u * width) / 2) * cos - ((v * height) / 2) * sin,
      centre[1] + ((u * width) / 2) * sin + ((v * height) / 2) * cos,
    ];
    const quad = [corner(-1, -0.9 - random() * 0.2), corner(1, -1), corner(0.94, 1), corner(-1, 0.9 + random() * 0.2)];
    const border = [...quad, centre, corner(0, -1), corner(0, 1), corner(-1, 0), corner(1, 0)];
    const whole = border.every((p) => p[0] > 5 && p[1] > 5 && p[0] < 95 && p[1] < 95 && isFree(shape, p, 2.5, 7));
    const apart = plots.every((plot) => distance(plot.centre, centre) > (width + plot.width) / 2 + 3);
    if (!whole || !apart) continue;
    plots.push({ centre, width });
    drawing += drawPlot(quad, height, turned, random, props);
  }
  return drawing;
}

function drawPlot(quad: Point[], height: number, turned: Turned, random: Random, props: Prop[]): string {
  const [a, b, c, d] = quad as [Point, Point, Point, Point];
  const [ground, furrow] = pick(random, CROPS);
  const orchard = random() < 0.22;
  const rows = Math.round(height / (orchard ? 4.6 : 2.3));
  let furrows = "";
  for (let i = 1; i < rows; i++) {
    const [from, to] = [mix(a, d, i / rows), mix(b, c, i / rows)];
    if (!orchard) furrows += `M${at(turned(from))}L${at(turned(to))}`;
    else for (let k = 0; k < 4; k++) props.push({ symbol: "fruit", at: mix(from, to, 0.12 + k * 0.25), scale: 0.85 });
  }
  const hedge = random() < 0.5 ? [a, b] : [d, c];
  if (!orchard && random() < 0.7) {
    for (let i = 0; i <= 5; i++) {
      if (random() < 0.15) continue;
      const along = mix(hedge[0]!, hedge[1]!, i / 5 + (random() - 0.5) * 0.05);
      props.push({ symbol: "bush", at: along, scale: 0.8 + random() * 0.35 });
    }
  }
  if (!orchard && ground === CROPS[0]![0]) {
    props.push({ symbol: "stack", at: mix(mix(a, c, 0.35), mix(b, d, 0.3), random()), scale: 0.85 });
  }
  const path = `M${quad.map((p) => at(turned(p))).join("L")}Z`;
  const style = `fill="${ground}" stroke="${ground}" stroke-width="3" stroke-linejoin="round"`;
  return `<path d="${path}" ${style} opacity="${orchard ? 0.35 : 0.62}"/><path d="${furrows}" stroke="${furrow}" stroke-opacity=".62" stroke-width=".8" stroke-linecap="round"/>`;
}

function drawTufts(shape: TileShape, turned: Turned, random: Random, plots: Plot[]): string {
  let [tufts, flowers, grown] = ["", "", 0];
  for (let tries = 0; tries < 90 && grown < 16; tries++) {
    const p: Point = [3 + random() * 94, 4 + random() * 92];
    if (!isFree(shape, p, 2, 4.5) || !isOffPlots(plots, p)) continue;
    const [x, y] = turned(p);
    grown += 1;
    if (grown < 10) tufts += `M${at([x, y])}l-.9-1.6m.9 1.6v-2.1m0 2.1l.9-1.6`;
    else flowers += `<circle cx="${short(x)}" cy="${short(y)}" r=".7" fill="${pick(random, FLOWERS)}"/>`;
  }
  return `<path d="${tufts}" stroke="${LAND.tuft}" stroke-width=".55" fill="none" stroke-linecap="round"/>${flowers}`;
}

/** Groves of a few trees; their crowns keep off the tile's border, roads and walls. */
function plantTrees(shape: TileShape, random: Random, plots: Plot[], props: Prop[]): void {
  const fits = (p: Point, margin: number) =>
    p[0] > 6 && p[0] < 94 && p[1] > 9 && p[1] < 94 && isFree(shape, p, margin, margin + 5.5) && isOffPlots(plots, p);
  for (let tries = 0, groves = 0; tries < 60 && groves < 4; tries++) {
    const p: Point = [8 + random() * 84, 11 + random() * 80];
    if (!fits(p, 3.4)) continue;
    groves += 1;
    const symbol = random() < 0.26 ? "cypress" : "oak";
    const trees = 1 + Math.floor(random() * 3.4);
    for (let i = 0; i < trees; i++) {
      const q: Point = i === 0 ? p : [p[0] + (random() - 0.5) * 11, p[1] + (random() - 0.5) * 9];
      if (fits(q, 3)) props.push({ symbol, at: q, scale: 0.8 + random() * 0.4 });
    }
  }
}

function grazeSheep(shape: TileShape, random: Random, plots: Plot[], props: Prop[]): void {
  if (random() < 0.5) return;
  for (let tries = 0; tries < 40; tries++) {
    const p: Point = [14 + random() * 72, 14 + random() * 72];
    const alone = props.every((prop) => distance(prop.at, p) > 9);
    if (!alone || !isFree(shape, p, 5, 10) || !isOffPlots(plots, p)) continue;
    const flock = 2 + Math.floor(random() * 2);
    for (let i = 0; i < flock; i++) {
      const q: Point = [p[0] + i * 3.6 - 3, p[1] + (random() - 0.5) * 5];
      if (isFree(shape, q, 2.5, 6)) props.push({ symbol: "sheep", at: q, scale: 0.9 });
    }
    return;
  }
}
