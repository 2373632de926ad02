import { describe, expect, it } from "vitest";
import type { StudyEdit } from "../wire/StudyEdit";
import type { StudyNode } from "../wire/StudyNode";
import {
  type TreeNode,
  edited,
  knownPart,
  lineOf,
  mainLine,
  nodeAt,
  sharedBy,
  size,
  takenBack,
  treeOf,
  variationOf,
} from "./tree";

/** `V; 1,0 r0; road0 ! {Claims.} (pass) (field0; U)` and a draw in place of another. */
const NODES: StudyNode[] = [
  { move: "V", parent: null },
  { move: "1,0 r0", parent: 0 },
  { move: "road0", parent: 1, mark: "!", comment: "Claims." },
  { move: "U", parent: 2 },
  { move: "X", parent: 2 },
  { move: "-1,0 r0", parent: 4, comment: "What if?" },
  { move: "pass", parent: 5, mark: "?" },
  { move: "pass", parent: 1 },
  { move: "field0", parent: 1 },
  { move: "U", parent: 8 },
];
const TREE = treeOf({ comment: "Start.", nodes: NODES });
const ROAD = ["V", "1,0 r0", "road0"];

const after = (tree: TreeNode, edits: readonly StudyEdit[]) => edits.reduce(edited, tree);

describe("a tree", () => {
  it("is what the server told, the main line first", () => {
    expect(mainLine(TREE)).toEqual([...ROAD, "U"]);
    expect(TREE.comment).toBe("Start.");
    expect(nodeAt(TREE, ["V", "1,0 r0"])?.children.map(({ move }) => move)).toEqual(["road0", "pass", "field0"]);
    expect(nodeAt(TREE, ROAD)).toMatchObject({ mark: "!", comment: "Claims." });
    expect(size(TREE)).toBe(NODES.length);
  });

  it("grows by what is played, and what is there already stays", () => {
    const again: StudyEdit = { type: "play", path: [], moves: [...ROAD, "U"] };
    expect(edited(TREE, again)).toEqual(TREE);
    expect(takenBack(TREE, again)).toEqual([]);
    const grown = edited(TREE, { type: "play", path: ROAD, moves: ["W", "2,0 r0"] });
    expect(nodeAt(grown, ROAD)?.children.map(({ move }) => move)).toEqual(["U", "X", "W"]);
    expect(mainLine(grown)).toEqual([...ROAD, "U"]);
    expect(nodeAt(grown, ["V", "1,0 r0", "pass"])).toBe(nodeAt(TREE, ["V", "1,0 r0", "pass"]));
  });

  it("knows as much of a path as is there", () => {
    expect(knownPart(TREE, [...ROAD, "X", "gone", "gone"])).toEqual([...ROAD, "X"]);
    expect(knownPart(TREE, ROAD)).toEqual(ROAD);
    expect(nodeAt(TREE, ["gone"])).toBeNull();
    expect([sharedBy(ROAD, [...ROAD, "U"]), sharedBy([...ROAD, "U"], ROAD), sharedBy(["X"], ROAD)]).toEqual([3, 3, 0]);
  });

  it("says where a variation begins", () => {
    expect(variationOf(TREE, [...ROAD, "X", "-1,0 r0", "pass"])).toEqual([...ROAD, "X"]);
    expect(variationOf(TREE, ["V", "1,0 r0", "field0", "U"])).toEqual(["V", "1,0 r0", "field0"]);
    expect(variationOf(TREE, [...ROAD, "U"])).toBeNull();
  });

  it("promotes a variation and leaves the others in their order", () => {
    const promoted = edited(TREE, { type: "promote", path: ["V", "1,0 r0", "field0"] });
    expect(nodeAt(promoted, ["V", "1,0 r0"])?.children.map(({ move }) => move)).toEqual(["field0", "road0", "pass"]);
  });
});

describe("an edit that is taken back", () => {
  const EDITS: StudyEdit[] = [
    { type: "play", path: ROAD, moves: ["W", "2,0 r0", "pass"] },
    { type: "play", path: [...ROAD, "X"], moves: ["-1,0 r0", "road0"] },
    { type: "comment", path: ROAD, text: "Better.", was: "Claims." },
    { type: "comment", path: [], text: "", was: "Start." },
    { type: "mark", path: ROAD, mark: null },
    { type: "mark", path: [...ROAD, "U"], mark: "??" },
    { type: "delete", path: ROAD },
    { type: "delete", path: ["V", "1,0 r0", "pass"] },
    { type: "delete", path: ["V"] },
    { type: "promote", path: ["V", "1,0 r0", "field0"] },
    { type: "promote", path: ["V", "1,0 r0", "pass"] },
  ];

  it.each(EDITS)("leaves the tree as it was: $type $path", (edit) => {
    const changed = edited(TREE, edit);
    expect(changed).not.toEqual(TREE);
    expect(after(changed, takenBack(TREE, edit))).toEqual(TREE);
  });

  it("is nothing where nothing changes", () => {
    expect(takenBack(TREE, { type: "delete", path: ["gone"] })).toEqual([]);
    expect(takenBack(TREE, { type: "mark", path: ROAD, mark: "!" })).toEqual([]);
    expect(takenBack(TREE, { type: "promote", path: ROAD })).toEqual([]);
    expect(edited(TREE, { type: "delete", path: ["gone"] })).toEqual(TREE);
    expect(mainLine(lineOf(["V", "1,0 r0"]))).toEqual(["V", "1,0 r0"]);
  });
});
