// What is still in the bag: the kinds left, and what the next draw may be.
import { KINDS, printedTile } from "../art";

export interface KindLeft {
  kind: string;
  left: number;
  /** How many the game has. */
  all: number;
  discarded: number;
  /** The chance that the next tile is one, from 0 to 1. */
  chance: number;
}

export interface Odds {
  city: number;
  road: number;
  monastery: number;
}

type Counts = Record<string, number | undefined>;

/** The kinds with what is left of each; `next` is what the next tile is drawn from. */
export function kindsLeft(
  bag: Counts,
  discards: Counts,
  kinds: readonly string[] = KINDS,
  next: Counts = bag,
): KindLeft[] {
  const total = inAll(next);
  return kinds.map((kind) => {
    const left = bag[kind] ?? 0;
    const discarded = discards[kind] ?? 0;
    const chance = total === 0 ? 0 : (next[kind] ?? 0) / total;
    return { kind, left, discarded, all: printedTile(kind).count, chance };
  });
}

/** The chance that the next tile has a city edge, a road edge, a monastery. */
export function odds(bag: Counts): Odds {
  const total = inAll(bag);
  const chance = (has: (kind: string) => boolean) => {
    const some = Object.keys(bag)
      .filter(has)
      .reduce((sum, kind) => sum + (bag[kind] ?? 0), 0);
    return total === 0 ? 0 : some / total;
  };
  return {
    city: chance((kind) => printedTile(kind).edges.includes("C")),
    road: chance((kind) => printedTile(kind).edges.includes("R")),
    monastery: chance((kind) => printedTile(kind).segments.some((s) => s.terrain === "monastery")),
  };
}

/** `68 %`; a chance that is there is never shown as none. */
export function percent(chance: number): string {
  const rounded = Math.round(chance * 100);
  return chance > 0 && rounded === 0 ? "< 1 %" : `${rounded} %`;
}

function inAll(counts: Counts): number {
  return Object.values(counts).reduce<number>((sum, n) => sum + (n ?? 0), 0);
}
