import { expect, it } from "vitest";
import { changedTile, readLayout, withTile, withoutTile, writeLayout } from "./layout";

const TEXT = "tile D 0,0 r0\ntile U 1,0 r0 0 road0\nscores 4 12\ngone C\nplayer 1\n";

it("reads and writes what the rules write", () => {
  expect(writeLayout(readLayout(TEXT, 2))).toBe(TEXT);
  expect(readLayout("", 3)).toEqual({ tiles: [], scores: [0, 0, 0], player: 0, more: [] });
  // What is wrong is kept as it is: the rules say what.
  expect(writeLayout(readLayout("sing\ntile D", 2))).toContain("sing\ntile D\n");
});

it("adds the tile and the figure of a turn, turns and removes tiles", () => {
  const laid = withTile(readLayout(TEXT, 2), "E", ["0,1 r2", "big city0"], 1);
  expect(writeLayout(laid)).toContain("tile E 0,1 r2 1 big city0\n");
  expect(writeLayout(withTile(laid, "V", ["2,0 r1", "pass"], 0))).toContain("tile V 2,0 r1\n");
  expect(writeLayout(changedTile(laid, "0,1", { rotation: 3, figure: "" }))).toContain("tile E 0,1 r3\n");
  expect(withoutTile(laid, "0,1")).toEqual(readLayout(TEXT, 2));
});
