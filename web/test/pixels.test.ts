// What is seen on the edges of every tile, pixel by pixel, is what the rules print there.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROTATIONS } from "../src/art/points";
import { VARIANTS, tileSvg } from "../src/art/sprite";
import { KINDS, SIDES, printedTile } from "../src/art/table";
import { type Stage, openStage } from "./browser";

/** For each kind and rotation: what most pixels show at N, E, S, W — in the left half, middle and right half. */
type Seen = Record<string, [left: string, middle: string, right: string][][]>;

let stage: Stage;
let seen: Seen;

beforeAll(async () => {
  stage = await openStage();
  const page = await stage.open("show=nothing");
  const drawings = KINDS.map(
    (kind) =>
      [
        kind,
        Array.from({ length: VARIANTS }, (_, variant) =>
          ROTATIONS.map((rotation) => tileSvg(kind, rotation, variant)),
        ).flat(),
      ] as const,
  );
  seen = await page.evaluate(lookAtTiles, drawings);
}, 180_000);
afterAll(async () => stage?.close());

/** Runs in the browser: paints every drawing and looks along its edges. */
async function lookAtTiles(drawings: (readonly [kind: string, byRotation: string[]])[]): Promise<Seen> {
  const canvas = new OffscreenCanvas(200, 200);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  const classify = (r: number, g: number, b: number) =>
    g > r + 6 ? "field" : Math.min(r, g) > 214 && b > 160 ? "road" : "city";
  let pixels: Uint8ClampedArray = new Uint8ClampedArray();
  /** What most pixels show along a side, from one part of it to another, close to the edge. */
  const most = (side: number, from: number, to: number): string => {
    const counts: Record<string, number> = {};
    for (let along = from; along <= to; along++) {
      for (let deep = 2; deep < 8; deep++) {
        const [x, y] = [
          [along, deep],
          [199 - deep, along],
          [199 - along, 199 - deep],
          [deep, 199 - along],
        ][side]!;
        const at = 4 * (y! * 200 + x!);
        const label = classify(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!);
        counts[label] = (counts[label] ?? 0) + 1;
      }
    }
    return Object.entries(counts).sort((a, b) => b[1] - a[1])[0]![0];
  };
  const seen: Seen = {};
  for (const [kind, byRotation] of drawings) {
    seen[kind] = [];
    for (const drawing of byRotation) {
      const picture = new Image(200, 200);
      picture.src = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
      await picture.decode();
      context.drawImage(picture, 0, 0, 200, 200);
      pixels = context.getImageData(0, 0, 200, 200).data;
      seen[kind].push([0, 1, 2, 3].map((side) => [most(side, 30, 80), most(side, 95, 105), most(side, 120, 170)]));
    }
  }
  return seen;
}

describe.each(KINDS)("tile %s on screen", (kind) => {
  it.each([0, 1, 2, 3])("turned by %i quarters shows the printed edges, however it is drawn", (rotation) => {
    for (let at = 0; at < 4 * VARIANTS; at++) {
      const [variant, side] = [Math.floor(at / 4), at % 4];
      const printed = printedTile(kind).edges[(side - rotation + 4) % 4]!;
      const [left, middle, right] = seen[kind]![4 * variant + rotation]![side]!;
      const ends = printed === "C" ? "city" : "field";
      expect([left, right], SIDES[side]).toEqual([ends, ends]);
      if (printed === "R") expect(middle, SIDES[side]).toBe("road");
      if (printed === "F") expect(middle, SIDES[side]).toBe("field");
    }
  });
});

it("the page had nothing to complain about", () => {
  expect(stage.complaints).toEqual([]);
});
