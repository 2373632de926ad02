// The winner's margin in parts: they add up to what is shown, and point where they point.
import { expect, it } from "vitest";
import type { ReviewedPlayer } from "../wire/ReviewedPlayer";
import { decidedBy, roundedTo } from "./decided";

function player(parts: { result: number; start: number; luck: number; skill: number; rest: number }): ReviewedPlayer {
  const worth = (margin: number) => ({ margin, win: 0 });
  return {
    result: worth(parts.result),
    start: worth(parts.start),
    luck: worth(parts.luck),
    skill: worth(parts.skill),
    rest: worth(parts.rest),
    accuracy: 80,
    loss: worth(0),
    decisions: 35,
    categories: [35, 0, 0, 0, 0],
  };
}

it("tells the winner's margin, whoever sits first", () => {
  const lost = player({ result: -4, start: -2, luck: -22.9, skill: 27.2, rest: -6.3 });
  const won = player({ result: 4, start: 2, luck: 22.9, skill: -27.2, rest: 6.3 });
  expect(decidedBy([lost, won])).toEqual({
    seat: 1,
    margin: 4,
    parts: [
      { name: "skill", points: -27.2 },
      { name: "luck", points: 22.9 },
      { name: "start", points: 2 },
      { name: "rest", points: 6.3 },
    ],
  });
});

it("shows parts that add up to the margin, to the tenth", () => {
  const decided = decidedBy([player({ result: 4, start: 2.0136, luck: 22.9136, skill: -27.2166, rest: 6.2893 })])!;
  const sum = decided.parts.reduce((sum, { points }) => sum + points, 0);
  expect(sum).toBeCloseTo(decided.margin, 9);
  expect(decided.margin).toBe(4);
  for (const { points } of decided.parts) expect(points * 10).toBeCloseTo(Math.round(points * 10), 9);
});

it("tells a tiny start with the rest", () => {
  const decided = decidedBy([player({ result: 7, start: 0.3, luck: 2, skill: 4, rest: 0.7 })])!;
  expect(decided.parts.map(({ name }) => name)).toEqual(["skill", "luck", "rest"]);
  expect(decided.parts[2]!.points).toBe(1);
});

it("has nothing to tell without players", () => expect(decidedBy([])).toBeNull());

it("rounds to a whole, and shows what does not add up in the last part", () => {
  expect(roundedTo([0.5, 0.5, 0.5], 2)).toEqual([1, 1, 0]);
  expect(roundedTo([-1.4, 2.4], 1)).toEqual([-1, 2]);
  expect(roundedTo([1, 1, 1], 10)).toEqual([1, 1, 8]);
});
