// What a staged segment joins is what the engine says it belongs to once the tile lies.
import { expect, it } from "vitest";
import lesson from "../samples/lesson.json";
import { boardParts } from "../game/view";
import { stepsOf } from "../pages/lesson/steps";
import { printedTile } from "../art";
import { tilesByCell } from "./features";
import { joinedFeature } from "./joined";

it("joins what the engine joins, for every turn of the lesson that reaches its goal", () => {
  let tried = 0;
  for (const step of stepsOf(lesson)) {
    const before = boardParts(step.view);
    for (const [turn, { view }] of Object.entries(step.reached)) {
      const after = boardParts(view);
      const cell = turn.split(" ")[0]!;
      const tile = after.tiles.find((t) => t.cell === cell)!;
      const tiles = tilesByCell([...before.tiles, tile]);
      for (const { name } of printedTile(tile.kind).segments) {
        const joined = joinedFeature({ cell, segment: name }, tiles, before.features)!;
        const whole = after.features.find((f) => f.segments.some((s) => s.cell === cell && s.segment === name))!;
        const places = (segments: { cell: string; segment: string }[]) =>
          segments.map((s) => `${s.cell} ${s.segment}`).sort();
        expect(places(joined.segments), `${turn} ${name}`).toEqual(places(whole.segments));
        tried += 1;
      }
    }
  }
  expect(tried).toBeGreaterThan(10);
});
