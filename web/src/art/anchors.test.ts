// Meeples stand where a player expects them. Run with `BLESS=1` to write the table anew.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { MEEPLE_WIDTH, anchor } from "./anchors";
import { labelAt, labelGrid } from "./grid";
import { placeAnchors } from "./place_anchors";
import { ROTATIONS, type Rotation, distance, turn } from "./points";
import { KINDS, printedTile } from "./table";

const FILE = fileURLToPath(new URL("anchors.json", import.meta.url));

function table(): string {
  const rows = KINDS.map((kind) => {
    const turned = Object.entries(placeAnchors(kind)).map(([segment, point]) => [
      segment,
      ROTATIONS.map((rotation) => turn(point, rotation)),
    ]);
    return `  "${kind}": ${JSON.stringify(Object.fromEntries(turned))}`;
  });
  return `{\n${rows.join(",\n")}\n}\n`;
}

it("the table of anchors is up to date", () => {
  const text = table();
  if (process.env.BLESS) writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8"), "run the test with BLESS=1 to write the table anew").toBe(text);
});

describe.each(KINDS)("tile %s", (kind) => {
  const names = printedTile(kind).segments.map((segment) => segment.name);
  const undo = (rotation: Rotation) => ((4 - rotation) % 4) as Rotation;

  it.each(ROTATIONS)("turned by %i quarters: each anchor lies in its own segment", (rotation) => {
    for (const name of names) {
      const printed = turn(anchor(kind, name, rotation), undo(rotation));
      expect(labelAt(labelGrid(kind), printed), name).toBe(name);
    }
  });

  it.each(ROTATIONS)("turned by %i quarters: no meeple stands on another", (rotation) => {
    for (const [i, one] of names.entries()) {
      for (const other of names.slice(i + 1)) {
        const apart = distance(anchor(kind, one, rotation), anchor(kind, other, rotation));
        expect(apart, `${one} and ${other}`).toBeGreaterThanOrEqual(MEEPLE_WIDTH);
      }
    }
  });
});

it("a segment that a tile does not have is named in the error", () => {
  expect(() => anchor("B", "city0", 0)).toThrow(/tile B has no segment 'city0'; it has field0 monastery/);
});
