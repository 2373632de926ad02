// The arithmetic of the graph.
import { expect, it } from "vitest";
import { graphScales, seatLine, turnAt, turnMarks } from "./graph";
import { SAMPLE_STEPS } from "./sample";
import { courseOf } from "./turns";

const BOX = { left: 40, right: 440, top: 10, bottom: 110 };
const { points } = courseOf(SAMPLE_STEPS);

it("shows chances from nothing to everything, even ones in the middle", () => {
  const scales = graphScales(points, "win", 4, BOX);
  expect([scales.y(0), scales.y(scales.middle), scales.y(1)]).toEqual([110, 60, 10]);
  expect(seatLine(points, 0, "win", scales)[0]).toEqual([40, expect.closeTo(56, 5)]);
});

it("shows margins with as much room above as below, whoever leads", () => {
  const scales = graphScales(points, "margin", 4, BOX);
  expect(scales.rows[0]).toBe(-scales.rows.at(-1)!);
  expect(scales.rows).toContain(0);
  expect(scales.y(0)).toBe(60);
  expect(scales.rows.at(-1)).toBeGreaterThanOrEqual(10);
});

it("finds the turn under a pointer, among those that are there", () => {
  expect(turnAt(240, 4, 4, BOX)).toBe(2);
  expect(turnAt(0, 4, 4, BOX)).toBe(0);
  expect(turnAt(1000, 4, 4, BOX)).toBe(4);
  // Half of the review is made.
  expect(turnAt(1000, 4, 2, BOX)).toBe(2);
});

it("marks the first turn, round ones, and the last", () => {
  expect(turnMarks(71, 700)).toEqual([1, 10, 20, 30, 40, 50, 60, 71]);
  expect(turnMarks(71, 300)).toEqual([1, 20, 40, 60, 71]);
  expect(turnMarks(1, 300)).toEqual([1]);
});
