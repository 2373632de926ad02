// The art of the page: tiles drawn from the rules' table, outlines, anchors, figures.
export { MEEPLE_WIDTH, anchor } from "./anchors";
export { FIGURE, LYING_TURN, MARKS, MARK_PATHS, MOST_PLAYERS, type Mark, bodyOf, markOf } from "./figures";
export { type Point, ROTATIONS, type Rotation, SIZE } from "./points";
export { bitmapUrl, spriteKey, spriteUrl } from "./sprites";
export { KINDS, TABLE, type PrintedSegment, type PrintedTile, type Terrain, printedTile, terrainOf } from "./table";
