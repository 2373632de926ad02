// The steps of a review as turns, and which of them turned the game.
import { describe, expect, it } from "vitest";
import { SAMPLE_STEPS, decision, draw } from "./sample";
import {
  costliest,
  countCategories,
  courseOf,
  mistakesOf,
  nextMistake,
  plyAfter,
  pointAfter,
  turningPoints,
} from "./turns";

describe("the course of a review", () => {
  const course = courseOf(SAMPLE_STEPS);

  it("begins with what the game was worth before the first draw", () => {
    expect(pointAfter(course, 0)).toEqual(course.points[0]);
    expect(course.points[0]).toMatchObject({ x: 0, values: [{ margin: 2 }, { margin: -2 }] });
  });

  it("is worth after a decision what the engine thinks before the next draw", () => {
    const [first] = course.turns;
    expect(SAMPLE_STEPS[2]).toMatchObject({ kind: "draw", ply: 4, before: first!.values });
  });

  it("is worth after the latest decision what the draw was, less what was measured", () => {
    const second = courseOf(SAMPLE_STEPS.slice(0, 4)).turns[1];
    // Drawn: 4.5 and -4.5. The second player lost 2.2 points and 4 % to win.
    expect(second!.values[0]!.margin).toBeCloseTo(6.7);
    expect(second!.values[1]!.margin).toBeCloseTo(-6.7);
    expect(second!.values[1]!.win).toBeCloseTo(0.37);
  });

  it("puts draws between the turns, also where a tile fitted nowhere", () => {
    expect(course.points.map(({ x }) => x)).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 2.75, 3]);
    expect(course.turns[2]!.draws).toHaveLength(2);
    expect(course.turns[2]!.kind).toBe("V");
  });

  it("keeps chances between nothing and everything", () => {
    const { turns } = courseOf([
      draw({ after: [worth(0, 0.02), worth(0, 0.98)] }),
      decision({ lost: [worth(1, 0.05), worth(-1, -0.05)] }),
    ]);
    expect(turns[0]!.values.map(({ win }) => win)).toEqual([0, 1]);
  });

  it("knows nothing yet of a review without steps", () => {
    expect(courseOf([])).toEqual({ turns: [], points: [] });
    expect(pointAfter(courseOf([]), 0).values).toEqual([]);
  });

  it("ends with the result, also if tiles that fit nowhere are drawn after the last turn", () => {
    const end = [worth(9, 1), worth(-9, 0)];
    expect(pointAfter(courseOf(SAMPLE_STEPS, end), 3)).toEqual({ x: 3, values: end });
    expect(pointAfter(courseOf([...SAMPLE_STEPS, draw({})], end), 3)).toEqual({ x: 4, values: end });
    expect(pointAfter(courseOf(SAMPLE_STEPS, end), 1).values).toEqual(course.turns[0]!.values);
  });

  it("knows the board after a decision: before it, and all its moves", () => {
    expect(plyAfter(decision({ ply: 5 }))).toBe(6);
  });
});

describe("mistakes", () => {
  const losses: [number, "inaccuracy" | "mistake" | "blunder" | "good", number][] = [
    [0, "good", 0],
    [1, "inaccuracy", 0.04],
    [0, "blunder", 0.2],
    [1, "mistake", 0.07],
  ];
  const { turns } = courseOf(
    losses.flatMap(([player, category, win], at) => [
      draw({ ply: 3 * at + 1 }),
      decision({ ply: 3 * at + 2, player, category, loss: worth(50 * win, win) }),
    ]),
  );

  it("are inaccuracies and worse, of a seat or of everybody", () => {
    expect(mistakesOf(turns).map(({ number }) => number)).toEqual([2, 3, 4]);
    expect(mistakesOf(turns, 1).map(({ number }) => number)).toEqual([2, 4]);
  });

  it("turn the game if they cost most, told in the order of play", () => {
    expect(turningPoints(turns, 2).map(({ number }) => number)).toEqual([3, 4]);
    expect(costliest(turns)?.number).toBe(3);
    expect(costliest([])).toBeNull();
  });

  it("are gone to one after the other, and back", () => {
    expect(nextMistake(turns, 0, 1)?.number).toBe(2);
    expect(nextMistake(turns, 2, 1)?.number).toBe(3);
    expect(nextMistake(turns, 4, 1)).toBeNull();
    expect(nextMistake(turns, 4, -1)?.number).toBe(3);
    expect(nextMistake(turns, 2, -1)).toBeNull();
  });

  it("are counted by category, without decisions that had no choice", () => {
    const forced = courseOf([draw({}), decision({ choices: 1 })]).turns;
    expect(countCategories(turns, 1)).toEqual([0, 0, 1, 1, 0]);
    expect(countCategories(forced, 0)).toEqual([0, 0, 0, 0, 0]);
  });
});

function worth(margin: number, win: number) {
  return { margin, win };
}
