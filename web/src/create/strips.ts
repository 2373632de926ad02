// Strips of the land that each set makes, from left to right; edges that meet fit.
import type { BoardTile, Rotation } from "../board/types";
import type { SetName } from "../wire/SetName";

const strip = (...tiles: [kind: string, rotation: Rotation][]): BoardTile[] =>
  tiles.map(([kind, rotation], x) => ({ cell: `${x},0`, kind, rotation, ply: x, player: null }));

export const BASE_STRIP = strip(["D", 2], ["X", 0], ["A", 1], ["I", 2], ["F", 0], ["H", 1], ["T", 2], ["Q", 2]);

export const SET_STRIPS: Record<SetName, BoardTile[]> = {
  inns: strip(["IC/Cccc.c", 0], ["IC/CcR", 0], ["IC/RFr.i", 0], ["IC/RRR.i", 0]),
  traders: strip(["TB/Cc.g", 1], ["TB/CFc.w", 0], ["TB/CcRR!.c", 0], ["TB/RRrr", 0]),
  river: strip(["RI/s", 0], ["RI/CICI", 0], ["RI/LIRI", 0], ["RI/I.e", 0]),
  gardens: strip(["U-garden", 0], ["V-garden", 0], ["E-garden", 0], ["N-garden", 1]),
};
