// The arithmetic of a line plot.
import type { RatingPoint } from "../../wire/RatingPoint";

export interface Scale {
  x: (at: number) => number;
  y: (rating: number) => number;
}

/** A path through the points. */
export function lineOf(points: readonly RatingPoint[], { x, y }: Scale): string {
  return points.map((p, index) => `${index === 0 ? "M" : "L"}${round(x(p.at))} ${round(y(p.rating))}`).join("");
}

/** Round numbers from below the least to above the most, about so many of them. */
export function niceSteps(least: number, most: number, count: number): number[] {
  const rough = Math.max(10, (most - least) / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  const first = Math.floor((least - step / 4) / step) * step;
  const steps = [first];
  while (steps.at(-1)! < most + step / 4) steps.push(steps.at(-1)! + step);
  return steps;
}

/** Times spread evenly, the first and the last among them. */
export function timeSteps(from: number, to: number, count: number): number[] {
  if (to <= from) return [from];
  const most = Math.max(2, count);
  return Array.from({ length: most }, (_, index) => from + ((to - from) * index) / (most - 1));
}

const round = (value: number): number => Math.round(value * 10) / 10;
