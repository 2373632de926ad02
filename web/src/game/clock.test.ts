// Clocks run for the player to move only, and never below zero.
import { expect, test } from "vitest";
import { clockText, isLow, secondsLeft, timeLeft } from "./clock";

test("only the running clock loses time", () => {
  const clocks = { at: 1_000, value: { left_ms: [60_000, 45_000], running: 1 } };
  expect(timeLeft(clocks, 0, 11_000)).toBe(60_000);
  expect(timeLeft(clocks, 1, 11_000)).toBe(35_000);
  expect(timeLeft(clocks, 1, 900_000)).toBe(0);
  expect(timeLeft(clocks, 1, 0)).toBe(45_000);
});

test("without clocks there is nothing to show", () => {
  expect(timeLeft({ at: 0, value: { left_ms: [], running: null } }, 0, 5)).toBeNull();
});

test("a countdown is told in whole seconds, the last one included", () => {
  expect(secondsLeft({ at: 0, value: 27_000 }, 0)).toBe(27);
  expect(secondsLeft({ at: 0, value: 27_000 }, 26_999)).toBe(1);
  expect(secondsLeft({ at: 0, value: 27_000 }, 99_999)).toBe(0);
  expect(secondsLeft({ at: 0, value: null }, 99_999)).toBeNull();
});

test("clocks read as people write them", () => {
  const texts = [252_999, 60_000, 59_999, 10_000, 9_999, 40, 3_723_000].map(clockText);
  expect(texts).toEqual(["4:12", "1:00", "0:59", "0:10", "9.9", "0.0", "1:02:03"]);
});

test("a clock is low by the game's own measure", () => {
  const blitz = { kind: "game", initial_ms: 40_000, increment_ms: 0 } as const;
  expect([9_000, 11_000].map((ms) => isLow(ms, blitz))).toEqual([true, false]);
  expect(isLow(29_000, { kind: "move", per_move_ms: 3_600_000 })).toBe(true);
  expect(isLow(0, { kind: "none" })).toBe(false);
});
