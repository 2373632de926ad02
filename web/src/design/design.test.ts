// The small arithmetic of the design: clocks, plots, arms.
import { describe, expect, it } from "vitest";
import { armsOf } from "./arms";
import { line, scale, ticks } from "./plot";
import { clockText } from "./time";

describe("a clock", () => {
  it.each([
    [252, "4:12"],
    [60, "1:00"],
    [59.9, "0:59"],
    [9.44, "9.4"],
    [0, "0.0"],
    [-3, "0.0"],
    [3900, "1:05:00"],
  ])("of %d seconds shows %s", (seconds, text) => {
    expect(clockText(seconds)).toBe(text);
  });
});

describe("a plot", () => {
  it("has round marks around its values", () => {
    expect(ticks(1243, 1618)).toEqual([1200, 1300, 1400, 1500, 1600, 1700]);
    expect(ticks(0, 1)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });
  it("works with one value", () => {
    expect(ticks(5, 5).length).toBeGreaterThan(1);
    expect(scale([5, 5], [0, 100])(5)).toBe(0);
  });
  it("draws a line through its points", () => {
    expect(line([[0, 1], [2, 3.25]])).toBe("M0.0 1.0L2.0 3.3");
  });
});

it("arms follow from the name, and divide two colours", () => {
  expect(armsOf("Mira")).toEqual(armsOf("Mira"));
  for (const name of ["Mira", "Tomas", "Aldric", "Ysolde"]) expect(armsOf(name).field).not.toBe(armsOf(name).second);
});
