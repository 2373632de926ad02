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

export type Scale = (value: number) => number;

/** Maps a span to another; a span of one value to its end. */
export function scale(from: readonly [number, number], to: readonly [number, number]): Scale {
  const span = from[1] - from[0];
  return (value) => (span === 0 ? to[1] : to[0] + ((value - from[0]) / span) * (to[1] - to[0]));
}

/** Round numbers from below the least to above the most, about `count` of them, at least `finest` apart. */
export function roundMarks(least: number, most: number, count: number, finest = 1): number[] {
  const rough = Math.max(finest, (most - least) / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 10 * power;
  const first = Math.floor((least - step / 4) / step);
  const last = Math.ceil((most + step / 4) / step);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Values spread evenly, the first and the last among them. */
export function evenMarks([from, to]: readonly [number, number], count: number): number[] {
  if (to <= from) return [from];
  const most = Math.max(2, count);
  return Array.from({ length: most }, (_, index) => from + ((to - from) * index) / (most - 1));
}

/** A path through the points. */
export function line(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
}

const round = (value: number): number => Math.round(value * 10) / 10;
