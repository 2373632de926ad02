// BLAKE3, the hash, for texts of any length: what commitments and shuffle keys are made with.

const START = new Uint32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const BLOCK = 64;
const CHUNK = 1024;
const CHUNK_START = 1;
const CHUNK_END = 2;
const PARENT = 4;
const ROOT = 8;

/** The 32 bytes of the hash. */
export function blake3(input: Uint8Array): Uint8Array {
  const words = hashTree(input, 0, true);
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < 8; i++) view.setUint32(4 * i, words[i]!, true);
  return bytes;
}

/** The chaining value of a part of the input that begins with chunk number `first`. */
function hashTree(input: Uint8Array, first: number, root: boolean): Uint32Array {
  if (input.length <= CHUNK) return hashChunk(input, first, root);
  // The left half is the largest power of two of whole chunks that leaves something to the right.
  let left = CHUNK;
  while (left * 2 < input.length) left *= 2;
  const block = new Uint32Array(16);
  block.set(hashTree(input.subarray(0, left), first, false), 0);
  block.set(hashTree(input.subarray(left), first + left / CHUNK, false), 8);
  return compress(START, block, 0, BLOCK, PARENT | (root ? ROOT : 0));
}

function hashChunk(chunk: Uint8Array, number: number, root: boolean): Uint32Array {
  let value: Uint32Array = START;
  const blocks = Math.max(1, Math.ceil(chunk.length / BLOCK));
  for (let i = 0; i < blocks; i++) {
    const bytes = chunk.subarray(i * BLOCK, (i + 1) * BLOCK);
    const last = i === blocks - 1;
    const flags = (i === 0 ? CHUNK_START : 0) | (last ? CHUNK_END | (root ? ROOT : 0) : 0);
    value = compress(value, wordsOf(bytes), number, bytes.length, flags);
  }
  return value;
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  const padded = new Uint8Array(BLOCK);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  return Uint32Array.from({ length: 16 }, (_, i) => view.getUint32(4 * i, true));
}

function compress(value: Uint32Array, block: Uint32Array, counter: number, length: number, flags: number): Uint32Array {
  const state = new Uint32Array(16);
  state.set(value, 0);
  state.set(START.subarray(0, 4), 8);
  state[12] = counter >>> 0;
  state[13] = Math.floor(counter / 2 ** 32);
  state[14] = length;
  state[15] = flags;
  let words = Array.from(block);
  for (let round = 0; round < 7; round++) {
    mixAll(state, words);
    words = PERMUTATION.map((from) => words[from]!);
  }
  return Uint32Array.from({ length: 8 }, (_, i) => state[i]! ^ state[i + 8]!);
}

function mixAll(s: Uint32Array, m: number[]): void {
  mix(s, 0, 4, 8, 12, m[0]!, m[1]!);
  mix(s, 1, 5, 9, 13, m[2]!, m[3]!);
  mix(s, 2, 6, 10, 14, m[4]!, m[5]!);
  mix(s, 3, 7, 11, 15, m[6]!, m[7]!);
  mix(s, 0, 5, 10, 15, m[8]!, m[9]!);
  mix(s, 1, 6, 11, 12, m[10]!, m[11]!);
  mix(s, 2, 7, 8, 13, m[12]!, m[13]!);
  mix(s, 3, 4, 9, 14, m[14]!, m[15]!);
}

function mix(s: Uint32Array, a: number, b: number, c: number, d: number, x: number, y: number): void {
  s[a] = s[a]! + s[b]! + x;
  s[d] = turn(s[d]! ^ s[a]!, 16);
  s[c] = s[c]! + s[d]!;
  s[b] = turn(s[b]! ^ s[c]!, 12);
  s[a] = s[a]! + s[b]! + y;
  s[d] = turn(s[d]! ^ s[a]!, 8);
  s[c] = s[c]! + s[d]!;
  s[b] = turn(s[b]! ^ s[c]!, 7);
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
