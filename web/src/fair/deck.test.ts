// The vectors come from an independent program; the server is tested against the same file.
import { describe, expect, it } from "vitest";
import vectors from "../../../crates/server/tests/fixtures/fairness.json";
import { blake3 } from "./blake3";
import { block } from "./chacha20";
import { bytes, check, commitment, hex, orderOf } from "./deck";

const repeat = (length: number) => Uint8Array.from({ length }, (_, i) => i % 251);

describe("BLAKE3", () => {
  // From the official test vectors: the input is 0, 1, … 250, 0, 1, …
  const known: [number, string][] = [
    [0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"],
    [1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"],
    [1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"],
    [1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"],
    [1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"],
    [2048, "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"],
    [3072, "b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2"],
  ];
  for (const [length, digest] of known) {
    it(`hashes ${length} bytes`, () => expect(hex(blake3(repeat(length)))).toBe(digest));
  }
});

describe("ChaCha20", () => {
  it("makes the block of RFC 8439, section 2.3.2", () => {
    const key = Array.from({ length: 8 }, (_, i) => new DataView(repeat(32).buffer).getUint32(4 * i, true));
    const state = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...key, 1, 0x09000000, 0x4a000000, 0];
    const found = Array.from(block(state), (word) => word.toString(16).padStart(8, "0"));
    expect(found.slice(0, 4)).toEqual(["e4e7f110", "15593bd1", "1fdd0f50", "c47120a3"]);
    expect(found.at(-1)).toBe("4e3c50a2");
  });
});

describe("the draws of a game", () => {
  it("agree with the vectors", () => {
    expect(vectors.vectors.length).toBeGreaterThan(0);
    for (const vector of vectors.vectors) {
      const seed = bytes(vector.seed)!;
      expect(commitment(seed, vector.game)).toBe(vector.commit);
      expect(orderOf(seed, vector.game, vector.nonces, vector.bag)).toEqual(vector.order);
    }
  });

  const vector = vectors.vectors.at(-1)!;
  const honest = {
    game: vector.game,
    setup: vector.setup,
    commit: vector.commit,
    seed: vector.seed,
    nonces: vector.nonces,
    bag: vector.bag,
    order: vector.order,
    drawn: vector.order.slice(0, 30),
    fair: true,
  };

  it("are found fair where they are", () => {
    expect(check(honest)).toMatchObject({ promised: true, ordered: true, drawn: true });
  });
  it("are found out where something was changed", () => {
    const at = honest.drawn.findIndex((each) => each !== honest.drawn[0]);
    const forged = honest.drawn.with(0, honest.drawn[at]!).with(at, honest.drawn[0]!);
    expect(check({ ...honest, drawn: forged }).drawn).toBe(false);
    expect(check({ ...honest, seed: "11".repeat(32) }).promised).toBe(false);
    expect(check({ ...honest, seed: "none" })).toMatchObject({ promised: false, drawn: false });
    expect(check({ ...honest, nonces: [...honest.nonces, "eve"] }).ordered).toBe(false);
    expect(check({ ...honest, game: "another" })).toMatchObject({ promised: false, ordered: false });
  });
});
