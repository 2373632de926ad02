// The steps of the lessons, as the engine wrote them down.
import type { GameEvent } from "../../game/events";
import type { CarcassonneView } from "../../wire/CarcassonneView";
import type { LegalMove } from "../../wire/LegalMove";

export type BaseStep = "place" | "claim" | "finish" | "farm";

export type SetStep =
  | ("inn" | "big" | "majority" | "cathedral")
  | ("goods" | "builder" | "double" | "pig")
  | ("flow" | "bank" | "lake")
  | ("garden" | "surround" | "recall");

export type StepName = BaseStep | SetStep;

/** The words of a step: its heading, what to do, and what is said of a turn that reaches or misses the goal. */
export type Part = "" | "More" | "Done" | "Miss";

/** Whether a step is about the tile alone. */
export const tileAlone = (step: StepName): boolean => ["place", "flow", "lake"].includes(step);

/** Whether its outcome is seen best with the fields tinted. */
export const onFields = (step: StepName): boolean => ["farm", "pig", "bank"].includes(step);

/** What comes of a turn that reaches the goal. */
export interface Reached {
  view: CarcassonneView;
  events: GameEvent[];
}

export interface LessonStep {
  name: StepName;
  view: CarcassonneView;
  /** Every legal turn; those that miss the goal are answered kindly. */
  legal: LegalMove[];
  /** By the turn as it is written, "1,0 r0; road0". */
  reached: Record<string, Reached>;
}

/** The parts of a view that an outcome leaves out, because lessons do not show them. */
const REST = {
  current_tile: null,
  tiles_remaining: 0,
  bag: {},
  discards: {},
  projected_scores: [],
  breakdown: [],
  last_placed_position: null,
  dead_cells: [],
};

export function stepsOf(json: unknown): LessonStep[] {
  return (json as LessonStep[]).map((step) => ({
    ...step,
    reached: Object.fromEntries(
      Object.entries(step.reached).map(([turn, { view, events }]) => [turn, { view: { ...REST, ...view }, events }]),
    ),
  }));
}
