import { describe, expect, it } from "vitest";
import { MASKS, type Modules, qrCode } from "./qr";

/** Reads a code back by the standard's other direction: format, mask, walk, blocks, checks, bytes. */
function read(modules: Modules): string {
  const size = modules.length;
  const version = (size - 17) / 4;
  const formatAt = [...[0, 1, 2, 3, 4, 5, 7, 8].map((y) => [8, y]), ...[7, 5, 4, 3, 2, 1, 0].map((x) => [x, 8])] as [
    number,
    number,
  ][];
  const format = formatAt.reduce((bits, [x, y], at) => bits | (Number(modules[y]![x]) << at), 0) ^ 0x5412;
  expect(format >> 13, "level M").toBe(0);
  const mask = MASKS[(format >> 10) & 7]!;
  const fixed = functionModules(size, version);
  const bits: number[] = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!fixed(x, y)) bits.push(Number(modules[y]![x] !== mask(x, y)));
    }
  }
  const words = Array.from({ length: bits.length >> 3 }, (_, at) =>
    parseInt(bits.slice(at * 8, at * 8 + 8).join(""), 2),
  );
  const data = blocksOf(version, words);
  const stream = data.map((word) => word.toString(2).padStart(8, "0")).join("");
  expect(stream.slice(0, 4), "byte mode").toBe("0100");
  const long = version < 10 ? 8 : 16;
  const length = parseInt(stream.slice(4, 4 + long), 2);
  const bytes = Array.from({ length }, (_, at) => parseInt(stream.slice(4 + long + at * 8, 12 + long + at * 8), 2));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** The published table of level M: check codewords a block, then blocks and their data codewords. */
const TABLE: Record<number, [number, [number, number][]]> = {
  1: [10, [[1, 16]]],
  2: [16, [[1, 28]]],
  3: [26, [[1, 44]]],
  4: [18, [[2, 32]]],
  5: [24, [[2, 43]]],
  6: [16, [[4, 27]]],
  7: [18, [[4, 31]]],
  8: [
    22,
    [
      [2, 38],
      [2, 39],
    ],
  ],
  9: [
    22,
    [
      [3, 36],
      [2, 37],
    ],
  ],
  10: [
    26,
    [
      [4, 43],
      [1, 44],
    ],
  ],
};
const ALIGN: Record<number, number[]> = {
  1: [],
  2: [18],
  3: [22],
  4: [26],
  5: [30],
  6: [34],
  7: [22, 38],
  8: [24, 42],
  9: [26, 46],
  10: [28, 50],
};

function functionModules(size: number, version: number) {
  const centres = ALIGN[version]!.length > 0 ? [6, ...ALIGN[version]!] : [];
  const far = size - 7;
  const near = (a: number, b: number) => Math.abs(a - b) <= 2;
  return (x: number, y: number): boolean => {
    if (x === 6 || y === 6) return true;
    if ((x < 9 && y < 9) || (x < 9 && y > size - 9) || (x > size - 9 && y < 9)) return true;
    if (version >= 7 && ((x < 6 && y > size - 12) || (y < 6 && x > size - 12))) return true;
    return centres.some((cx) =>
      centres.some(
        (cy) =>
          near(x, cx) &&
          near(y, cy) &&
          !(cx === 6 && cy === 6) &&
          !(cx === 6 && cy === far) &&
          !(cx === far && cy === 6),
      ),
    );
  };
}

/** Takes the blocks apart and checks each: every root of the generator must be a root of the block. */
function blocksOf(version: number, words: number[]): number[] {
  const [check, groups] = TABLE[version]!;
  const lengths = groups.flatMap(([count, length]) => Array<number>(count).fill(length));
  const blocks = lengths.map((): number[] => []);
  let at = 0;
  for (let index = 0; index < Math.max(...lengths); index++)
    lengths.forEach((length, block) => index < length && blocks[block]!.push(words[at++]!));
  const data = blocks.flat();
  for (let index = 0; index < check; index++) blocks.forEach((block) => block.push(words[at++]!));
  const log: number[] = [];
  const power: number[] = [];
  for (let exponent = 0, value = 1; exponent < 255; exponent++, value = value < 128 ? value * 2 : (value * 2) ^ 0x11d)
    [log[value], power[exponent]] = [exponent, value];
  for (const block of blocks) {
    for (let root = 0; root < check; root++) {
      const value = block.reduce((sum, word) => (sum === 0 ? 0 : power[(log[sum]! + root) % 255]!) ^ word, 0);
      expect(value, `syndrome ${root}`).toBe(0);
    }
  }
  return data;
}

describe("a QR code", () => {
  it("is read back, with all its checks, in every version", () => {
    const seen = new Set<number>();
    for (const length of [1, 14, 15, 26, 40, 60, 80, 100, 120, 150, 178, 200, 213]) {
      const text = Array.from({ length }, (_, at) => "https://bastide.example/g/Zx7"[at % 29]).join("");
      const code = qrCode(text);
      seen.add((code.length - 17) / 4);
      expect(read(code)).toBe(text);
    }
    expect([...seen].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
  it("holds text of any script", () =>
    expect(read(qrCode("otpauth://totp/Bastide:Zoé日本"))).toBe("otpauth://totp/Bastide:Zoé日本"));
  it("says when a text is too long", () => expect(() => qrCode("x".repeat(214))).toThrow(RangeError));
  it("has the finders where readers look for them", () => {
    const code = qrCode("Bastide");
    const row = (y: number, from: number) =>
      code[y]!.slice(from, from + 7)
        .map(Number)
        .join("");
    for (const [x, y] of [
      [0, 0],
      [code.length - 7, 0],
      [0, code.length - 7],
    ] as const) {
      expect([0, 1, 2, 3, 4, 5, 6].map((dy) => row(y + dy, x))).toEqual([
        "1111111",
        "1000001",
        "1011101",
        "1011101",
        "1011101",
        "1000001",
        "1111111",
      ]);
    }
  });
});
