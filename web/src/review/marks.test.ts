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
  expect(turnMarks(turns[2]!)).toEqual([{ cell: "1,0", tone: "good", glyph: "" }]);
});

it("shows where the meeple had better gone, if the tile lies where it should", () => {
  const of = (best: string[]) => courseOf([draw({}), decision({ category: "mistake", best })]).turns[0]!;
  const own = { cell: "0,1", tone: "mistake", glyph: "?" };
  const meeple = { kind: "D", rotation: 2, player: 0 };
  expect(turnMarks(of(["0,1 r2", "pass"]))).toEqual([{ ...own, meeple: { ...meeple, segment: "city0", stays: true } }]);
  expect(turnMarks(of(["0,1 r2", "road0"]))).toEqual([
    { ...own, meeple: { ...meeple, segment: "road0", stays: false } },
  ]);
  expect(bestMark(of(["0,1 r2", "pass"]))[0]!.ghost).toEqual(meeple);
});

it("shows a tile that had better been turned beside the one played, where there is room", () => {
  const turn = courseOf([draw({}), decision({ category: "mistake", best: ["0,1 r1", "pass"] })]).turns[0]!;
  const beside = (isFree: (cell: string) => boolean) => turnMarks(turn, isFree)[1];
  expect(beside(() => true)).toMatchObject({ cell: "0,1", aside: "-1,1", ghost: { kind: "D", rotation: 1 } });
  expect(beside((cell) => cell === "0,0")).toMatchObject({ aside: "0,0" });
  expect(beside(() => false)).toMatchObject({ aside: "-1,1" });
});
