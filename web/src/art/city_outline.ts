// The outline of a city as path data; its drawing needs it, other segments' outlines come later.
import { type Point, type Rotation, at, curvePath, turn, turnCubic } from "./points";
import type { CityShape } from "./shape";

/** `fill` is the whole area, `edge` its border without what lies on the tile's. */
export interface Outline {
  fill: string;
  edge: string;
}

export function cityOutline(city: CityShape, rotation: Rotation): Outline {
  const step = (part: CityShape["border"][number], i: number): string => {
    if (typeof part[0] === "number") return `${i === 0 ? "M" : "L"}${at(turn(part as Point, rotation))}`;
    const [, b, c, d] = part as readonly [Point, Point, Point, Point];
    return `C${[b, c, d].map((p) => at(turn(p, rotation))).join(" ")}`;
  };
  return {
    fill: `${city.border.map(step).join("")}Z`,
    edge: city.walls.map((wall) => curvePath(turnCubic(wall.curve, rotation))).join(""),
  };
}
