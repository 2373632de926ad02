// Small pieces of land for the rules of the sets; edges that meet fit.
import type { BoardMeeple, BoardTile, Rotation } from "../../board/types";
import type { SetName } from "../../wire/SetName";

export interface SetScene {
  tiles: BoardTile[];
  meeples: BoardMeeple[];
}

type Laid = [cell: string, kind: string, rotation: Rotation];
type Standing = [cell: string, segment: string, player: number, figure?: string];

const scene = (tiles: Laid[], figures: Standing[] = []): SetScene => ({
  tiles: tiles.map(([cell, kind, rotation], ply) => ({ cell, kind, rotation, ply, player: null })),
  meeples: figures.map(([cell, segment, player, figure], number) => ({
    cell,
    segment,
    player,
    number,
    lying: segment.startsWith("field"),
    figure,
  })),
});

export const SET_SCENES: Record<SetName, SetScene> = {
  inns: scene(
    [
      ["0,0", "X", 0],
      ["1,0", "IC/RFr.i", 0],
      ["2,0", "IC/LRFR", 0],
      ["3,0", "IC/CcR", 2],
      ["4,0", "IC/Cccc.c", 0],
    ],
    [
      ["1,0", "road0", 0, "big"],
      ["3,0", "city0", 1],
    ],
  ),
  traders: scene(
    [
      ["0,0", "E", 1],
      ["1,0", "TB/CFc.w", 0],
      ["2,0", "E", 3],
      ["0,-1", "U", 0],
      ["1,-1", "U", 0],
      ["2,-1", "U", 0],
      ["3,-1", "U", 0],
    ],
    [
      ["0,0", "city0", 1],
      ["0,-1", "road0", 0],
      ["1,-1", "road0", 0, "builder"],
      ["2,-1", "field1", 0],
      ["3,-1", "field1", 0, "pig"],
    ],
  ),
  river: scene([
    ["0,0", "RI/s", 0],
    ["1,0", "RI/CICI", 0],
    ["2,0", "RI/RrII", 1],
    ["2,1", "RI/II", 3],
    ["3,1", "RI/LIRI", 0],
    ["4,1", "RI/I.e", 0],
  ]),
  gardens: scene(
    [
      ["0,0", "U-garden", 0],
      ["1,0", "V-garden", 0],
      ["2,0", "E-garden", 0],
      ["0,-1", "E", 2],
      ["1,-1", "U", 1],
      ["2,-1", "B", 0],
    ],
    [
      ["1,0", "garden", 0, "abbot"],
      ["2,-1", "monastery", 1],
    ],
  ),
};
