// What the panel adds up must agree with what the server projects.
import { expect, test } from "vitest";
import { ifEndedNow, ownedFields } from "./count";
import { SAMPLE_VIEW } from "./sample";

const FARMED = {
  ...SAMPLE_VIEW,
  features: { ...SAMPLE_VIEW.features, "2": { ...SAMPLE_VIEW.features["2"]!, owners: [1] } },
};

test("the count if the game ended now is the server's", () => {
  const rows = ifEndedNow(FARMED);
  expect(rows).toEqual([
    { city: 0, road: 2, monastery: 0, field: 0 },
    { city: 4, road: 0, monastery: 0, field: 3 },
  ]);
  const sums = rows.map((r) => r.city + r.road + r.monastery + r.field);
  expect(sums).toEqual(FARMED.projected_scores);
});

test("only fields with a farmer are listed", () => {
  expect(ownedFields(SAMPLE_VIEW)).toEqual([]);
  expect(ownedFields(FARMED)).toEqual([{ id: "2", owners: [1], tiles: 1, farmers: 1, cities: 1, points: 3 }]);
});
