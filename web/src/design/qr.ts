// QR codes (ISO/IEC 18004): text as bytes, error correction M, versions 1 to 10. It is loaded where
// a code is shown, never before.

/** A code as rows of modules; true is dark. The quiet zone around it is not part of it. */
export type Modules = readonly (readonly boolean[])[];

interface Version {
  /** Error correction codewords of each block. */
  check: number;
  /** Data codewords of each block. */
  blocks: readonly number[];
  /** Centres of the alignment patterns along a side. */
  align: readonly number[];
}

const VERSIONS: readonly Version[] = [
  { check: 10, blocks: [16], align: [] },
  { check: 16, blocks: [28], align: [6, 18] },
  { check: 26, blocks: [44], align: [6, 22] },
  { check: 18, blocks: [32, 32], align: [6, 26] },
  { check: 24, blocks: [43, 43], align: [6, 30] },
  { check: 16, blocks: [27, 27, 27, 27], align: [6, 34] },
  { check: 18, blocks: [31, 31, 31, 31], align: [6, 22, 38] },
  { check: 22, blocks: [38, 38, 39, 39], align: [6, 24, 42] },
  { check: 22, blocks: [36, 36, 36, 37, 37], align: [6, 26, 46] },
  { check: 26, blocks: [43, 43, 43, 43, 44], align: [6, 28, 50] },
];

/** The eight masks: which modules of the data are turned over. */
export const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The code of a text of at most 213 bytes. */
export function qrCode(text: string): Modules {
  const bytes = new TextEncoder().encode(text);
  const number =
    VERSIONS.findIndex(({ blocks }, index) => sum(blocks) * 8 >= 4 + lengthBits(index + 1) + bytes.length * 8) + 1;
  const version = VERSIONS[number - 1];
  if (!version) throw new RangeError(`${bytes.length} bytes do not fit in a code of version 10`);
  const codewords = interleaved(version, dataOf(bytes, number, sum(version.blocks)));
  const candidates = MASKS.map((_, mask) => drawn(number, version, codewords, mask));
  return candidates.reduce((best, next) => (penalty(next) < penalty(best) ? next : best));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const lengthBits = (version: number): number => (version < 10 ? 8 : 16);

/** Mode, length, bytes and padding, as codewords. */
function dataOf(bytes: Uint8Array, version: number, room: number): number[] {
  const bits: number[] = [];
  const put = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, lengthBits(version));
  bytes.forEach((byte) => put(byte, 8));
  put(0, Math.min(4, room * 8 - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  const words = Array.from({ length: bits.length / 8 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((word, bit) => word * 2 + bit, 0),
  );
  for (let pad = 0; words.length < room; pad++) words.push(pad % 2 === 0 ? 0xec : 0x11);
  return words;
}

/** The blocks with their check codewords, one codeword of each after the other. */
function interleaved(version: Version, data: number[]): number[] {
  let start = 0;
  const blocks = version.blocks.map((length) => data.slice(start, (start += length)));
  const checks = blocks.map((block) => remainder(block, generator(version.check)));
  const turns = (lists: number[][]) =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, at) =>
      lists.flatMap((list) => list.slice(at, at + 1)),
    ).flat();
  return [...turns(blocks), ...turns(checks)];
}

/** Multiplies in the field of 256 elements (x⁸ + x⁴ + x³ + x² + 1). */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** The coefficients of (x − 1)(x − 2)(x − 4) …, without the leading one. */
function generator(degree: number): number[] {
  let result: number[] = [...Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let step = 0; step < degree; step++) {
    result = result.map((each, at) => times(each, root) ^ (result[at + 1] ?? 0));
    root = times(root, 2);
  }
  return result;
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  let rest = divisor.map(() => 0);
  for (const word of data) {
    const factor = word ^ rest[0]!;
    rest = [...rest.slice(1), 0].map((each, at) => each ^ times(divisor[at]!, factor));
  }
  return rest;
}

/** The whole code with one of the masks. */
function drawn(number: number, version: Version, codewords: readonly number[], mask: number): boolean[][] {
  const size = number * 4 + 17;
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const fixed = modules.map((row) => row.slice());
  const set = (x: number, y: number, dark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    modules[y]![x] = dark;
    fixed[y]![x] = true;
  };
  drawPatterns(size, version.align, set);
  drawFormat(size, mask, set);
  if (number >= 7) drawVersion(size, number, set);
  // Two columns at a time from the right, up and down in turn; the column of the timing is left out.
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const up = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (fixed[y]![x]) continue;
        const data = bit < codewords.length * 8 && ((codewords[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1;
        modules[y]![x] = data !== MASKS[mask]!(x, y);
        bit += 1;
      }
    }
  }
  return modules;
}

type Set = (x: number, y: number, dark: boolean) => void;

/** The three finders with their white frames, the alignment patterns, the timing. */
function drawPatterns(size: number, align: readonly number[], set: Set): void {
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  const square = (cx: number, cy: number, reach: number, dark: (distance: number) => boolean) => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) set(cx + dx, cy + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, (distance) => distance !== 2 && distance !== 4);
  for (const x of align) {
    for (const y of align) {
      const finder = (x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6);
      if (!finder) square(x, y, 2, (distance) => distance !== 1);
    }
  }
}

/** Level M and the mask, twice, with their check bits. */
function drawFormat(size: number, mask: number, set: Set): void {
  let rest = mask;
  for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (at: number) => ((bits >> at) & 1) === 1;
  for (let at = 0; at < 6; at++) set(8, at, bit(at));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let at = 9; at < 15; at++) set(14 - at, 8, bit(at));
  for (let at = 0; at < 8; at++) set(size - 1 - at, 8, bit(at));
  for (let at = 8; at < 15; at++) set(8, size - 15 + at, bit(at));
  set(8, size - 8, true);
}

/** The version, twice, with its check bits. */
function drawVersion(size: number, number: number, set: Set): void {
  let rest = number;
  for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (number << 12) | rest;
  for (let at = 0; at < 18; at++) {
    const dark = ((bits >> at) & 1) === 1;
    const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)];
    set(far, near, dark);
    set(near, far, dark);
  }
}

/** How hard a code is to read, by the standard's four rules. */
function penalty(modules: Modules): number {
  const size = modules.length;
  const columns = modules.map((_, x) => modules.map((row) => row[x]!));
  let points = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const run of text.match(/1{5,}|0{5,}/g) ?? []) points += run.length - 2;
    for (let at = 0; at + 11 <= size; at++) {
      const part = text.slice(at, at + 11);
      if (part === "10111010000" || part === "00001011101") points += 40;
    }
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const dark = modules[y]![x];
      if (dark === modules[y - 1]![x] && dark === modules[y]![x - 1] && dark === modules[y - 1]![x - 1]) points += 3;
    }
  }
  const dark = modules.flat().filter(Boolean).length;
  return points + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}
