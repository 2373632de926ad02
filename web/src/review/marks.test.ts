// Reviewed turns on the board.
import { expect, it } from "vitest";
import { bestMark, turnMarks } from "./marks";
import { SAMPLE_STEPS, decision, draw } from "./sample";
import { courseOf } from "./turns";

const { turns } = courseOf(SAMPLE_STEPS);

it("frames what was played, and leads to the better turn from a mistake", () => {
  expect(turnMarks(turns[1]!)).toEqual([
    { cell: "-1,0", tone: "inacc", glyph: "?!" },
    {
      cell: "-1,1",
      tone: "best",
      glyph: "✓",
      ghost: { kind: "U", rotation: 0, player: 1, segment: "road0" },
      from: "-1,0",
    },
  ]);
});

it("shows nothing better beside a turn that was good enough", () => {
  expect(turnMarks(turns[2]!)).toEqual([{ cell: "1,0", tone: "good", glyph: "·" }]);
});

it("draws no arrow where the better turn lies in the same place", () => {
  const [turn] = courseOf([draw({}), decision({ category: "mistake", best: ["0,1 r2", "pass"] })]).turns;
  expect(turnMarks(turn!)).toEqual([{ cell: "0,1", tone: "mistake", glyph: "?" }]);
  expect(bestMark(turn!)[0]!.ghost).toEqual({ kind: "D", rotation: 2, player: 0 });
});
