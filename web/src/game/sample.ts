// A small game for the tests: three turns of two players, as the server tells them.
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { GameEvent } from "./events";

/** U at 1,0 with a meeple on its road; E at 0,1 closes the city of two tiles for 4 points. */
export const SAMPLE_VIEW: CarcassonneView = {
  board: {
    tiles: {
      "0,0": { type: "D", rotation: 0, player: null, turn: 0 },
      "1,0": { type: "U", rotation: 0, player: 0, turn: 1 },
      "0,1": { type: "E", rotation: 180, player: 1, turn: 2 },
    },
    open_positions: ["-1,0", "0,-1", "2,0"],
  },
  features: {
    "0": feature(
      "city",
      [
        ["0,0", "city0"],
        ["0,1", "city0"],
      ],
      { is_complete: true, points: 4 },
    ),
    "1": feature(
      "road",
      [
        ["0,0", "road0"],
        ["1,0", "road0"],
      ],
      { owners: [0], points: 2, open_edges: 2 },
    ),
    "2": feature("field", [["0,0", "field0"]], { fed_by: ["0"], cities: 1, points: 3 }),
  },
  current_tile: "V",
  tiles_remaining: 68,
  bag: { V: 8, U: 7 },
  discards: {},
  meeple_supply: [6, 7],
  meeples: [
    { player: 0, meeple: 0, position: "1,0", segment: "road0", spot: "road_EW", feature: "1" },
    { player: 1, meeple: 0, position: "0,0", segment: "field0", spot: null, feature: "2" },
  ],
  scores: [0, 4],
  projected_scores: [2, 7],
  breakdown: [
    { city: 0, road: 0, monastery: 0, field: 0 },
    { city: 4, road: 0, monastery: 0, field: 0 },
  ],
  last_placed_position: "0,1",
  dead_cells: ["5,5"],
};

export const SAMPLE_EVENTS: GameEvent[] = [
  { event: "game_started", players: [0, 1] },
  { event: "starting_tile_placed", tile: "D", x: 0, y: 0, rotation: 0 },
  { event: "tile_drawn", player: 0, tile: "U", tiles_remaining: 70 },
  { event: "tile_placed", player: 0, tile: "U", x: 1, y: 0, rotation: 0 },
  { event: "meeple_placed", player: 0, meeple: 0, x: 1, y: 0, segment: "road0", feature: 1 },
  { event: "tile_discarded", player: 1, tile: "C", tiles_remaining: 69 },
  { event: "tile_drawn", player: 1, tile: "E", tiles_remaining: 68 },
  { event: "tile_placed", player: 1, tile: "E", x: 0, y: 1, rotation: 180 },
  { event: "meeple_placed", player: 1, meeple: 0, x: 0, y: 1, segment: "city0", feature: 0 },
  {
    event: "feature_scored",
    player: 1,
    owners: [1],
    feature: 0,
    type: "city",
    is_complete: true,
    points: 4,
    tiles: [
      { x: 0, y: 0 },
      { x: 0, y: 1 },
    ],
    tiles_counted: 2,
    pennants: 0,
    cities: 0,
    explanation: "2 tiles, finished",
  },
  { event: "meeple_returned", player: 1, meeple: 0, x: 0, y: 1, segment: "city0", feature: 0 },
  { event: "score_updated", scores: [0, 4] },
];

function feature(
  feature_type: string,
  segments: [string, string][],
  more: Partial<CarcassonneView["features"][string]>,
): NonNullable<CarcassonneView["features"][string]> {
  return {
    feature_type,
    tiles: segments.map(([cell]) => cell),
    segments,
    is_complete: false,
    pennants: 0,
    open_edges: 0,
    owners: [],
    points: 0,
    cities: 0,
    fed_by: [],
    ...more,
  };
}
