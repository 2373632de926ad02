// What the engine thinks of the place looked at: the best turns, deeper and deeper, or what each draw is worth.
import { Engine, EngineStopped, type Thoughts } from "../engine/client";
import { EngineRefused } from "../engine/permission";
import type { SeatValue } from "../wire/SeatValue";

/** So far a position is thought about: some seconds. */
const MOST_NODES = 400_000;
/** So much for what a draw is worth: all of them within a second or two. */
const DRAW_NODES = 500;
/** How many turns are listed. */
const TOP = 5;
/** Who steps on rests so many milliseconds before the engine begins. */
const REST = 200;

export interface Question {
  record: string;
  /** A start that was laid by hand. */
  layout: string | null;
  /** Where a tile is drawn: the kinds that may come. */
  draws: string[];
}

export class Thinking {
  on = $state(false);
  thoughts = $state.raw<Thoughts | null>(null);
  /** What drawing a kind is worth to each seat, as far as it is known; to nobody anything if it fits nowhere. */
  worths = $state.raw<ReadonlyMap<string, readonly SeatValue[]>>(new Map());
  busy = $state(false);
  trouble = $state<"refused" | "failed" | null>(null);
  #engine = new Engine();

  /** Thinks until it is told to stop, by calling what it gives. */
  about(question: Question): () => void {
    this.thoughts = null;
    this.worths = new Map();
    this.trouble = null;
    let over = false;
    const timer = setTimeout(() => void this.#think(question, () => over), REST);
    return () => {
      over = true;
      clearTimeout(timer);
      if (this.busy) this.#engine.stop();
      this.busy = false;
    };
  }

  close(): void {
    this.#engine.stop();
  }

  async #think(question: Question, isOver: () => boolean): Promise<void> {
    const start = question.layout === null ? {} : { layout: question.layout };
    this.busy = true;
    try {
      if (question.draws.length > 0) await this.#value(question, start, isOver);
      else {
        const told = (thoughts: Thoughts) => !isOver() && (this.thoughts = thoughts);
        told(await this.#engine.analyse({ record: question.record, ...start, nodes: MOST_NODES, top: TOP }, told));
      }
    } catch (error) {
      if (error instanceof EngineStopped || isOver()) return;
      this.trouble = error instanceof EngineRefused ? "refused" : "failed";
    }
    if (!isOver()) this.busy = false;
  }

  async #value({ record, draws }: Question, start: { layout?: string }, isOver: () => boolean): Promise<void> {
    for (const kind of draws) {
      const drawn = `${record}${record.endsWith("\n") ? "" : "; "}${kind}`;
      // A tile that fits nowhere is set aside: nobody is to move then.
      const { values } = await this.#engine
        .analyse({ record: drawn, ...start, nodes: DRAW_NODES, top: 1 })
        .catch((error) => {
          if (error instanceof EngineStopped || error instanceof EngineRefused) throw error;
          return { values: [] };
        });
      if (isOver()) return;
      this.worths = new Map(this.worths).set(kind, values);
    }
  }
}
