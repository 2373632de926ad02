// The odds of the next draw follow from what is in the bag.
import { expect, test } from "vitest";
import { KINDS } from "../art";
import { kindsLeft, odds, percent } from "./odds";

test("every kind is listed with what is left, spent ones too", () => {
  const left = kindsLeft({ U: 3, B: 1 }, { C: 1 });
  expect(left.map((k) => k.kind)).toEqual(KINDS);
  const of = (kind: string) => left.find((k) => k.kind === kind);
  expect(of("U")).toEqual({ kind: "U", left: 3, all: 8, discarded: 0, chance: 0.75 });
  expect(of("C")).toEqual({ kind: "C", left: 0, all: 1, discarded: 1, chance: 0 });
});

test("a tile counts once for each thing it shows", () => {
  // D has a city and a road, B a monastery alone, A a monastery with a road, E a city alone.
  expect(odds({ D: 1, B: 1, A: 1, E: 1 })).toEqual({ city: 0.5, road: 0.5, monastery: 0.5 });
  expect(odds({})).toEqual({ city: 0, road: 0, monastery: 0 });
});

test("a small chance is not called none", () => {
  expect([0, 0.001, 0.0149, 0.5, 1].map(percent)).toEqual(["0 %", "< 1 %", "1 %", "50 %", "100 %"]);
});
