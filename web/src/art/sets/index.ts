// The art of the sets: their tiles, figures and goods. It comes with the games that use them.
import { addAnchors } from "../anchors";
import { BODIES } from "../figures";
import type { Point } from "../points";
import { shapeOthers } from "../shape";
import { type PrintedTile, addTiles } from "../table";
import anchors from "./anchors.json";
import { SET_FIGURES } from "./figures";
import { setShape } from "./shape";
import tiles from "./tiles.json";

export { GOODS, goodToken } from "./draw";

const TILES = tiles as Record<string, PrintedTile>;

/** The kinds of all sets, in the order of the rules. */
export const SET_KINDS: readonly string[] = Object.keys(TILES);

addTiles(TILES);
addAnchors(anchors as unknown as Record<string, Record<string, readonly Point[]>>);
shapeOthers(setShape);
Object.assign(BODIES, SET_FIGURES, { recall: SET_FIGURES.abbot });
