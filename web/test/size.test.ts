// What a player downloads stays small: the page opens at once on a slow line too.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

/** The script of a module with everything it needs, minified and packed, in bytes. */
function packedSize(module: string): number {
  const answer = execFileSync(process.execPath, ["scripts/size.mjs", module], { encoding: "utf8" });
  console.info(answer.trim());
  return Number(answer.trim().split(" ").at(-1));
}

it("the drawing of tiles with its tables is at most 25 kB packed", () => {
  expect(packedSize("src/art/index.ts")).toBeLessThan(25_000);
});

it("the board with the drawing and the framework leaves room in the play page's 60 kB", () => {
  expect(packedSize("src/board/index.ts")).toBeLessThan(42_000);
});
