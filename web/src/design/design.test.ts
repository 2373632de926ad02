// The small arithmetic of the design: plots and arms.
import { describe, expect, it } from "vitest";
import { blazon } from "./blazon";
import { evenMarks, line, roundMarks, scale } from "./plot";

describe("a plot", () => {
  it("has round marks around its values", () => {
    expect(roundMarks(1338, 1612, 5)).toEqual([1300, 1400, 1500, 1600, 1700]);
    expect(roundMarks(0, 0.9, 4, 0.1)).toEqual([-0.5, 0, 0.5, 1, 1.5]);
    const flat = roundMarks(1500, 1500, 5, 10);
    expect(flat[0]).toBeLessThan(1500);
    expect(flat.at(-1)).toBeGreaterThan(1500);
  });
  it("spreads times over the whole span, or shows the only one", () => {
    expect(evenMarks([0, 100], 3)).toEqual([0, 50, 100]);
    expect(evenMarks([7, 7], 3)).toEqual([7]);
    expect(scale([5, 5], [0, 100])(5)).toBe(100);
  });
  it("draws a line through its points", () => {
    expect(
      line([
        [0, 1],
        [2, 3.25],
      ]),
    ).toBe("M0 1L2 3.3");
  });
});

it("arms follow from the name, and divide two colours", () => {
  expect(blazon("Mira")).toEqual(blazon("Mira"));
  const bots = ["Shepherd", "Pilgrim", "Peddler", "Mason", "Steward", "Architect", "Abbess", "Master"].map(blazon);
  for (const part of ["field", "division", "charge"] as const)
    expect(new Set(bots.map((arms) => arms[part])).size, `${part} of the bots`).toBe(bots.length);
  for (const name of ["Mira", "Tomas", "Aldric", "Ysolde"]) expect(blazon(name).field).not.toBe(blazon(name).divided);
});
