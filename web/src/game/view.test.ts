// What the board is given says what the server said.
import { expect, test } from "vitest";
import { SAMPLE_EVENTS, SAMPLE_VIEW } from "./sample";
import { boardEvents, boardParts, boardTurn, sentTurn, withSent } from "./view";

test("tiles, meeples and the last move", () => {
  const parts = boardParts(SAMPLE_VIEW);
  expect(parts.tiles).toContainEqual({ cell: "0,1", kind: "E", rotation: 2, ply: 2, player: 1 });
  expect(parts.tiles).toContainEqual({ cell: "0,0", kind: "D", rotation: 0, ply: 0, player: null });
  expect(parts.meeples.map((m) => [m.player, m.lying])).toEqual([
    [0, false],
    [1, true],
  ]);
  expect(parts.last).toEqual({ cell: "0,1", player: 1 });
  expect(parts.dead).toEqual(["5,5"]);
});

test("features know their meeples and the cities that feed them", () => {
  const [city, road, field] = boardParts(SAMPLE_VIEW).features;
  expect(city).toMatchObject({ id: 0, terrain: "city", complete: true, meeples: [] });
  expect(road).toMatchObject({ owners: [0], points: 2, meeples: [{ player: 0, count: 1 }] });
  expect(field).toMatchObject({ terrain: "field", finishedCities: [0], meeples: [{ player: 1, count: 1 }] });
});

test("legal turns become placements with their meeple choices", () => {
  const legal = [
    { move: "-1,0 r1", then: ["pass", "road0", "field1"], pays: [], stands: [] },
    { move: "2,0 r3", then: ["pass"], pays: [], stands: [] },
  ];
  const turn = boardTurn(1, "V", legal, (move) => (move.then.length > 1 ? "+2" : null));
  expect(turn).toEqual({
    player: 1,
    tile: "V",
    legal: [
      { move: "-1,0 r1", cell: "-1,0", rotation: 1, meeples: ["road0", "field1"], worth: {}, effect: "+2" },
      { move: "2,0 r3", cell: "2,0", rotation: 3, meeples: [], worth: {} },
    ],
  });
});

test("there is no turn for a spectator, nor while only a meeple is to be placed", () => {
  expect(boardTurn(1, "V", null, () => null)).toBeNull();
  expect(boardTurn(null, null, [], () => null)).toBeNull();
  expect(boardTurn(0, "V", [{ move: "pass", then: [], pays: [], stands: [] }], () => null)).toBeNull();
});

test("points float over the meeple that earned them", () => {
  expect(boardEvents(SAMPLE_EVENTS.slice(6), SAMPLE_VIEW)).toEqual([
    { type: "placed", cell: "0,1" },
    { type: "claimed", cell: "0,1", segment: "city0", player: 1, number: 0 },
    { type: "scored", player: 1, points: 4, cell: "0,1", segment: "city0" },
    { type: "returned", cell: "0,1", segment: "city0", player: 1, number: 0 },
  ]);
});

test("points of a feature without a returned meeple float over the feature", () => {
  const scored = SAMPLE_EVENTS.filter((e) => e.event === "feature_scored");
  expect(boardEvents(scored, SAMPLE_VIEW)).toMatchObject([{ type: "scored", cell: "0,0", segment: "city0" }]);
});

test("a confirmed turn lies on the board before it is answered, and once only", () => {
  const sent = sentTurn(["2,0 r1", "field0"], "V", 0)!;
  const shown = withSent(boardParts(SAMPLE_VIEW), sent);
  expect(shown.tiles).toContainEqual(expect.objectContaining({ cell: "2,0", kind: "V", rotation: 1 }));
  expect(shown.meeples.at(-1)).toMatchObject({ cell: "2,0", segment: "field0", player: 0, lying: true });
  expect(shown.last).toEqual({ cell: "2,0", player: 0 });
  const answered = withSent(boardParts(SAMPLE_VIEW), sentTurn(["0,1 r2", "pass"], "E", 1)!);
  expect(answered.tiles).toHaveLength(3);
  expect(sentTurn(["pass", "pass"], "V", 0)).toBeNull();
});
