// The choice between figures, what a turn brings, and what is said of it.
import { beforeAll, describe, expect, it } from "vitest";
import "../art/sets";
import { need } from "../i18n/index.svelte";
import type { BoardTurn } from "../board/types";
import { SAMPLE_VIEW } from "../game/sample";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { LegalMove } from "../wire/LegalMove";
import type { SetsView } from "../wire/SetsView";
import { figureOf } from "./figures";
import { statusOf, withFigures } from "./turn";

const sets: SetsView = {
  names: ["inns", "traders", "river", "gardens"],
  figures: [["big", "builder", "pig", "abbot"], []],
  goods: [
    { wine: 2, grain: 0, cloth: 1 },
    { wine: 0, grain: 0, cloth: 0 },
  ],
  river_remaining: 0,
  second_part: false,
};
const view: CarcassonneView = { ...SAMPLE_VIEW, current_tile: "TB/RRrr", sets };
const turn = (meeples: string[]): BoardTurn => ({
  player: 0,
  tile: "TB/RRrr",
  legal: [{ move: "1,0 r0", cell: "1,0", rotation: 0, meeples, worth: {} }],
});

beforeAll(() => need("sets"));

it("a move says which figure it puts down", () => {
  expect(["city0", "big city0", "abbot garden", "recall"].map(figureOf)).toEqual(["", "big", "abbot", "recall"]);
});

describe("a turn with figures", () => {
  it("begins with a meeple in hand, and keeps the moves of all others", () => {
    const all = ["road0", "big road0", "field1", "big field1", "recall"];
    const [placement] = withFigures(turn(all), view, []).legal;
    expect(placement).toMatchObject({ meeples: ["road0", "field1"], all });
  });

  it("begins with another figure where no meeple is left", () => {
    expect(withFigures(turn(["recall"]), view, []).legal[0]!.meeples).toEqual(["recall"]);
    expect(withFigures(turn(["pig field0", "recall"]), view, []).legal[0]!.meeples).toEqual(["pig field0"]);
    expect(withFigures(turn([]), view, []).legal[0]!.meeples).toEqual([]);
  });

  it("tells the goods and the second tile that it brings", () => {
    const move: LegalMove = {
      move: "1,0 r0",
      then: [],
      pays: [],
      stands: [],
      goods: { wine: 2, grain: 0, cloth: 1 },
      doubles: true,
    };
    expect(withFigures(turn([]), view, [move]).legal[0]!.effect).toBe("2 wine, 1 cloth · a second tile");
  });

  it("tells what the abbot scores when it is taken back", () => {
    const [feature] = Object.keys(view.features);
    const abbot = { player: 0, meeple: 9, figure: "abbot" as const, position: "0,0", segment: "monastery", spot: null };
    const standing = { ...view, meeples: [{ ...abbot, feature: feature! }] };
    const points = view.features[feature!]!.points;
    expect(withFigures(turn(["recall"]), standing, []).legal[0]!.worth).toEqual({ recall: `scores ${points} now` });
  });
});

it("the river and a second part are said", () => {
  const said = (change: Partial<SetsView>, tile = "A") =>
    statusOf({ ...view, current_tile: tile, sets: { ...sets, ...change } });
  expect(said({})).toBeNull();
  expect(said({ second_part: true })).toBe("the builder gives a second tile");
  expect(said({ river_remaining: 4 }, "RI/II")).toBe("5 tiles of the river to lay");
  expect(said({}, "RI/I.e")).toBe("1 tile of the river to lay");
});
