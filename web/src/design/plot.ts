// The arithmetic of plots: scales, round marks, lines.

/** One line of a plot. */
export interface Series {
  label: string;
  /** x and y of each point, x growing. */
  points: readonly (readonly [number, number])[];
  /** A colour of the tokens, such as `--wine`. */
  colour: string;
  dashed?: boolean;
  filled?: boolean;
}

export interface Scale {
  (value: number): number;
}

export function scale(from: readonly [number, number], to: readonly [number, number]): Scale {
  const span = from[1] - from[0] || 1;
  return (value) => to[0] + ((value - from[0]) / span) * (to[1] - to[0]);
}

/** Round values from below the least to above the most, about `count` of them. */
export function ticks(least: number, most: number, count = 5): number[] {
  const span = most - least || Math.abs(most) || 1;
  const rough = span / Math.max(1, count - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? 10 * power;
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)];
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

export function line(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}
