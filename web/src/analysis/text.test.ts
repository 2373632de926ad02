import { describe, expect, it } from "vitest";
import { cellWords } from "../board/cells";
import { chapterText, laidAddress, layoutOf, hasSets, isStudy, playersIn, readRecord, recordOf } from "./text";
import { edited, lineOf } from "./tree";

describe("a record", () => {
  it("is read as it is written, with remarks and either separator", () => {
    expect(readRecord("# a game\ncarcassonne players=3 sets=inns\n\nU; 1,0  r0; road0\nE # drawn\n")).toEqual({
      setup: "players=3 sets=inns",
      moves: ["U", "1,0 r0", "road0", "E"],
      layout: null,
    });
    expect(readRecord("tinytown\n1")).toBeNull();
    expect(readRecord("")).toBeNull();
  });

  it("is written for the engine", () => {
    const moves = ["U", "1,0 r0", "road0"];
    expect(readRecord(recordOf("players=2", moves))).toEqual({ setup: "players=2", moves, layout: null });
    const layout = "tile U 1,0 r0 0 road0\nplayer 1";
    const laid = recordOf("players=2", ["E"], layout);
    expect(laid).toBe("carcassonne players=2\nfrom tile U 1,0 r0 0 road0 | player 1\nE");
    expect(readRecord(laid)).toEqual({ setup: "players=2", moves: ["E"], layout });
    expect(playersIn("farmers=on players=4")).toBe(4);
    expect(playersIn("")).toBe(2);
    expect(playersIn("players=99")).toBe(2);
    expect(playersIn("players=7")).toBe(2);
    expect([hasSets("players=2 sets=river"), hasSets("players=2")]).toEqual([true, false]);
  });

  it("may name its cells, or begin with a position laid by hand", () => {
    const cells = ["0,0", "3,-1", "-12,12", "-13,13", "14,0", "127,-128", "-128,127"];
    const named = cells.map((cell) => `${cellWords(cell)} r2`);
    expect(readRecord(`carcassonne\n${named.join("; ")}`)?.moves).toEqual(cells.map((cell) => `${cell} r2`));
    const laid = "carcassonne players=2\ntile U 1,0 r0 0 road0\nscores 4 12\nplayer 1\nE; 0,1 r2; pass";
    expect(readRecord(laid)).toEqual({
      setup: "players=2",
      moves: ["E", "0,1 r2", "pass"],
      layout: "tile U 1,0 r0 0 road0\nscores 4 12\nplayer 1",
    });
  });

  it("is told from a study", () => {
    expect(isStudy("carcassonne\nU; 1,0 r0; road0 # (no variation)")).toBe(false);
    expect(isStudy("carcassonne\nU (X)")).toBe(true);
    expect(isStudy("carcassonne\n{Look.}")).toBe(true);
    expect(isStudy("study Endings\ncarcassonne")).toBe(true);
  });
});

describe("the text of a chapter", () => {
  it("has variations behind what they might replace, comments in braces, marks", () => {
    let tree = lineOf(["V", "1,0 r0", "road0", "U"]);
    tree = edited(tree, { type: "play", path: ["V", "1,0 r0"], moves: ["field0", "U", "-1,0 r0"] });
    tree = edited(tree, { type: "play", path: ["V", "1,0 r0", "field0"], moves: ["X"] });
    tree = edited(tree, { type: "comment", path: ["V"], text: "a } and a \\", was: "" });
    tree = edited(tree, { type: "comment", path: [], text: "Start.", was: "" });
    tree = edited(tree, { type: "mark", path: ["V", "1,0 r0", "field0"], mark: "!?" });
    expect(chapterText("players=2", tree, "Roads")).toBe(
      "chapter Roads\ncarcassonne players=2\n{Start.}\n" +
        "V {a \\} and a \\\\}; 1,0 r0; road0 (field0 !?; U (X); -1,0 r0); U\n",
    );
    expect(chapterText("players=2", lineOf([]))).toBe("carcassonne players=2\n");
  });
});

it("writes a position laid by hand on one line, in a chapter and in an address, and reads both", () => {
  const layout = "tile U 1,0 r0 0 road0\nscores 4 12\nplayer 1";
  const text = chapterText("players=2", lineOf(["E"]), "", `${layout}\n`);
  expect(text).toBe("carcassonne players=2\nfrom tile U 1,0 r0 0 road0 | scores 4 12 | player 1\nE\n");
  expect(readRecord(text)).toEqual({ setup: "players=2", moves: ["E"], layout });
  const { searchParams } = new URL(laidAddress("players=2", layout), "https://bastide.example");
  expect(layoutOf(searchParams)).toBe(layout);
  expect(layoutOf(new URLSearchParams("setup=players"))).toBeNull();
});
