import { beforeAll, expect, it } from "vitest";
import { need } from "../i18n/index.svelte";
import { turnWords, turnedWords } from "./words";

beforeAll(() => need("analysis", "common", "game", "sets"));

it("says where a tile goes and what its meeple does, with the figure that is none of the plain ones", () => {
  expect(turnWords(["0,0 r1", "road0"], "V")).toBe("M13, road");
  expect(turnWords(["0,0 r1", "pass"], "V")).toBe("M13, no meeple");
  expect(turnWords(["0,0 r1", "big road0"], "V")).toBe("M13, road (big meeple)");
});

it("tells turns apart that read the same: by how the tile is turned", () => {
  const turns = [
    ["0,0 r0", "road0"],
    ["0,0 r3", "road0"],
    ["0,0 r3", "field0"],
    ["0,0 r3", "big road0"],
  ];
  expect(turnedWords(turns, "V")).toEqual(["not turned", "turned by 270°", null, null]);
});
