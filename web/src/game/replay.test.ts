// A replay stops where a turn is over and the next tile is known.
import { expect, test } from "vitest";
import type { GameEvent } from "./events";
import { eventsBetween, turnOfHash, turnPlies } from "./replay";

const placed = (ply: number): GameEvent => ({
  ply,
  event: "tile_placed",
  player: 0,
  tile: "U",
  x: ply,
  y: 0,
  rotation: 0,
});
const drawn = (ply: number): GameEvent => ({ ply, event: "tile_drawn", player: 0, tile: "U", tiles_remaining: 1 });
const GAME: GameEvent[] = [
  { ply: 0, event: "game_started", players: [0, 1] },
  drawn(1),
  placed(2),
  { ply: 3, event: "meeple_skipped", player: 0 },
  // Ply 4 drew a tile that fitted nowhere.
  drawn(5),
  placed(6),
  { ply: 7, event: "meeple_skipped", player: 1 },
  { ply: 7, event: "game_over", winners: [0], scores: [1, 0] },
];

test("a stop before the first turn, between turns, and at the end", () => {
  expect(turnPlies(GAME)).toEqual([1, 5, 7]);
  expect(turnPlies([])).toEqual([0]);
});

test("a step shows what happened in it, once", () => {
  const [start, first, end] = turnPlies(GAME);
  expect(eventsBetween(GAME, start!, first!).map((e) => e.event)).toEqual([
    "tile_placed",
    "meeple_skipped",
    "tile_drawn",
  ]);
  expect(eventsBetween(GAME, first!, end!).map((e) => e.event)).toEqual(["tile_placed", "meeple_skipped", "game_over"]);
});

test("an address names a turn or none", () => {
  expect(["#34", "#0", "", "#", "#x", "#-1", "#1.5", "#1234"].map(turnOfHash)).toEqual([
    34,
    0,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});
