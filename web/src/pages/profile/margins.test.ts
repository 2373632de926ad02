// Numbers of reviewed games.
import { expect, it } from "vitest";
import { adjustedWords, lostRows, marginWords } from "./margins";

it("tells margins with their errors, where there are any", () => {
  const margin = { games: 12, margin: 3.14, margin_error: 2.04, adjusted: -1.96, adjusted_error: 1.5 };
  expect(marginWords(margin)).toBe("+3.1 ± 2.0");
  expect(adjustedWords(margin)).toBe("−2.0 ± 1.5");
  expect(marginWords({ ...margin, games: 1, margin_error: null })).toBe("+3.1");
});

it("lists where points were lost, the most first, without meeples and what is next to nothing", () => {
  const lost = [
    { others: false, source: "road", points: -1 },
    { others: true, source: "city", points: 2 },
    { others: false, source: "meeples", points: 2.4 },
    { others: false, source: "field", points: 3 },
    { others: true, source: "road", points: 0.01 },
  ] as const;
  expect(lostRows([...lost]).map(({ points }) => points)).toEqual([3, 2, -1]);
});
