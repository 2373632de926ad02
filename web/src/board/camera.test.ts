// The view moves as hands expect it.
import { describe, expect, it } from "vitest";
import {
  type Camera,
  LEAST_ZOOM,
  MOST_ZOOM,
  type View,
  centreOn,
  fit,
  fitClear,
  fitPart,
  keepInView,
  onScreen,
  overlap,
  panBy,
  pinch,
  zoomAt,
} from "./camera";
import { boxOf, cellWords, parseCell, placeOf } from "./cells";

const view: View = { width: 1000, height: 600, inset: { top: 0, right: 200, bottom: 0, left: 0 } };
const seen = (camera: Camera, x: number, y: number) => [x * camera.zoom + camera.left, y * camera.zoom + camera.top];

describe("cells", () => {
  it("lie with y to the north", () => {
    expect(placeOf("3,-1")).toEqual({ x: 300, y: 100 });
    expect(placeOf("-2,4")).toEqual({ x: -200, y: -400 });
    expect(boxOf(["0,0", "2,1"])).toEqual({ left: 0, top: -100, right: 300, bottom: 100 });
  });
  it("that are none are refused by name", () => {
    expect(() => parseCell("3;1")).toThrow("'3;1' is no cell");
  });
});

describe("the camera", () => {
  it("shows the whole board beside the panel", () => {
    const box = boxOf(["-4,0", "5,0", "0,3", "0,-3"]);
    const camera = fit(box, view);
    const [left, top] = seen(camera, box.left, box.top);
    const [right, bottom] = seen(camera, box.right, box.bottom);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(800);
    expect(bottom).toBeLessThanOrEqual(600);
    expect((left! + right!) / 2).toBeCloseTo(400);
  });
  it("zooms at the pointer: what lies there stays", () => {
    const camera: Camera = { left: 50, top: -20, zoom: 0.8 };
    const under = [(333 - camera.left) / camera.zoom, (222 - camera.top) / camera.zoom] as const;
    expect(seen(zoomAt(camera, 333, 222, 1.7), ...under)).toEqual([expect.closeTo(333), expect.closeTo(222)]);
  });
  it("zooms no farther than makes sense", () => {
    const camera: Camera = { left: 0, top: 0, zoom: 1 };
    expect(zoomAt(camera, 0, 0, 1000).zoom).toBe(MOST_ZOOM);
    expect(zoomAt(camera, 0, 0, 0.0001).zoom).toBe(LEAST_ZOOM);
  });
  it("pinches about the middle of two fingers, and follows it", () => {
    const camera: Camera = { left: 0, top: 0, zoom: 1 };
    const after = pinch(camera, { x: 100, y: 100, spread: 50 }, { x: 130, y: 90, spread: 100 });
    expect(after.zoom).toBeCloseTo(2);
    expect(seen(after, 100, 100)).toEqual([expect.closeTo(130), expect.closeTo(90)]);
  });
  it("shows a part without idle margins, near what was asked for", () => {
    const box = boxOf(["-9,0", "9,0"]);
    const camera = fitPart(box, view, 0.8, 950, 50);
    expect(seen(camera, box.right + 100, 0)[0]).toBeCloseTo(800);
    expect(seen(camera, 0, 50)[1]).toBeCloseTo(300);
  });
  it("never loses the board", () => {
    const box = boxOf(["0,0"]);
    const lost = panBy({ left: 0, top: 0, zoom: 1 }, 5000, -5000);
    const [x, y] = seen(keepInView(lost, box, view), 50, 50);
    expect(x).toBeLessThan(view.width);
    expect(y).toBeGreaterThan(0);
  });
  it("brings a cell to the middle of what the panel leaves free", () => {
    expect(seen(centreOn({ left: 7, top: 7, zoom: 1.5 }, view, 150, 50), 150, 50)).toEqual([400, 300]);
  });
});

describe("cells have names for people", () => {
  it("the first tile is M13, letters go east and numbers south", () => {
    expect(["0,0", "3,-1", "-12,12", "13,-12", "14,0", "-13,0", "0,13", "127,-128", "-128,127"].map(cellWords)).toEqual(
      ["M13", "P14", "A1", "Z25", "AA13", "ZZ13", "M999", "EJ141", "VO885"],
    );
  });
  it("every cell has one of its own", () => {
    const names = new Set<string>();
    for (let x = -128; x < 128; x += 3) for (let y = -128; y < 128; y++) names.add(cellWords(`${x},${y}`));
    expect(names.size).toBe(86 * 256);
  });
});

describe("a view with things over it", () => {
  const free: View = { width: 1000, height: 600, inset: { top: 8, right: 8, bottom: 8, left: 8 } };
  const box = boxOf(["0,0", "1,0", "2,0", "0,1", "0,2", "0,3"]);
  const cells = ["-1,3", "0,4", "1,3"].map((cell) => boxOf([cell]));
  it("keeps cells clear of them, and gives up no more room than that needs", () => {
    const notice = { left: 40, top: 30, right: 420, bottom: 70 };
    const [plain, clear] = [fit(box, free), fitClear(box, free, cells, [notice])];
    expect(cells.some((cell) => overlap(onScreen(cell, plain), notice) > 0)).toBe(true);
    expect(cells.some((cell) => overlap(onScreen(cell, clear), notice) > 0)).toBe(false);
    const aside = { left: 900, top: 30, right: 990, bottom: 70 };
    expect(fitClear(box, free, cells, [aside])).toEqual(plain);
  });
});
