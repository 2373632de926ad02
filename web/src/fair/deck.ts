// The order of a finished game's draws, worked out again from what was promised and revealed.
// `docs/fairness.md` tells every byte.
import type { Fairness } from "../wire/Fairness";
import { blake3 } from "./blake3";
import { keyStream } from "./chacha20";

const CONTEXT = "bastide deck\0";
const utf8 = new TextEncoder();

/** What is published before the first draw. */
export function commitment(seed: Uint8Array, game: string): string {
  return hex(blake3(join([seed, utf8.encode(game)])));
}

/** In which part of the deck a tile lies: the river comes first, its lake last of it, then the others. */
function part(tile: unknown): number {
  if (typeof tile !== "string" || !tile.startsWith("RI/")) return 2;
  return tile === "RI/I.e" ? 1 : 0;
}

/** The bag in the order that seed, game and nonces give. */
export function orderOf<T>(seed: Uint8Array, game: string, nonces: readonly string[], bag: readonly T[]): T[] {
  const key = blake3(join([utf8.encode(CONTEXT), seed, ...[game, ...nonces].flatMap(measured)]));
  const numbers = keyStream(key);
  const order = [...bag];
  for (let last = order.length - 1; last > 0; last--) {
    const other = below(numbers, last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order.sort((a, b) => part(a) - part(b));
}

export interface Checks {
  /** The seed is the one that was promised at the start. */
  promised: boolean;
  /** The order follows from seed, game and nonces. */
  ordered: boolean;
  /** The draws are the top of that order. */
  drawn: boolean;
  /** The order as it was worked out here. */
  order: string[];
}

/** Checks what the server tells of a finished game; nothing of it is believed but the promise. */
export function check(told: Fairness): Checks {
  const seed = bytes(told.seed);
  const order = seed ? orderOf(seed, told.game, told.nonces, told.bag) : [];
  const same = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every((each, i) => each === b[i]);
  return {
    promised: seed !== null && commitment(seed, told.game) === told.commit.toLowerCase(),
    ordered: same(order, told.order),
    drawn: told.drawn.length <= order.length && same(order.slice(0, told.drawn.length), told.drawn),
    order,
  };
}

/** Bytes from hexadecimal digits; nothing if it is not 64 of them. */
export function bytes(digits: string): Uint8Array | null {
  if (!/^[0-9a-f]{64}$/i.test(digits)) return null;
  return Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A number below a bound, each as likely: what would make some likelier is thrown away. */
function below(numbers: Generator<number, never>, bound: number): number {
  const multiple = Math.floor(2 ** 32 / bound) * bound;
  for (;;) {
    const number = numbers.next().value;
    if (number < multiple) return number % bound;
  }
}

/** A text with its length in front, lowest byte first, so that no two lists look alike. */
function measured(text: string): Uint8Array[] {
  const encoded = utf8.encode(text);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, encoded.length, true);
  return [length, encoded];
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
