// Roads, the village where three of them meet, the monastery.
import { LAND } from "./palette";
import { type Point, type Rotation, at, curvePath, turnCubic } from "./points";
import { draw } from "./props";
import type { RoadShape } from "./shape";

/** Dust with two cart ruts and a trodden verge. */
export function drawRoads(roads: readonly RoadShape[], rotation: Rotation): string {
  if (roads.length === 0) return "";
  const path = roads.flatMap((road) => road.curves.map((curve) => curvePath(turnCubic(curve, rotation)))).join("");
  const stroke = (colour: string, width: number, more = "") =>
    `<path d="${path}" stroke="${colour}" stroke-width="${width}"${more}/>`;
  return `<g fill="none">${stroke(LAND.verge, 13, ' stroke-opacity=".65"')}${stroke(LAND.roadEdge, 9.8)}${stroke(LAND.road, 8)}${stroke(LAND.rut, 4.4)}${stroke(LAND.road, 2.3)}</g>`;
}

export function drawVillage([x, y]: Point): string {
  const ground =
    `<ellipse cx="${x}" cy="${y + 0.6}" rx="13.2" ry="12.6" fill="${LAND.roadEdge}"/>` +
    `<ellipse cx="${x}" cy="${y}" rx="12.2" ry="11.6" fill="#e7d7b0"/>`;
  const houses: [string, number, number][] = [
    ["gable2", -1.2, -2.6],
    ["long1", -6, 1],
    ["gable0", 7, 1.6],
    ["well", 1.2, 3.4],
    ["long3", 4.4, 9.4],
    ["gable4", -5.6, 9.2],
  ];
  return ground + houses.map(([symbol, dx, dy]) => draw(symbol, [x + dx, y + dy], 0.78)).join("");
}

/** A monastery in its walled garden. */
export function drawMonastery([x, y]: Point): string {
  const ring = `cx="${x}" cy="${y}" rx="21" ry="19.8"`;
  const ground =
    `<ellipse cx="${x + 0.6}" cy="${y + 1.8}" rx="22" ry="20.4" fill="#55703a" opacity=".38"/>` +
    `<ellipse ${ring} fill="#c8d79c"/>` +
    `<path d="M${at([x - 15, y - 8])}q6-6 13-7M${at([x - 17, y - 3])}q6-7 15-8.6" stroke="#a9bd74" stroke-width="1.6" fill="none" stroke-linecap="round"/>` +
    `<path d="M${at([x + 9, y + 11])}q-1 4-6 8.4" stroke="#efe0bb" stroke-width="3.4" fill="none"/>` +
    `<ellipse ${ring} fill="none" stroke="#a7966f" stroke-width="2.4"/>` +
    `<ellipse ${ring} fill="none" stroke="${LAND.wall}" stroke-width="1.7"/>` +
    `<ellipse ${ring} fill="none" stroke="${LAND.wallLight}" stroke-width="1.7" stroke-dasharray="1.6 1.4"/>`;
  const trees: [string, number, number, number][] = [
    ["cypress", -17, 3.6, 0.72],
    ["cypress", -15.4, 8, 0.85],
    ["bush", 16.4, 9, 1.05],
    ["bush", -8.6, 15, 0.95],
    ["fruit", -2.6, 16.2, 0.95],
    ["bush", 14.4, 12.6, 0.9],
  ];
  return (
    ground + CHURCH.replace("@", at([x, y])) + trees.map(([s, dx, dy, k]) => draw(s, [x + dx, y + dy], k)).join("")
  );
}

const CHURCH = `<g transform="translate(@)"><path d="M-13 11.4H17L21.4 7V-4L9-2Z" fill="#4a3a22" opacity=".2"/><path d="M-13-1H6V11H-13Z" fill="#f8efdc"/><path d="M-13 9H6V11H-13Z" fill="#dfceac"/><path d="M-15.4.4L-11.6-8.6H5.5V.4Z" fill="#bd684c"/><path d="M-13.6-3.8H5.5M-14.5-1.7H5.5" stroke="#a5533c" stroke-opacity=".55" stroke-width=".6"/><path d="M-15.4.4L-14.8-1H5.5V.4Z" fill="#9b4a36"/><path d="M-11.6-8.5H5" stroke="#fff" stroke-opacity=".4" stroke-width=".7"/><path d="M4.4 11V-11.6H13.6V11Z" fill="#fdf7e9"/><path d="M9.7 11V-11.6H13.6V11Z" fill="#dfceac"/><path d="M4.4 9H13.6V11H4.4Z" fill="#cdb991"/><path d="M3.2-11.2L9-23.4L14.8-11.2Q9-9.5 3.2-11.2Z" fill="#7289a0"/><path d="M9.4-22.6L14.8-11.2Q12.2-10.4 9.8-10.3Z" fill="#566b81"/><path d="M9-27.6V-22.8M7.1-25.8H10.9" stroke="#8a6a35" stroke-width="1.1"/><path d="M-10.8 6v-3.2a1.5 1.5 0 0 1 3 0V6zM-6 6v-3.2a1.5 1.5 0 0 1 3 0V6zM-1.2 6v-3.2a1.5 1.5 0 0 1 3 0V6zM7.5-5v-2.6a1.5 1.5 0 0 1 3 0V-5z" fill="#75624d"/><path d="M7.1 11V6.8a1.9 1.9 0 0 1 3.8 0V11z" fill="#6b4a2f"/></g>`;
