// What sets add to the count, the log and the tiles left.
import { expect, it } from "vitest";
import "../art/sets";
import type { CarcassonneView } from "../wire/CarcassonneView";
import { ifEndedNow, ownedFields } from "./count";
import { EMPTY_LOG, extended } from "./log";
import { SAMPLE_VIEW } from "./sample";
import { groupsOf, nextFrom } from "./tile_groups";
import { sentTurn } from "./view";

const NAMES = ["inns", "traders", "river", "gardens"] as const;
const tokens = (wine: number, grain: number, cloth: number) => ({ wine, grain, cloth });
const withSets = (change: Partial<CarcassonneView>, river = 0): CarcassonneView => ({
  ...SAMPLE_VIEW,
  sets: {
    names: [...NAMES],
    figures: [[], []],
    goods: [tokens(2, 1, 0), tokens(2, 0, 0)],
    river_remaining: river,
    second_part: false,
  },
  ...change,
});

it("the most goods of a kind bring ten points, to all who have them; none for no tokens", () => {
  const [mine, other] = ifEndedNow(withSets({}));
  expect([mine?.goods, other?.goods]).toEqual([20, 10]);
});

it("a pig makes each finished city one point more, for its owner alone, and is no farmer", () => {
  const [first] = Object.values(SAMPLE_VIEW.features);
  const field = {
    ...first!,
    feature_type: "field",
    is_complete: false,
    owners: [0, 1],
    points: 6,
    cities: 2,
    pigs: [1],
  };
  const farmer = { player: 1, meeple: 1, position: "0,0", segment: "field0", spot: null, feature: "9" };
  const view = withSets({
    features: { "9": field },
    meeples: [farmer, { ...farmer, meeple: 9, figure: "pig" }],
  });
  const gained = ifEndedNow(view).map((row, player) => row.field - view.breakdown[player]!.field);
  expect(gained).toEqual([6, 8]);
  expect(ownedFields(view)[0]!.farmers).toBe(1);
});

it("the tiles left are grouped by set; river tiles are drawn first, the lake last", () => {
  const bag = { E: 4, "E-garden": 1, "IC/RrRr": 1, "RI/II": 2, "RI/I.e": 1 };
  const groups = groupsOf(withSets({ bag }, 3));
  expect(groups.map(({ name, left }) => [name, left])).toEqual([
    ["base", 4],
    ["inns", 1],
    ["traders", 0],
    ["river", 3],
    ["gardens", 1],
  ]);
  expect(groups[0]!.kinds.find(({ kind }) => kind === "E")).toMatchObject({ left: 4, all: 4, chance: 0 });
  expect(nextFrom(withSets({ bag }, 3))).toEqual({ "RI/II": 2 });
  expect(nextFrom(withSets({ bag: { E: 4, "RI/I.e": 1 } }, 1))).toEqual({ "RI/I.e": 1 });
  expect(groupsOf(SAMPLE_VIEW)).toHaveLength(1);
});

it("the log tells of figures, goods and second parts, the count of goods", () => {
  const log = extended(EMPTY_LOG, [
    { event: "tile_placed", player: 0, tile: "TB/RRrr", rotation: 90, x: 1, y: 0 },
    { event: "meeple_placed", player: 0, meeple: 8, figure: "builder", x: 1, y: 0, segment: "road1", feature: 3 },
    { event: "goods_taken", player: 0, goods: tokens(1, 0, 2) },
    { event: "turn_doubled", player: 0 },
    { event: "end_game_goods", player: 0, good: "cloth", tokens: 2, points: 10 },
  ]);
  expect(log.lines[0]).toMatchObject({ claimed: "road", figure: "builder" });
  expect(log.lines[0]!.more?.map(({ event }) => event)).toEqual(["goods_taken", "turn_doubled"]);
  expect(log.count).toMatchObject([{ event: "end_game_goods", points: 10 }]);
});

it("a turn that was sent shows its figure; a recall puts nothing down", () => {
  expect(sentTurn(["1,0 r1", "pig field0"], "U", 0)?.meeple).toMatchObject({ segment: "field0", figure: "pig" });
  expect(sentTurn(["1,0 r1", "recall"], "U", 0)?.meeple).toBeNull();
});
