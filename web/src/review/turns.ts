// The steps of a review as turns: what was drawn, what was decided, what the game was worth then.
import type { ReviewCategory } from "../wire/ReviewCategory";
import type { ReviewStep } from "../wire/ReviewStep";
import type { ReviewWorth } from "../wire/ReviewWorth";
import type { ReviewedDecision } from "../wire/ReviewedDecision";
import type { ReviewedDraw } from "../wire/ReviewedDraw";

export interface ReviewedTurn {
  /** From 1, as the list of moves counts. */
  number: number;
  /** What was drawn for it; the tiles before the last one fitted nowhere. */
  draws: ReviewedDraw[];
  decision: ReviewedDecision;
  /** The tile that was placed. */
  kind: string;
  /** What the game is worth after it, by seat. */
  values: ReviewWorth[];
}

/** A point of the graph: so many turns from the start, a draw between two of them. */
export interface GraphPoint {
  x: number;
  values: ReviewWorth[];
}

export interface Course {
  turns: ReviewedTurn[];
  points: GraphPoint[];
}

const less = (a: ReviewWorth, b: ReviewWorth | undefined): ReviewWorth => ({
  margin: a.margin - (b?.margin ?? 0),
  win: Math.max(0, Math.min(1, a.win - (b?.win ?? 0))),
});

/** The turns and the graph of the steps reviewed so far; of a whole game with how it ended, by seat. */
export function courseOf(steps: readonly ReviewStep[], end: ReviewWorth[] = []): Course {
  const turns: ReviewedTurn[] = [];
  const points: GraphPoint[] = [];
  let draws: ReviewedDraw[] = [];
  let values: ReviewWorth[] = [];
  for (const [at, step] of steps.entries()) {
    if (step.kind === "draw") {
      if (points.length === 0) points.push({ x: 0, values: step.before });
      draws.push(step);
      values = step.after;
      points.push({ x: turns.length + 1 - 0.5 ** draws.length, values });
    } else {
      // What the engine thinks when it looks next; until then, what it thought less what was lost.
      const next = steps[at + 1];
      values = next?.kind === "draw" ? next.before : values.map((value, seat) => less(value, step.measured[seat]));
      const number = turns.length + 1;
      turns.push({ number, draws, decision: step, kind: draws.at(-1)?.drawn ?? "", values });
      points.push({ x: number, values });
      draws = [];
    }
  }
  // Tiles that fit nowhere may be drawn after the last turn.
  if (end.length > 0) points.push({ x: Math.ceil(points.at(-1)?.x ?? 0), values: end });
  return { turns, points };
}

/** The point of the graph after a turn; after turn 0 before the first draw, after the last one the end. */
export function pointAfter({ turns, points }: Course, turn: number): GraphPoint {
  const point = turn === turns.length && turn > 0 ? points.at(-1) : points.find(({ x }) => x === turn);
  return point ?? { x: turn, values: [] };
}

/** How many plies of the record a decision and all before it take. */
export const plyAfter = ({ ply, played }: ReviewedDecision): number => ply - 1 + played.length;

/** The categories from best to worst, as they are counted. */
export const CATEGORIES: readonly ReviewCategory[] = ["best", "good", "inaccuracy", "mistake", "blunder"];

/** Whether something better was missed, clearly. */
export const isMistake = ({ category }: ReviewedDecision): boolean => CATEGORIES.indexOf(category) >= 2;

/** How many decisions of each category a seat made so far; those without a choice do not count. */
export function countCategories(turns: readonly ReviewedTurn[], seat: number): number[] {
  const own = turns.filter(({ decision }) => decision.player === seat && decision.choices > 1);
  return CATEGORIES.map((category) => own.filter(({ decision }) => decision.category === category).length);
}

/** The mistakes of a seat, or of everybody, in the order of play. */
export function mistakesOf(turns: readonly ReviewedTurn[], seat: number | null = null): ReviewedTurn[] {
  return turns.filter(({ decision }) => isMistake(decision) && (seat === null || decision.player === seat));
}

/** Odds of winning weigh most; where the game is decided already, points do. */
const weight = ({ decision: { loss } }: ReviewedTurn): number => loss.win + loss.margin / 1000;

/** The mistakes that cost most, so many of them, in the order of play. */
export function turningPoints(turns: readonly ReviewedTurn[], most: number): ReviewedTurn[] {
  return mistakesOf(turns)
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, most)
    .sort((a, b) => a.number - b.number);
}

/** The mistake that cost most. */
export const costliest = (turns: readonly ReviewedTurn[]): ReviewedTurn | null => turningPoints(turns, 1)[0] ?? null;

/** The next mistake after a turn, or the one before it; nothing if there is none that way. */
export function nextMistake(turns: readonly ReviewedTurn[], from: number, by: 1 | -1): ReviewedTurn | null {
  const mistakes = mistakesOf(turns);
  return (
    (by > 0 ? mistakes.find((turn) => turn.number > from) : mistakes.findLast((turn) => turn.number < from)) ?? null
  );
}
