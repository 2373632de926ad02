// Points and curves on a tile: 100 × 100 units, x to the east, y to the south (as screens count).

export type Point = readonly [x: number, y: number];
export type Cubic = readonly [Point, Point, Point, Point];

/** Clockwise quarter turns. */
export type Rotation = 0 | 1 | 2 | 3;

export const SIZE = 100;
export const CENTRE: Point = [50, 50];
export const ROTATIONS: readonly Rotation[] = [0, 1, 2, 3];

/** Where a point of the printed tile lies when the tile is turned. */
export function turn([x, y]: Point, rotation: Rotation): Point {
  switch (rotation) {
    case 0:
      return [x, y];
    case 1:
      return [SIZE - y, x];
    case 2:
      return [SIZE - x, SIZE - y];
    case 3:
      return [y, SIZE - x];
  }
}

export function turnCubic([a, b, c, d]: Cubic, rotation: Rotation): Cubic {
  return [turn(a, rotation), turn(b, rotation), turn(c, rotation), turn(d, rotation)];
}

/** The point a part `t` of the way from `a` to `b`. */
export function mix(a: Point, b: Point, t: number): Point {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

export function cubicAt([a, b, c, d]: Cubic, t: number): Point {
  const s = 1 - t;
  const [wa, wb, wc, wd] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
  return [wa * a[0] + wb * b[0] + wc * c[0] + wd * d[0], wa * a[1] + wb * b[1] + wc * c[1] + wd * d[1]];
}

/** The curve as a line of `steps` pieces. */
export function flatten(curve: Cubic, steps = 24): Point[] {
  return Array.from({ length: steps + 1 }, (_, i) => cubicAt(curve, i / steps));
}

function distanceToPiece(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length;
  return distance(p, mix(a, b, Math.min(1, Math.max(0, along))));
}

export function distanceToLine(p: Point, line: readonly Point[]): number {
  let nearest = Infinity;
  for (let i = 1; i < line.length; i++) {
    nearest = Math.min(nearest, distanceToPiece(p, line[i - 1]!, line[i]!));
  }
  return nearest;
}

/** Whether a point lies inside a polygon (even-odd). */
export function isInside(polygon: readonly Point[], [x, y]: Point): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i]!;
    const [xj, yj] = polygon[j]!;
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

export function areaOf(polygon: readonly Point[]): number {
  const twice = polygon.reduce((sum, [x, y], i) => {
    const [nx, ny] = polygon[(i + 1) % polygon.length]!;
    return sum + x * ny - nx * y;
  }, 0);
  return Math.abs(twice) / 2;
}

/** A number as path data: one digit, no idle zero. */
export function short(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return String(rounded === 0 ? 0 : rounded);
}

export function at([x, y]: Point): string {
  return `${short(x)} ${short(y)}`;
}

/** A curve as path data. */
export function curvePath([a, b, c, d]: Cubic): string {
  return `M${at(a)}C${at(b)} ${at(c)} ${at(d)}`;
}

export function linePath(line: readonly Point[], closed: boolean): string {
  return line.length === 0 ? "" : `M${line.map(at).join("L")}${closed ? "Z" : ""}`;
}
