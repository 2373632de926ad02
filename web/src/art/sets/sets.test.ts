// The tiles of the sets are drawn as the rules print them. Run with `BLESS=1` to write the table of anchors anew.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { MEEPLE_WIDTH, anchor } from "../anchors";
import { BODIES, FIGURE } from "../figures";
import { halfEdgePoint, labelAt, labelGrid, neighbours } from "../grid";
import { outline } from "../outline";
import { placeAnchors } from "../place_anchors";
import { type Point, ROTATIONS, distance, turn } from "../points";
import { tileShape } from "../shape";
import { VARIANTS, tileSvg } from "../sprite";
import { type Half, SIDES, printedTile } from "../table";
import { SET_KINDS } from ".";

const FILE = fileURLToPath(new URL("anchors.json", import.meta.url));
const HALVES = SIDES.flatMap((side) => [`${side}L`, `${side}R`] as Half[]);
const EDGE_MIDDLES: Record<string, Point> = { N: [50, 0.5], E: [99.5, 50], S: [50, 99.5], W: [0.5, 50] };
const count = (text: string, part: string) => text.split(part).length - 1;

it("the table of anchors is up to date", () => {
  const rows = SET_KINDS.map((kind) => {
    const turned = Object.entries(placeAnchors(kind)).map(([segment, point]) => [
      segment,
      ROTATIONS.map((rotation) => turn(point, rotation)),
    ]);
    return `  "${kind}": ${JSON.stringify(Object.fromEntries(turned))}`;
  });
  const text = `{\n${rows.join(",\n")}\n}\n`;
  if (process.env["BLESS"]) writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8"), "run the test with BLESS=1 to write the table anew").toBe(text);
});

it("all sets have 62 tiles of 59 kinds", () => {
  const of = (set: string) => SET_KINDS.filter((kind) => printedTile(kind).set === set);
  const tiles = (set: string) => of(set).reduce((sum, kind) => sum + printedTile(kind).count, 0);
  expect(["inns", "traders", "river", "gardens"].map(tiles)).toEqual([18, 24, 12, 8]);
  expect(SET_KINDS).toHaveLength(59);
});

describe.each(SET_KINDS)("tile %s", (kind) => {
  const tile = printedTile(kind);
  const grid = labelGrid(kind);
  const owner = (reaches: (segment: (typeof tile.segments)[number]) => boolean | undefined) =>
    tile.segments.find(reaches)?.name;

  it("has the segments and as many fields as the rules print", () => {
    expect(grid.meadows).toBe(tile.segments.filter((s) => s.terrain === "field").length);
    for (const { name } of tile.segments) expect(grid.labels, name).toContain(name);
  });

  it("shows on every half edge what the rules say", () => {
    for (const half of HALVES) {
      const side = half[0]!;
      const expected = owner((s) =>
        tile.edges[SIDES.findIndex((at) => at === side)] === "C"
          ? s.terrain === "city" && s.sides?.includes(side)
          : s.halves?.includes(half),
      );
      expect(labelAt(grid, halfEdgePoint(half)), half).toBe(expected);
    }
  });

  it("has roads in the middle of road edges and water in the middle of the river's", () => {
    for (const [i, side] of SIDES.entries()) {
      const seen = labelAt(grid, EDGE_MIDDLES[side]!);
      if (tile.edges[i] === "R") expect(seen, side).toBe(owner((s) => s.terrain === "road" && s.sides?.includes(side)));
      else expect(seen ?? "", side).not.toMatch(/^road/);
      expect(tileShape(kind).more!.isWater(EDGE_MIDDLES[side]!), side).toBe(tile.edges[i] === "W");
    }
  });

  it("lets fields touch the cities that the rules list", () => {
    for (const field of tile.segments.filter((s) => s.terrain === "field")) {
      expect([...touchedCities(kind, field.name)].sort(), field.name).toEqual(field.cities ?? []);
    }
  });

  it("has a place for a figure in each segment, clear of the others", () => {
    for (const [i, { name, terrain }] of tile.segments.entries()) {
      if (terrain !== "monastery") expect(labelAt(grid, anchor(kind, name, 0)), name).toBe(name);
      for (const other of tile.segments.slice(i + 1))
        expect(distance(anchor(kind, name, 1), anchor(kind, other.name, 1)), `${name} ${other.name}`).toBeGreaterThan(
          MEEPLE_WIDTH - 5,
        );
      expect(outline(kind, name, 1).fill, name).not.toMatch(/NaN|^$/);
    }
  });

  it("is drawn whole and in several ways", () => {
    const drawn = new Set<string>();
    for (const rotation of ROTATIONS) {
      for (let variant = 0; variant < VARIANTS; variant++) {
        const picture = tileSvg(kind, rotation, variant);
        expect(picture).not.toMatch(/NaN|undefined|Infinity|null/);
        expect(count(picture, "<g")).toBe(count(picture, "</g>"));
        for (const [, name] of picture.matchAll(/href="#(\w+)"/g)) expect(picture).toContain(`<g id="${name}">`);
        drawn.add(picture);
      }
    }
    expect(drawn.size).toBe(4 * VARIANTS);
  });
});

it("every figure has an outline of its own", () => {
  const outlines = Object.values(BODIES).map(({ cloak }) => cloak);
  expect(Object.keys(BODIES).sort()).toEqual(["abbot", "big", "builder", "pig", "recall"]);
  expect(new Set([...outlines, FIGURE.cloak]).size).toBe(5);
});

/** The cities beyond the wall of a field: a few squares away, with nothing else between. */
function touchedCities(kind: string, field: string): Set<string> {
  const { labels } = labelGrid(kind);
  const { village, more } = tileShape(kind);
  const isOther = (square: number) => {
    const p: Point = [(square % 100) + 0.5, Math.floor(square / 100) + 0.5];
    return (village !== null && distance(p, village) < 14) || more!.isWater(p);
  };
  const touched = new Set<string>();
  let edge = new Set(labels.flatMap((label, square) => (label === field ? [square] : [])));
  for (let step = 0; step < 4; step++) {
    const next = new Set<number>();
    for (const square of edge) {
      for (const beside of neighbours(square)) {
        const label = labels[beside];
        if (label?.startsWith("city")) touched.add(label);
        else if (label === null && !isOther(beside)) next.add(beside);
      }
    }
    edge = next;
  }
  return touched;
}
