// The steps of the lesson, as the engine wrote them down.
import type { GameEvent } from "../../game/events";
import type { CarcassonneView } from "../../wire/CarcassonneView";
import type { LegalMove } from "../../wire/LegalMove";

/** What comes of a turn that reaches the goal. */
export interface Reached {
  view: CarcassonneView;
  events: GameEvent[];
}

export interface LessonStep {
  name: "place" | "claim" | "finish" | "farm";
  view: CarcassonneView;
  /** Every legal turn; those that miss the goal are answered kindly. */
  legal: LegalMove[];
  /** By the turn as it is written, "1,0 r0; road0". */
  reached: Record<string, Reached>;
}

/** The parts of a view that an outcome leaves out, because the lesson does not show them. */
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
