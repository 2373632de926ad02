// What the ratings of bots say.
import { expect, it } from "vitest";
import type { BotInfo } from "../wire/BotInfo";
import { expectedShare, neighbours } from "./bots";

const bot = (name: string, rating: number | null): BotInfo => ({
  name,
  about: "",
  engine: false,
  rating,
  rated: "offered",
});

it("400 points are ten to one, and equals share", () => {
  expect(expectedShare(1500, 1500)).toBe(0.5);
  expect(expectedShare(1900, 1500)).toBeCloseTo(10 / 11, 10);
  expect(expectedShare(1500, 1900)).toBeCloseTo(1 / 11, 10);
});

it("the neighbours of a bot are those next in strength, whatever the order of the list", () => {
  const bots = [bot("mason", 1500), bot("random", null), bot("steward", 1673), bot("shepherd", 1032)];
  const names = (of: string) => neighbours(bots, of).map(({ name }) => name);
  expect(names("mason")).toEqual(["steward", "shepherd"]);
  expect(names("steward")).toEqual(["mason"]);
  expect(names("shepherd")).toEqual(["mason"]);
  expect(names("random")).toEqual([]);
});
