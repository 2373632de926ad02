// What a turn loses agrees with what the puzzle says of the best one, or the reader is told why not.
import { beforeAll, expect, it } from "vitest";
import { need } from "../i18n/index.svelte";
import { isBelow, lossWords } from "./loss";

beforeAll(() => need("puzzles", "review"));

const lost = (margin: number, error: number) => ({ loss: { margin, win: 0 }, error: { margin: error, win: 0 } });

it("says a loss with its error, and an exact one without", () => {
  expect(lossWords(lost(4.31, 0.92))).toBe("loses 4.3 ± 0.9 points");
  expect(lossWords(lost(4, 0))).toBe("loses 4.0 points");
  expect(lossWords(lost(0, 0.9))).toBe("");
  expect(lossWords({ ...lost(0, 0), loss: { margin: 0, win: 0.12 } })).toBe("loses 12 % to win");
});

it("explains a loss that is less than the distance to the next best turn", () => {
  const gap = { points: 5.16, error: 0.63 };
  expect(isBelow(lost(4.31, 0.92), gap)).toBe(true);
  expect(isBelow(lost(5.16, 0.92), gap)).toBe(false);
  // On the page both are 5.2.
  expect(isBelow(lost(5.15, 0.92), gap)).toBe(false);
  expect(isBelow(lost(7, 0.92), gap)).toBe(false);
  // No loss is shown, so there is nothing to explain.
  expect(isBelow(lost(0, 0.92), gap)).toBe(false);
});
