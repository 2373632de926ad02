// The engine's thoughts about turns of the past, and the turn that was played among them.
import { expect, it } from "vitest";
import { SAMPLE_STEPS, decision, draw } from "../review/sample";
import type { ReplayPly } from "../wire/ReplayPly";
import type { Review } from "../wire/Review";
import { playedAfter, reviewedThought } from "./thoughts";

const review: Review = { depth: "quick", net: "", finished: true, steps: SAMPLE_STEPS, players: [] };

it("takes what a review says of the position, and what was played there", () => {
  const thought = reviewedThought(review, 4)!;
  expect(thought.seat).toBe(1);
  expect(thought.values[0]!.margin).toBe(4.5);
  expect(thought.played).toEqual({ moves: ["-1,0 r0", "field0"], worth: null });
  expect(reviewedThought(review, 3)).toBeNull();
});

it("knows what the turn played is worth, also if it is not among the best", () => {
  const lines = [
    { moves: ["1,1 r0", "pass"], value: { margin: 5, win: 0.6 } },
    { moves: ["2,1 r0", "pass"], value: { margin: 4, win: 0.55 } },
  ];
  const of = (played: string[]) =>
    reviewedThought(
      {
        ...review,
        steps: [
          draw({}),
          decision({
            lines,
            played,
            lost: [
              { margin: 2, win: 0.1 },
              { margin: -2, win: -0.1 },
            ],
          }),
        ],
      },
      1,
    )!.played!.worth;
  expect(of(["2,1 r0", "pass"])).toEqual({ margin: 4, win: 0.55 });
  expect(of(["3,1 r0", "pass"])).toEqual({ margin: 3, win: 0.5 });
});

it("reads the turn that was played from the record: up to the next draw", () => {
  const ply = (ply: number, move: string, seat: number | null): ReplayPly => ({ ply, move, seat, events: [] });
  const plies = [
    ply(1, "D", null),
    ply(2, "0,1 r2", 0),
    ply(3, "city0", 0),
    ply(4, "U", null),
    ply(5, "1,0 r0", 1),
    ply(6, "pass", 1),
  ];
  expect(playedAfter(plies, 1)).toEqual(["0,1 r2", "city0"]);
  expect(playedAfter(plies, 4)).toEqual(["1,0 r0", "pass"]);
  expect(playedAfter(plies, 6)).toEqual([]);
});
