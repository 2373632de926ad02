// The key stream of ChaCha20 (RFC 8439) with nonce and counter 0, as numbers of 32 bits.

const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

/** Endless numbers from a key of 32 bytes. */
export function* keyStream(key: Uint8Array): Generator<number, never> {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  const words = Array.from({ length: 8 }, (_, i) => view.getUint32(4 * i, true));
  for (let counter = 0; ; counter++) yield* block([...CONSTANTS, ...words, counter, 0, 0, 0]);
}

/** One block of sixteen numbers from a start state. */
export function block(start: readonly number[]): Uint32Array {
  const s = Uint32Array.from(start);
  for (let round = 0; round < 10; round++) {
    quarter(s, 0, 4, 8, 12);
    quarter(s, 1, 5, 9, 13);
    quarter(s, 2, 6, 10, 14);
    quarter(s, 3, 7, 11, 15);
    quarter(s, 0, 5, 10, 15);
    quarter(s, 1, 6, 11, 12);
    quarter(s, 2, 7, 8, 13);
    quarter(s, 3, 4, 9, 14);
  }
  return s.map((word, i) => word + start[i]!);
}

function quarter(s: Uint32Array, a: number, b: number, c: number, d: number): void {
  s[a] = s[a]! + s[b]!;
  s[d] = turn(s[d]! ^ s[a]!, 16);
  s[c] = s[c]! + s[d]!;
  s[b] = turn(s[b]! ^ s[c]!, 12);
  s[a] = s[a]! + s[b]!;
  s[d] = turn(s[d]! ^ s[a]!, 8);
  s[c] = s[c]! + s[d]!;
  s[b] = turn(s[b]! ^ s[c]!, 7);
}

const turn = (word: number, by: number): number => (word << by) | (word >>> (32 - by));
