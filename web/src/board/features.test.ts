// Shapes of features on the table lie where their tiles lie.
import { describe, expect, it } from "vitest";
import { KINDS, ROTATIONS, printedTile } from "../art";
import { outline } from "../art/outline";
import { labelGrid } from "../art/grid";
import { type Point, areaOf } from "../art/points";
import { anchorOf, featureAt, tilesByCell } from "./features";
import { featureShape } from "./shapes";
import type { BoardFeature, BoardTile } from "./types";

const numbers = (path: string) => path.match(/-?[\d.]+/g)?.map(Number) ?? [];
const points = (path: string): Point[] =>
  numbers(path).flatMap((n, i, all) => (i % 2 ? [] : [[n, all[i + 1]!] as Point]));

const tiles: BoardTile[] = [
  { cell: "0,0", kind: "D", rotation: 0, ply: 0, player: null },
  { cell: "1,2", kind: "U", rotation: 0, ply: 1, player: 0 },
];
const road: BoardFeature = {
  id: 3,
  terrain: "road",
  complete: false,
  segments: [{ cell: "1,2", segment: "road0" }],
  owners: [],
  points: 1,
  meeples: [],
};

describe("a feature's shape", () => {
  it("lies on its cells", () => {
    for (const [x, y] of points(featureShape(road, tilesByCell(tiles)).fill)) {
      expect(x).toBeGreaterThanOrEqual(100);
      expect(x).toBeLessThanOrEqual(200);
      expect(y).toBeGreaterThanOrEqual(-200);
      expect(y).toBeLessThanOrEqual(-100);
    }
  });
  it("leaves out tiles that are not there", () => {
    const elsewhere = { ...road, segments: [{ cell: "9,9", segment: "road0" }] };
    expect(featureShape(elsewhere, tilesByCell(tiles))).toEqual({ fill: "", edge: "" });
    expect(anchorOf({ cell: "9,9", segment: "road0" }, tilesByCell(tiles))).toBeNull();
  });
  it("is found from any of its segments", () => {
    expect(featureAt([road], { cell: "1,2", segment: "road0" })).toBe(road);
    expect(featureAt([road], { cell: "1,2", segment: "field0" })).toBeNull();
  });
});

describe.each(KINDS)("outlines of tile %s", (kind) => {
  const fields = printedTile(kind).segments.filter((s) => s.terrain === "field");

  it("cover what the field covers", () => {
    for (const { name } of fields) {
      const squares = labelGrid(kind).labels.filter((label) => label === name).length;
      for (const rotation of ROTATIONS) {
        const loops = outline(kind, name, rotation).fill.split("Z").filter(Boolean);
        // A hole, such as the monastery in its meadow, runs the other way: the largest loop less the rest.
        const areas = loops.map((loop) => areaOf(points(loop))).sort((a, b) => b - a);
        const area = areas[0]! - areas.slice(1).reduce((sum, hole) => sum + hole, 0);
        expect(Math.abs(area - squares), `${name} r${rotation}: ${area} against ${squares}`).toBeLessThan(60);
      }
    }
  });

  it("show no seams on the tile's border", () => {
    // The ring of a monastery never comes near the border; its arcs are no plain points.
    for (const { name } of printedTile(kind).segments.filter((s) => s.terrain !== "monastery")) {
      for (const line of outline(kind, name, 0).edge.split("M").filter(Boolean)) {
        const inner = points(line).slice(1, -1);
        for (const [x, y] of inner) expect(Math.min(x, y, 100 - x, 100 - y), name).toBeGreaterThan(0);
      }
    }
  });
});
