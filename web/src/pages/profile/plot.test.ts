import { describe, expect, it } from "vitest";
import { lineOf, niceSteps, timeSteps } from "./plot";

describe("plots", () => {
  it("has round steps around the data", () => {
    expect(niceSteps(1338, 1612, 5)).toEqual([1300, 1400, 1500, 1600, 1700]);
    const flat = niceSteps(1500, 1500, 5);
    expect(flat[0]).toBeLessThan(1500);
    expect(flat.at(-1)).toBeGreaterThan(1500);
  });
  it("spreads times over the whole span, or shows the only one", () => {
    expect(timeSteps(0, 100, 3)).toEqual([0, 50, 100]);
    expect(timeSteps(7, 7, 3)).toEqual([7]);
  });
  it("draws a path through the points", () => {
    const scale = { x: (at: number) => at, y: (rating: number) => 10 - rating };
    expect(lineOf([{ at: 0, rating: 1, deviation: 1 }, { at: 5, rating: 2.25, deviation: 1 }], scale)).toBe("M0 9L5 7.8");
  });
});
