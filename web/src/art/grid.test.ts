// The drawn land agrees with the rules' table of tiles.
import { describe, expect, it } from "vitest";
import { halfEdgePoint, labelAt, labelGrid, neighbours } from "./grid";
import type { Point } from "./points";
import { tileShape } from "./shape";
import { type Half, KINDS, SIDES, printedTile } from "./table";

const HALVES = SIDES.flatMap((side) => [`${side}L`, `${side}R`] as Half[]);
const EDGE_MIDDLES: Record<string, Point> = { N: [50, 0.5], E: [99.5, 50], S: [50, 99.5], W: [0.5, 50] };

it("there are the 24 kinds of the base game, 72 tiles", () => {
  expect(KINDS.join("")).toBe("ABCDEFGHIJKLMNOPQRSTUVWX");
  expect(KINDS.reduce((sum, kind) => sum + printedTile(kind).count, 0)).toBe(72);
});

describe.each(KINDS)("tile %s as drawn", (kind) => {
  const tile = printedTile(kind);
  const grid = labelGrid(kind);
  const owner = (reaches: (segment: (typeof tile.segments)[number]) => boolean | undefined) =>
    tile.segments.find(reaches)?.name;

  it("has as many fields as the rules print", () => {
    expect(grid.meadows).toBe(tile.segments.filter((s) => s.terrain === "field").length);
  });

  it("has every segment of the table", () => {
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

  it("has roads in the middle of road edges, and nowhere else", () => {
    for (const [i, side] of SIDES.entries()) {
      const road = owner((s) => s.terrain === "road" && s.sides?.includes(side));
      const seen = labelAt(grid, EDGE_MIDDLES[side]!);
      if (tile.edges[i] === "R") expect(seen, side).toBe(road);
      else expect(seen, side).not.toMatch(/^road/);
    }
  });

  it("lets fields touch the cities that the rules list, and only those", () => {
    for (const field of tile.segments.filter((s) => s.terrain === "field")) {
      expect([...touchedCities(kind, field.name)].sort(), field.name).toEqual(field.cities ?? []);
    }
  });
});

/** The cities beyond the wall of a field: a few squares away, with nothing else between. */
function touchedCities(kind: string, field: string): Set<string> {
  const { labels } = labelGrid(kind);
  const touched = new Set<string>();
  let edge = new Set(labels.flatMap((label, square) => (label === field ? [square] : [])));
  for (let step = 0; step < 4; step++) {
    const next = new Set<number>();
    for (const square of edge) {
      for (const beside of neighbours(square)) {
        const label = labels[beside];
        if (label?.startsWith("city")) touched.add(label);
        else if (label === null && !isVillage(kind, beside)) next.add(beside);
      }
    }
    edge = next;
  }
  return touched;
}

function isVillage(kind: string, square: number): boolean {
  const { village } = tileShape(kind);
  return village !== null && Math.hypot((square % 100) - village[0], square / 100 - village[1]) < 14;
}
