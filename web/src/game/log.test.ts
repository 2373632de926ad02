// The log tells each turn once, whether its events come together or one by one.
import { expect, test } from "vitest";
import { EMPTY_LOG, agrees, extended } from "./log";
import { SAMPLE_EVENTS, SAMPLE_VIEW } from "./sample";

test("a line a turn: tile, place, claim, points, tiles set aside before it", () => {
  const { lines } = extended(EMPTY_LOG, SAMPLE_EVENTS);
  expect(lines).toEqual([
    { turn: 1, player: 0, kind: "U", rotation: 0, cell: "1,0", claimed: "road", scores: [], discarded: [] },
    {
      turn: 2,
      player: 1,
      kind: "E",
      rotation: 2,
      cell: "0,1",
      claimed: "city",
      scores: [
        { player: 1, points: 4, terrain: "city", finished: true, explanation: "2 tiles, finished", cell: "0,0" },
      ],
      discarded: ["C"],
    },
  ]);
});

test("events one by one give the same log", () => {
  const slowly = SAMPLE_EVENTS.reduce((log, event) => extended(log, [event]), EMPTY_LOG);
  expect(slowly).toEqual(extended(EMPTY_LOG, SAMPLE_EVENTS));
});

test("a log that lost events, or a turn that was taken back, is noticed", () => {
  const log = extended(EMPTY_LOG, SAMPLE_EVENTS);
  expect(agrees(log, SAMPLE_VIEW)).toBe(true);
  expect(agrees(extended(EMPTY_LOG, SAMPLE_EVENTS.slice(5)), SAMPLE_VIEW)).toBe(false);
  expect(agrees(EMPTY_LOG, SAMPLE_VIEW)).toBe(false);
  const again = extended(log, [{ event: "tile_placed", player: 0, tile: "V", x: 2, y: 0, rotation: 0 }]);
  expect(agrees(again, SAMPLE_VIEW)).toBe(false);
});

test("the final count is kept apart from the turns", () => {
  const scored = SAMPLE_EVENTS.flatMap((e) => (e.event === "feature_scored" ? [e] : []));
  const log = extended(
    EMPTY_LOG,
    scored.map((e) => ({ ...e, event: "end_game_points", type: "road", is_complete: false })),
  );
  expect(log.lines).toEqual([]);
  expect(log.count).toMatchObject([{ player: 1, points: 4, type: "road", is_complete: false }]);
});
