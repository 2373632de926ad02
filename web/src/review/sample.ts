// A small review for the tests: three turns of two players, as the server tells them.
import type { ReviewStep } from "../wire/ReviewStep";
import type { ReviewWorth } from "../wire/ReviewWorth";
import type { ReviewedDecision } from "../wire/ReviewedDecision";

const NOTHING: ReviewWorth = { margin: 0, win: 0 };

/** What a worth is to both of two players. */
const both = (margin: number, win: number): ReviewWorth[] => [
  { margin, win },
  { margin: -margin, win: 1 - win },
];

export function draw(of: Partial<Extract<ReviewStep, { kind: "draw" }>>): ReviewStep {
  return {
    kind: "draw",
    ply: 1,
    player: 0,
    drawn: "D",
    tiles_left: 71,
    before: both(0, 0.5),
    after: both(0, 0.5),
    luck: [NOTHING, NOTHING],
    exact: false,
    ...of,
  };
}

/** `lost` is what was measured, by seat. */
export function decision({
  lost,
  ...of
}: Partial<ReviewedDecision> & { lost?: ReviewWorth[] }): { kind: "decision" } & ReviewedDecision {
  return {
    kind: "decision",
    ply: 2,
    player: 0,
    choices: 30,
    played: ["0,1 r2", "city0"],
    best: ["0,1 r2", "city0"],
    measured: lost ?? [NOTHING, NOTHING],
    error: NOTHING,
    loss: NOTHING,
    category: "best",
    exact: false,
    lines: [],
    reasons: [],
    facts: [],
    ...of,
  };
}

export const SAMPLE_STEPS: ReviewStep[] = [
  draw({ before: both(2, 0.54), after: both(3.7, 0.58) }),
  decision({}),
  draw({ ply: 4, player: 1, drawn: "U", after: both(4.5, 0.59) }),
  decision({
    ply: 5,
    player: 1,
    played: ["-1,0 r0", "field0"],
    best: ["-1,1 r0", "road0"],
    lost: [
      { margin: -2.2, win: -0.04 },
      { margin: 2.2, win: 0.04 },
    ],
    error: { margin: 0.35, win: 0.007 },
    loss: { margin: 2.2, win: 0.04 },
    category: "inaccuracy",
    reasons: [
      { player: 1, source: "later", points: 3.5, error: 0.5 },
      { player: 1, source: "field", points: -3.2, error: 0.3 },
      { player: 1, source: "road", points: 2.3, error: 0.5 },
      { player: 0, source: "road", points: -2.1, error: 0.5 },
    ],
  }),
  draw({ ply: 7, drawn: "C", after: both(6.7, 0.63) }),
  draw({ ply: 8, drawn: "V", after: both(6, 0.62) }),
  decision({ ply: 9, category: "good", played: ["1,0 r1", "pass"] }),
];
