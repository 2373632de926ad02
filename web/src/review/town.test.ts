// The moves of a town in words.
import { beforeAll, expect, it } from "vitest";
import { need } from "../i18n/index.svelte";
import { decision } from "./sample";
import { losing, readTownMove, townMoveWords } from "./town";
import { courseOf } from "./turns";

beforeAll(() => need("tinytown"));

it("says what stands where", () => {
  expect(townMoveWords(["brick 0,1"])).toBe("row 1, column 2: brick");
  expect(townMoveWords(["cottage 0,0 on 2,1"])).toBe("row 3, column 2: cottage");
  expect(townMoveWords(["end"])).toBe("Build nothing more");
  expect(readTownMove("end")).toBeNull();
  expect(readTownMove("greenhouse 1,0 on 1,1")).toEqual({ piece: "greenhouse", square: "1,1" });
});

it("counts every point that was lost", () => {
  const loss = { margin: 1, win: 0 };
  const { turns } = courseOf([decision({ ply: 1 }), decision({ ply: 2, loss, category: "good" })]);
  expect(losing(turns).map(({ number }) => number)).toEqual([2]);
});
