// Every picture of a tile is sound, and the same every time.
import { describe, expect, it } from "vitest";
import { MARKS, MOST_PLAYERS, markOf } from "./figures";
import { ROTATIONS } from "./points";
import { VARIANTS, tileSvg } from "./sprite";
import { variantOf } from "./sprites";
import { KINDS, printedTile, terrainOf } from "./table";

const count = (text: string, part: string) => text.split(part).length - 1;

describe.each(KINDS)("the picture of tile %s", (kind) => {
  const pictures = ROTATIONS.map((rotation) => tileSvg(kind, rotation));

  it("is whole: no broken number, every group closed, every symbol defined", () => {
    for (const picture of pictures) {
      expect(picture).not.toMatch(/NaN|undefined|Infinity|null/);
      expect(count(picture, "<g")).toBe(count(picture, "</g>"));
      const used = new Set([...picture.matchAll(/href="#(\w+)"/g)].map((m) => m[1]));
      for (const name of used) expect(picture).toContain(`<g id="${name}">`);
    }
  });

  it("is drawn alike every time", () => {
    expect(tileSvg(kind, 0)).toBe(pictures[0]);
  });

  it("shows the same things at every rotation, upright", () => {
    const things = (picture: string) => [...picture.matchAll(/<use href="#(\w+)"/g)].map((m) => m[1]).sort();
    for (const picture of pictures) {
      expect(things(picture)).toEqual(things(pictures[0]!));
      expect(picture).not.toContain("rotate(");
    }
  });

  it("shows its pennants", () => {
    const pennants = printedTile(kind).segments.reduce((sum, s) => sum + (s.pennants ?? 0), 0);
    for (const picture of pictures) expect(count(picture, "#f3c94f")).toBe(pennants);
  });
});

it("copies of a kind are drawn in several ways, and neighbours never alike", () => {
  for (const kind of KINDS) {
    const drawn = new Set(Array.from({ length: VARIANTS }, (_, variant) => tileSvg(kind, 1, variant)));
    expect(drawn.size, kind).toBe(VARIANTS);
    for (const picture of drawn) expect(picture).not.toMatch(/NaN|undefined|Infinity|null/);
  }
  for (let x = -5; x <= 5; x++) {
    for (let y = -5; y <= 5; y++) {
      const here = variantOf(`${x},${y}`);
      expect(here).toBeGreaterThanOrEqual(0);
      for (const beside of [`${x + 1},${y}`, `${x},${y + 1}`]) expect(variantOf(beside)).not.toBe(here);
    }
  }
});

it("an unknown tile or segment is refused by name", () => {
  expect(() => tileSvg("Z", 0)).toThrow("no tile of kind 'Z'; there are A B C");
  expect(() => terrainOf("castle0")).toThrow("no segment is called 'castle0'");
});

it("each of six players has a mark of its own", () => {
  expect(new Set(Array.from({ length: MOST_PLAYERS }, (_, player) => markOf(player))).size).toBe(MARKS.length);
  expect(() => markOf(6)).toThrow("no player 6; there are 0 to 5");
});
