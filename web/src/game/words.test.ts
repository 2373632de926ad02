// Segments of a tile are told apart by where they lie on it.
import { expect, it } from "vitest";
import { KINDS, ROTATIONS, printedTile } from "../art";
import { partOf } from "./words";

it("no two segments of a terrain lie in the same part of a tile, however it is turned", () => {
  for (const kind of KINDS) {
    for (const rotation of ROTATIONS) {
      const named = printedTile(kind).segments.map(({ name, terrain }) => `${terrain} ${partOf(name, kind, rotation)}`);
      expect(new Set(named).size, `${kind} r${rotation}: ${named}`).toBe(named.length);
    }
  }
});
