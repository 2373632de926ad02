// Draws without a server: as likely as tiles are left.
import { expect, it } from "vitest";
import { drawn, randomBelow } from "./draw";

it("draws each kind as often as it has tiles left", () => {
  const left = [
    ["D", 3],
    ["E", 1],
    ["U", 0],
    ["V", 4],
  ] as const;
  const all = Array.from({ length: 8 }, (_, at) => drawn(left, () => at));
  expect(all.join("")).toBe("DDDEVVVV");
  expect(() => drawn([["U", 0]], () => 0)).toThrow("nothing is left");
});

it("chooses among all numbers below the limit, and none beyond", () => {
  const seen = new Set(Array.from({ length: 2_000 }, () => randomBelow(7)));
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
