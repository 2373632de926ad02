import { describe, expect, it } from "vitest";
import { drawnIn, rowsOf, stepBack, stepsAfter } from "./steps";
import { type TreeNode, edited, lineOf } from "./tree";

const LINE = ["V", "1,0 r0", "road0", "D", "U", "-1,0 r0", "pass", "E"];
const grown = (tree: TreeNode, path: string[], moves: string[]) => edited(tree, { type: "play", path, moves });

/** A turn with other meeples, another tile and another draw in its place. */
let tree = lineOf(LINE);
tree = grown(tree, ["V"], ["1,0 r0", "pass"]);
tree = grown(tree, ["V"], ["0,-1 r1", "pass", "X"]);
tree = grown(tree, ["V", "1,0 r0", "road0"], ["X", "2,0 r0", "pass"]);

describe("the steps through a tree", () => {
  it("are draws and whole turns", () => {
    expect(stepsAfter(tree, []).map(({ kind, moves }) => [kind, ...moves])).toEqual([["draw", "V"]]);
    expect(stepsAfter(tree, ["V"]).map(({ moves }) => moves)).toEqual([
      ["1,0 r0", "road0"],
      ["1,0 r0", "pass"],
      ["0,-1 r1", "pass"],
    ]);
    expect(stepsAfter(tree, LINE)).toEqual([]);
  });

  it("go back the way they came, a tile with its meeple at once", () => {
    const back = [LINE as readonly string[]];
    while (back.at(-1)!.length > 0) back.push(stepBack(back.at(-1)!));
    expect(back.map(({ length }) => length)).toEqual([8, 7, 5, 4, 3, 1, 0]);
  });

  it("stop in the middle of a turn where a text does", () => {
    const half = lineOf(["V", "1,0 r0"]);
    expect(stepsAfter(half, ["V"]).map(({ moves }) => moves)).toEqual([["1,0 r0"]]);
    expect(stepBack(["V", "1,0 r0"])).toEqual(["V"]);
    const chosen = lineOf(["V", "1,0 r0", "pass"]);
    expect(stepsAfter(chosen, ["V", "1,0 r0"]).map(({ path }) => path)).toEqual([["V", "1,0 r0", "pass"]]);
  });

  it("know the tile in hand, the last of several that were drawn", () => {
    expect(drawnIn(["V", "1,0 r0", "road0", "D", "U"])).toBe("U");
    expect(drawnIn(["V", "1,0 r0", "pass"])).toBe("V");
    expect(drawnIn([])).toBeNull();
  });
});

describe("the rows of a tree", () => {
  const rows = rowsOf(tree).map(({ depth, number, draws, turn, kind }) => [
    depth,
    number,
    draws.map(({ moves }) => moves[0]).join(" "),
    turn?.moves.join(" ") ?? "",
    kind,
  ]);

  it("are a turn each, with variations below the row they might replace", () => {
    expect(rows).toEqual([
      [0, 1, "V", "1,0 r0 road0", "V"],
      [1, 1, "", "1,0 r0 pass", "V"],
      [1, 1, "", "0,-1 r1 pass", "V"],
      [1, 2, "X", "", "X"],
      [0, 2, "D U", "-1,0 r0 pass", "U"],
      [1, 2, "X", "2,0 r0 pass", "X"],
      [0, 3, "E", "", "E"],
    ]);
  });

  it("hold every step once", () => {
    const steps = rowsOf(tree).flatMap(({ draws, turn }) => [...draws, ...(turn ? [turn] : [])]);
    const paths = steps.map(({ path }) => path.join(";"));
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toHaveLength(11);
  });
});
