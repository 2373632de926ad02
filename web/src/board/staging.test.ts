// A turn is put down step by step and sent whole; only what is legal can be put down.
import { describe, expect, it } from "vitest";
import { chooseMeeple, legalCells, rotateTile, stageTile, stepBack, toMeepleStep, wholeTurn } from "./staging";
import { nearestCell, nextCell } from "./steering";
import type { BoardTurn } from "./types";

const turn: BoardTurn = {
  player: 0,
  tile: "K",
  legal: [
    { move: "1,0 r2", cell: "1,0", rotation: 2, meeples: ["road0"] },
    { move: "1,0 r0", cell: "1,0", rotation: 0, meeples: ["city0", "field1"], effect: "+4 closes your city" },
    { move: "0,-1 r3", cell: "0,-1", rotation: 3, meeples: [] },
  ],
};

describe("staging", () => {
  it("offers each legal cell once", () => {
    expect(legalCells(turn)).toEqual(["1,0", "0,-1"]);
    expect(legalCells(null)).toEqual([]);
  });
  it("puts nothing on a cell that is not legal", () => {
    expect(stageTile(turn, "5,5")).toBeNull();
  });
  it("turns through legal rotations only, both ways around", () => {
    const first = stageTile(turn, "1,0")!;
    expect(first.rotation).toBe(0);
    expect(first.effect).toBe("+4 closes your city");
    const second = rotateTile(turn, first, 1);
    expect(second.rotation).toBe(2);
    expect(second.choices).toEqual(["road0"]);
    expect(rotateTile(turn, second, 1).rotation).toBe(0);
    expect(rotateTile(turn, first, -1).rotation).toBe(2);
  });
  it("keeps the wished rotation on another cell where it is legal, else takes a legal one", () => {
    expect(stageTile(turn, "1,0", 2)!.rotation).toBe(2);
    expect(stageTile(turn, "0,-1", 2)!.rotation).toBe(3);
  });
  it("sends placement and meeple together", () => {
    const placed = toMeepleStep(stageTile(turn, "1,0")!);
    expect(wholeTurn(turn, placed)).toBeNull();
    expect(wholeTurn(turn, chooseMeeple(placed, "field1"))).toEqual(["1,0 r0", "field1"]);
    expect(wholeTurn(turn, chooseMeeple(placed, "pass"))).toEqual(["1,0 r0", "pass"]);
  });
  it("cannot choose what is not offered", () => {
    const placed = toMeepleStep(stageTile(turn, "1,0")!);
    expect(chooseMeeple(placed, "road0").choice).toBeNull();
  });
  it("passes by itself where no meeple can be placed", () => {
    expect(wholeTurn(turn, toMeepleStep(stageTile(turn, "0,-1")!))).toEqual(["0,-1 r3", "pass"]);
  });
  it("goes back one step at a time", () => {
    const placed = chooseMeeple(toMeepleStep(stageTile(turn, "1,0")!), "city0");
    const back = stepBack(placed)!;
    expect([back.step, back.choice, back.cell]).toEqual(["place", null, "1,0"]);
    expect(stepBack(back)).toBeNull();
  });
});

describe("arrow keys", () => {
  const cells = ["0,2", "3,0", "0,-2", "-1,0", "1,1"];
  it("go to the nearest spot in their direction", () => {
    expect(nextCell("0,0", cells, [0, -1])).toBe("0,2");
    expect(nextCell("0,0", cells, [0, 1])).toBe("0,-2");
    expect(nextCell("0,0", cells, [-1, 0])).toBe("-1,0");
  });
  it("stay where nothing lies ahead", () => {
    expect(nextCell("3,0", cells, [1, 0])).toBeNull();
  });
  it("begin at the middle of the view", () => {
    expect(nearestCell(cells, 320, 40)).toBe("3,0");
    expect(nearestCell([], 0, 0)).toBeNull();
  });
});
