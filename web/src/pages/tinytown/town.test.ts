import { describe, expect, it } from "vitest";
import { forced, patternsOf, placing } from "./town";

const legal = (...moves: string[]) => moves.map((move) => ({ move, then: [], pays: [], stands: [] }));

describe("the town", () => {
  it("groups the places of a building by its pattern", () => {
    const uses: [number, number][] = [
      [0, 0],
      [0, 1],
      [1, 0],
    ];
    const patterns = patternsOf([
      { move: "cottage 0,0 on 0,0", building: "cottage", square: [0, 0], uses },
      { move: "cottage 0,0 on 0,1", building: "cottage", square: [0, 1], uses },
      {
        move: "greenhouse 0,0 on 1,1",
        building: "greenhouse",
        square: [1, 1],
        uses: [
          [0, 0],
          [0, 1],
          [1, 0],
          [1, 1],
        ],
      },
    ]);
    expect(patterns.map(({ building, places }) => [building, places.length])).toEqual([
      ["cottage", 2],
      ["greenhouse", 1],
    ]);
  });
  it("finds the move for a square among the legal ones", () => {
    expect(placing(legal("brick 0,1", "glass 0,1"), "glass", 0, 1)).toBe("glass 0,1");
    expect(placing(legal("brick 0,1"), "glass", 0, 1)).toBeNull();
  });
  it("does what is forced by itself, and nothing else", () => {
    expect(forced(legal("end"))).toBe("end");
    expect(forced(legal("end", "cottage 0,0 on 0,0"))).toBeNull();
    expect(forced(legal("brick 0,0"))).toBeNull();
    expect(forced(null)).toBeNull();
  });
});
