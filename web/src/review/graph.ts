// The arithmetic of the graph: what is drawn where, and which turn lies under a pointer.
import { type Scale, roundMarks, scale } from "../design/plot";
import type { ReviewWorth } from "../wire/ReviewWorth";
import type { GraphPoint, ReviewedTurn } from "./turns";

/** What the graph shows: the chance to win, or the expected margin. */
export type GraphKind = "win" | "margin";

export interface GraphBox {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface GraphScales {
  x: Scale;
  y: Scale;
  /** The marks of the y axis, and the one in the middle, which parts two players. */
  rows: number[];
  middle: number;
}

/** Margins up to this are always in view: a quiet game looks quiet. */
const LEAST_MARGIN = 10;

export const worthOn = (worth: ReviewWorth | undefined, kind: GraphKind): number => worth?.[kind] ?? 0;

/** Scales for turns from 0 to a number of them. */
export function graphScales(
  points: readonly GraphPoint[],
  kind: GraphKind,
  length: number,
  box: GraphBox,
): GraphScales {
  const x = scale([0, Math.max(1, length)], [box.left, box.right]);
  if (kind === "win") return { x, y: scale([0, 1], [box.bottom, box.top]), rows: [0, 0.25, 0.5, 0.75, 1], middle: 0.5 };
  const most = points.reduce(
    (most, { values }) => Math.max(most, ...values.map(({ margin }) => Math.abs(margin))),
    LEAST_MARGIN,
  );
  // The same room above and below: the line in the middle is a margin of nothing.
  const above = roundMarks(0, most, 2, 5).filter((mark) => mark > 0);
  const rows = [...above.map((mark) => -mark).reverse(), 0, ...above];
  return { x, y: scale([rows[0]!, rows.at(-1)!], [box.bottom, box.top]), rows, middle: 0 };
}

/** The line of a seat. */
export const seatLine = (
  points: readonly GraphPoint[],
  seat: number,
  kind: GraphKind,
  { x, y }: GraphScales,
): (readonly [number, number])[] => points.map((point) => [x(point.x), y(worthOn(point.values[seat], kind))] as const);

/** The turn at a place of the graph, among those that are there. */
export function turnAt(place: number, length: number, turns: number, box: GraphBox): number {
  const turn = Math.round(scale([box.left, box.right], [0, Math.max(1, length)])(place));
  return Math.max(0, Math.min(turns, turn));
}

/** The marks of the x axis: the first turn, every tenth or so, the last. */
export function turnMarks(length: number, width: number): number[] {
  const room = Math.max(1, Math.floor(width / 60));
  const step = [5, 10, 20, 50].find((each) => length / each <= room) ?? 100;
  const marks: number[] = [];
  for (let turn = step; turn < length - step / 2; turn += step) marks.push(turn);
  return length > 1 ? [1, ...marks, length] : [length];
}

/** How large the dot of a mistake is: the worse the larger. */
export const dotSize = ({ decision: { category } }: ReviewedTurn): number =>
  category === "blunder" ? 7 : category === "mistake" ? 6 : 4.5;
