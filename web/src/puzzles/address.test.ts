import { expect, it } from "vitest";
import { nextAddress, ownAddress, puzzleAddress } from "./address";

it("names a puzzle, and the theme that the next ones are of", () => {
  expect(puzzleAddress("8b1c87c4")).toBe("/puzzles/8b1c87c4");
  expect(puzzleAddress("8b1c87c4", { theme: null })).toBe("/puzzles/8b1c87c4");
  expect(puzzleAddress("8b1c87c4", { theme: "field" })).toBe("/puzzles/8b1c87c4?theme=field");
  expect(nextAddress()).toBe("/puzzles/next");
  expect(nextAddress({ theme: "field", seen: "8b1c87c4" })).toBe("/puzzles/next?theme=field&seen=8b1c87c4");
});

it("takes what stands in an address for no more than a word", () => {
  expect(puzzleAddress("../x?y", { theme: "a&b" })).toBe("/puzzles/..%2Fx%3Fy?theme=a%26b");
});

it("names a mistake of one's own", () => {
  expect(ownAddress("abc", 12)).toBe("/puzzles/own/abc/12");
  expect(ownAddress("a/b", 12)).toBe("/puzzles/own/a%2Fb/12");
});
