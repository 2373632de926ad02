// The outline of each segment as path data: what highlights and the field overlay are drawn with.
//
// `fill` is the whole area; `edge` leaves out what lies on the tile's border, so that the outline
// of a feature over many tiles shows no seams.
import { type Outline, cityOutline } from "./city_outline";
import { type LabelGrid, labelGrid } from "./grid";
import { SIZE, type Point, type Rotation, at, linePath, turn } from "./points";
import { GARDEN_RADIUS, MONASTERY_RADIUS, tileShape } from "./shape";

const outlines = new Map<string, Outline>();

/** The outline of a segment on a turned tile, in the tile's 100 × 100 units. */
export function outline(kind: string, segment: string, rotation: Rotation): Outline {
  const key = `${kind} ${segment} ${rotation}`;
  let found = outlines.get(key);
  if (!found) outlines.set(key, (found = makeOutline(kind, segment, rotation)));
  return found;
}

function makeOutline(kind: string, segment: string, rotation: Rotation): Outline {
  const shape = tileShape(kind);
  const city = shape.cities.find((c) => c.name === segment);
  if (city) return cityOutline(city, rotation);
  const ground = segment === "monastery" ? shape.monastery : segment === "garden" ? shape.more?.garden : null;
  if (ground) {
    const [x, y] = turn(ground, rotation);
    const r = (segment === "monastery" ? MONASTERY_RADIUS : GARDEN_RADIUS) + 1;
    const circle = `M${at([x - r, y])}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    return { fill: circle, edge: circle };
  }
  const loops = trace(labelGrid(kind), segment);
  const turned = (line: readonly Point[]) => line.map((p) => turn(p, rotation));
  let [fill, edge] = ["", ""];
  for (const loop of loops) {
    const { whole, inner } = smooth(loop);
    fill += linePath(turned(whole), true);
    for (const chain of inner) edge += linePath(turned(chain), false);
  }
  return { fill, edge };
}

/** The closed lines around a label's squares, with the squares on the right hand. */
function trace({ labels }: LabelGrid, segment: string): Point[][] {
  const is = (x: number, y: number) => x >= 0 && y >= 0 && x < SIZE && y < SIZE && labels[y * SIZE + x] === segment;
  // Each side between a square of ours and another one is a step from a corner to the next.
  const steps = new Map<string, Point[]>();
  const add = (from: Point, to: Point) => {
    const key = from.join();
    steps.set(key, [...(steps.get(key) ?? []), to]);
  };
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      if (!is(x, y)) continue;
      if (!is(x, y - 1)) add([x, y], [x + 1, y]);
      if (!is(x + 1, y)) add([x + 1, y], [x + 1, y + 1]);
      if (!is(x, y + 1)) add([x + 1, y + 1], [x, y + 1]);
      if (!is(x - 1, y)) add([x, y + 1], [x, y]);
    }
  }
  const loops: Point[][] = [];
  for (let key = firstKey(steps); key !== null; key = firstKey(steps)) {
    const loop: Point[] = [];
    for (let here: string | null = key; here !== null && steps.has(here);) {
      const [x, y] = here.split(",").map(Number) as [number, number];
      const ways: Point[] = steps.get(here)!;
      const next: Point = ways.pop()!;
      if (ways.length === 0) steps.delete(here);
      loop.push([x, y]);
      here = next.join();
    }
    loops.push(loop);
  }
  return loops;
}

function firstKey(steps: Map<string, unknown>): string | null {
  return steps.keys().next().value ?? null;
}

const onBorder = ([x, y]: Point) => x === 0 || y === 0 || x === SIZE || y === SIZE;

/** Takes the stairs out of a traced loop; points on the tile's border stay where they are. */
function smooth(loop: Point[]): { whole: Point[]; inner: Point[][] } {
  const start = loop.findIndex(onBorder);
  if (start < 0) {
    const whole = thin(averaged([...loop, ...loop, ...loop]).slice(loop.length, 2 * loop.length));
    return { whole, inner: [[...whole, whole[0]!]] };
  }
  const turned = [...loop.slice(start), ...loop.slice(0, start), loop[start]!];
  const [whole, inner]: [Point[], Point[][]] = [[], []];
  for (let i = 0; i < turned.length;) {
    if (onBorder(turned[i]!)) {
      whole.push(turned[i++]!);
      continue;
    }
    let end = i;
    while (!onBorder(turned[end]!)) end++;
    const chain = thin(averaged(turned.slice(i - 1, end + 1)));
    whole.push(...chain.slice(1, -1));
    inner.push(chain);
    i = end;
  }
  return { whole: thin(whole), inner };
}

function averaged(line: readonly Point[]): Point[] {
  const reach = 4;
  return line.map((_, i) => {
    const near = Math.min(reach, i, line.length - 1 - i);
    let [x, y] = [0, 0];
    for (let k = i - near; k <= i + near; k++) {
      x += line[k]![0];
      y += line[k]![1];
    }
    return [x / (2 * near + 1), y / (2 * near + 1)];
  });
}

/** Leaves out the points that lie close to the line between others. */
function thin(line: readonly Point[]): Point[] {
  const tolerance = 0.18;
  const keep = new Set([0, line.length - 1]);
  const halve = (from: number, to: number) => {
    let [worst, farthest] = [tolerance, -1];
    const [[ax, ay], [bx, by]] = [line[from]!, line[to]!];
    const length = Math.hypot(bx - ax, by - ay);
    for (let i = from + 1; i < to; i++) {
      const [x, y] = line[i]!;
      const off =
        length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length;
      if (off > worst) [worst, farthest] = [off, i];
    }
    if (farthest < 0) return;
    keep.add(farthest);
    halve(from, farthest);
    halve(farthest, to);
  };
  halve(0, line.length - 1);
  return line.filter((_, i) => keep.has(i));
}
