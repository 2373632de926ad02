// The engine's thoughts about the position shown: from the review of the game where there is one, else asked for.
import { request } from "../api/request";
import { reviewOf } from "../review/api";
import { courseOf } from "../review/turns";
import type { Analysis } from "../wire/Analysis";
import type { Replay } from "../wire/Replay";
import type { ReplayPly } from "../wire/ReplayPly";
import type { Review } from "../wire/Review";
import type { ReviewWorth } from "../wire/ReviewWorth";
import { paths, think } from "./api";

/** What was thought of a position, with the turn that was played there, if one was. */
export interface Thought extends Pick<Analysis, "seat" | "values" | "lines" | "exact"> {
  played: { moves: string[]; worth: ReviewWorth | null } | null;
}

/** What a review says of the decision in the position after so many plies. */
export function reviewedThought(review: Review, ply: number): Thought | null {
  const turn = courseOf(review.steps).turns.find(({ decision }) => decision.ply === ply + 1);
  if (!turn) return null;
  const { player, lines, exact, played, measured } = turn.decision;
  const [best] = lines;
  const listed = lines.find(({ moves }) => moves.join() === played.join());
  const lost = measured[player];
  const worth =
    listed?.value ??
    (best && lost ? { margin: best.value.margin - lost.margin, win: Math.max(0, best.value.win - lost.win) } : null);
  return {
    seat: player,
    values: turn.draws.at(-1)?.after ?? [],
    lines: lines.map(({ moves, value }) => ({ moves, worth: value })),
    exact,
    played: { moves: played, worth },
  };
}

/** The moves that were made after a ply: the placement and the meeple, up to the next draw. */
export function playedAfter(plies: readonly ReplayPly[], ply: number): string[] {
  const after = plies.filter((each) => each.ply > ply);
  const end = after.findIndex(({ seat }) => seat === null);
  return after.slice(0, end < 0 ? undefined : end).map(({ move }) => move);
}

export class Thoughts {
  #review: Promise<Review | null> | null = null;
  #plies: Promise<ReplayPly[]> | null = null;

  constructor(readonly id: string) {}

  /** From the review of a finished game; nothing if there is none, or nothing was decided there. */
  async reviewed(ply: number): Promise<Thought | null> {
    this.#review ??= reviewOf(this.id, "quick").then(
      ({ review }) => review,
      () => null,
    );
    const review = await this.#review;
    return review && reviewedThought(review, ply);
  }

  /** Asks the engine: about the game as it stands, or after so many plies, where the turn played is known. */
  async ask(ply: number | null, top: number): Promise<Thought> {
    const [thought, played] = await Promise.all([think(this.id, ply, top), ply === null ? [] : this.#played(ply)]);
    const line = thought.lines.find(({ moves }) => moves.join() === played.join());
    return { ...thought, played: played.length > 0 ? { moves: played, worth: line?.worth ?? null } : null };
  }

  async #played(ply: number): Promise<string[]> {
    this.#plies ??= request<Replay>("GET", paths.replay(this.id)).then(({ plies }) => plies ?? []);
    try {
      return playedAfter(await this.#plies, ply);
    } catch {
      this.#plies = null;
      return [];
    }
  }
}
