// How fast the page shows what happened: nobody's points are cut short by the next turn, and a player who
// answers at once is seen to. Only what is shown waits; clocks and what is sent do not.
import type { FromServer } from "../wire/FromServer";
import type { GameEvent } from "./events";

/** A turn is seen for so long before the next one is shown, and points for so long. */
const BREATH = 650;
const POINTS = 1_600;
/** With clocks nobody waits longer than this to see that it is their turn. */
const CLOCKED = 650;
/** More messages than this do not wait: the game is faster than the page. */
const MOST_WAITING = 3;

export interface PaceOptions {
  show: (message: FromServer) => void;
  /** How long everything takes: 1 as usual, 0 without waiting. */
  speed: () => number;
  clocked: () => boolean;
  now?: () => number;
}

/** Passes on messages in their order, with a breath after each that showed a turn. */
export class Pace {
  #options: PaceOptions;
  #waiting: FromServer[] = [];
  #freeAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Shows a message now, or once what is shown has been seen. */
  take(message: FromServer): void {
    this.#waiting.push(message);
    this.#pass();
  }

  /** Shows everything that waits, at once. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#freeAt = 0;
    for (const message of this.#waiting.splice(0)) this.#options.show(message);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  #pass(): void {
    clearTimeout(this.#timer);
    while (this.#waiting.length > 0) {
      const events = eventsOf(this.#waiting[0]!);
      const wait = events.some((event) => event.event === "tile_placed") ? this.#freeAt - this.#now() : 0;
      if (wait > 0 && this.#waiting.length <= MOST_WAITING) {
        this.#timer = setTimeout(() => this.#pass(), wait);
        return;
      }
      this.#options.show(this.#waiting.shift()!);
      if (events.length > 0) this.#freeAt = this.#now() + this.#seenFor(events);
    }
  }

  #seenFor(events: readonly GameEvent[]): number {
    const { speed, clocked } = this.#options;
    const long = events.some((event) => event.event === "feature_scored") ? POINTS : BREATH;
    return speed() * (clocked() ? Math.min(long, CLOCKED) : long);
  }
}

function eventsOf(message: FromServer): GameEvent[] {
  return message.type === "update" ? (message.update.events as unknown as GameEvent[]) : [];
}
