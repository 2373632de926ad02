// What the rules of the sets show could lie so on a table.
import { describe, expect, it } from "vitest";
import "../../art/sets";
import { anchor, printedTile } from "../../art";
import { parseCell } from "../../board/cells";
import type { BoardTile } from "../../board/types";
import { BASE_STRIP, SET_STRIPS } from "../../create/strips";
import { SET_SCENES } from "./set_scenes";

const STEPS = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
] as const;
const edge = ({ kind, rotation }: BoardTile, side: number) => printedTile(kind).edges[(side - rotation + 4) % 4];

/** Pairs of neighbours whose edges differ. */
function misfits(tiles: BoardTile[]): string[] {
  const at = new Map(tiles.map((tile) => [tile.cell, tile]));
  return tiles.flatMap((tile) =>
    STEPS.flatMap(([dx, dy], side) => {
      const { x, y } = parseCell(tile.cell);
      const other = at.get(`${x + dx},${y + dy}`);
      return other && edge(tile, side) !== edge(other, (side + 2) % 4) ? [`${tile.cell} ${other.cell}`] : [];
    }),
  );
}

describe.each(Object.entries({ ...SET_SCENES }))("the picture of %s", (_, { tiles, meeples }) => {
  it("has edges that fit, and figures on segments that are there", () => {
    expect(misfits(tiles)).toEqual([]);
    for (const { cell, segment } of meeples)
      expect(anchor(tiles.find((tile) => tile.cell === cell)!.kind, segment, 0)).toHaveLength(2);
  });
});

it.each(Object.entries({ base: BASE_STRIP, ...SET_STRIPS }))("the strip of %s in the form fits", (_, tiles) => {
  expect(misfits(tiles)).toEqual([]);
});
