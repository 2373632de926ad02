// One's own mistakes come one after the other.
import { expect, it } from "vitest";
import { mistakeAfter } from "./own";

const mistake = (ply: number) => ({ seat: 0, ply, category: "mistake" as const, loss: 3 });
const GAMES = [
  { game: "late", mistakes: [mistake(5), mistake(8)] },
  { game: "early", mistakes: [mistake(5)] },
];

it("goes through a game, on to the one before it, and begins again", () => {
  expect(mistakeAfter(GAMES, "late", 5)).toEqual({ game: "late", ply: 8 });
  expect(mistakeAfter(GAMES, "late", 8)).toEqual({ game: "early", ply: 5 });
  expect(mistakeAfter(GAMES, "early", 5)).toEqual({ game: "late", ply: 5 });
});

it("has none after the only one, and begins with the first after one that is not listed", () => {
  expect(mistakeAfter([], "late", 5)).toBeNull();
  expect(mistakeAfter([GAMES[1]!], "early", 5)).toBeNull();
  expect(mistakeAfter(GAMES, "gone", 2)).toEqual({ game: "late", ply: 5 });
});
