// A person plays a turn on the board in a real browser: by mouse, by keyboard, by finger.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import middle from "../gallery/fixtures/middle.json";
import { type Stage, openStage } from "./browser";

interface GalleryWindow {
  gallery: {
    played(): [string, string] | null;
    staged(): { cell: string; rotation: number; step: string; choice: string | null } | null;
    events(): void;
    panTo(cell: string): void;
  };
}

let stage: Stage;
beforeAll(async () => void (stage = await openStage()), 120_000);
afterAll(async () => stage?.close());

const legal = middle.props.turn.legal;
const cells = [...new Set(legal.map((p) => p.cell))];
/** A cell where the tile fits in more than one way and may be claimed. */
const roomy = cells.find((cell) => legal.filter((p) => p.cell === cell).length > 1)!;
const played = (page: Page) => page.evaluate(() => (window as unknown as GalleryWindow).gallery.played());
const staged = (page: Page) => page.evaluate(() => (window as unknown as GalleryWindow).gallery.staged());
const worldTransform = (page: Page) => page.locator(".world").evaluate((e) => getComputedStyle(e).transform);

it("offers every legal spot with a spoken label, and no other", async () => {
  const page = await stage.open("show=board");
  const spots = page.getByRole("button", { name: /^Place the tile at/ });
  expect(await spots.count()).toBe(cells.length);
  await page.context().close();
});

it("by mouse: spot, legal rotations only, confirm, meeple, confirm", async () => {
  const page = await stage.open("show=board");
  await page.locator(`[data-cell="${roomy}"]`).click();
  const rotations = legal
    .filter((p) => p.cell === roomy)
    .map((p) => p.rotation)
    .sort();
  const seen: number[] = [];
  for (let i = 0; i < rotations.length; i++) {
    seen.push((await staged(page))!.rotation);
    await page.locator(".ghost").click();
  }
  expect(seen.sort()).toEqual(rotations);
  await page.getByRole("button", { name: "Confirm" }).click();
  expect(await played(page)).toBeNull();
  const { rotation } = (await staged(page))!;
  const placement = legal.find((p) => p.cell === roomy && p.rotation === rotation)!;
  await page.locator(`[data-choice="${placement.meeples[0]}"]`).click();
  await page.getByRole("button", { name: "Confirm" }).click();
  expect(await played(page)).toEqual([placement.move, placement.meeples[0]]);
  expect(await page.locator(".ghost").count()).toBe(0);
  await page.context().close();
});

it("no meeple is one press away, and undo goes back step by step", async () => {
  const page = await stage.open("show=board");
  await page.locator(`[data-cell="${roomy}"]`).click();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect((await staged(page))!.step).toBe("place");
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("radio", { name: /^No meeple/ }).click();
  await page.getByRole("button", { name: "Confirm" }).click();
  expect((await played(page))![1]).toBe("pass");
  await page.context().close();
});

it("a tap on the table leaves no stale ghost", async () => {
  const page = await stage.open("show=board");
  await page.locator(`[data-cell="${roomy}"]`).click();
  await page.mouse.click(60, 800);
  expect(await staged(page)).toBeNull();
  expect(await page.locator(".ghost").count()).toBe(0);
  await page.context().close();
});

it("by keyboard alone: arrows, Enter, R, Enter, arrows, Enter", async () => {
  const page = await stage.open("show=board");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.activeElement?.hasAttribute("data-cell"));
  const first = await page.evaluate(() => document.activeElement?.getAttribute("data-cell"));
  expect(cells).toContain(first);
  await page.keyboard.press("Enter");
  expect((await staged(page))!.cell).toBe(first);
  await page.keyboard.press("r");
  await page.keyboard.press("Escape");
  expect(await staged(page)).toBeNull();
  await page.waitForFunction((cell) => document.activeElement?.getAttribute("data-cell") === cell, first);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.classList.contains("ok"));
  await page.keyboard.press("Enter");
  expect((await staged(page))!.step).toBe("meeple");
  await page.keyboard.press("ArrowRight");
  const { choice } = (await staged(page))!;
  expect(choice).not.toBeNull();
  await page.waitForFunction(() => document.activeElement?.classList.contains("ok"));
  await page.keyboard.press("Enter");
  expect((await played(page))![1]).toBe(choice);
  await page.context().close();
});

it("S plays without a meeple", async () => {
  const page = await stage.open("show=board");
  await page.locator(`[data-cell="${roomy}"]`).click();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.keyboard.press("s");
  expect((await played(page))![1]).toBe("pass");
  await page.context().close();
});

it("by finger on a phone: everything is large enough to hit", async () => {
  const page = await stage.open("show=board", { width: 390, height: 844, touch: true });
  const spot = page.locator(`[data-cell="${roomy}"]`);
  await page.evaluate((cell) => (window as unknown as GalleryWindow).gallery.panTo(cell), roomy);
  await expect.poll(async () => (await spot.boundingBox())!.width, { timeout: 20_000 }).toBeGreaterThanOrEqual(44);
  await spot.tap();
  for (const button of await page.locator(".pill button").all()) {
    const box = (await button.boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
  }
  await page.locator(".pill .ok").tap();
  const choice = page.locator("[data-choice]").first();
  await expect.poll(async () => (await choice.boundingBox())!.width, { timeout: 20_000 }).toBeGreaterThanOrEqual(38);
  await choice.tap();
  await page.locator(".pill .ok").tap();
  expect(await played(page)).not.toBeNull();
  await page.context().close();
});

it("drag pans without placing, the wheel zooms, 0 fits again", async () => {
  const page = await stage.open("show=board");
  const before = await worldTransform(page);
  const box = (await page.locator(`[data-cell="${roomy}"]`).boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x - 120, box.y - 90, { steps: 5 });
  await page.mouse.up();
  expect(await staged(page)).toBeNull();
  const panned = await worldTransform(page);
  expect(panned).not.toBe(before);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((old) => getComputedStyle(document.querySelector(".world")!).transform !== old, panned);
  await page.keyboard.press("0");
  await page.waitForFunction((old) => getComputedStyle(document.querySelector(".world")!).transform === old, before);
  await page.context().close();
});

it("pointing at a meeple tells its feature and points", async () => {
  const page = await stage.open("show=board");
  await page.locator(".meeple").first().hover();
  expect(await page.locator(".tip").textContent()).toMatch(/· \d+/);
  await page.context().close();
});

it("nothing moves for those who asked for stillness", async () => {
  const page = await stage.open("show=board&game=early", { stillness: true });
  await page.evaluate(() => (window as unknown as GalleryWindow).gallery.events());
  await page.locator(".score").first().waitFor();
  const longest = await page.evaluate(() =>
    Math.max(0, ...document.getAnimations().map((a) => Number(a.effect?.getComputedTiming().duration ?? 0))),
  );
  expect(longest).toBe(0);
  await page.context().close();
});

it("the pages had nothing to complain about", () => {
  expect(stage.complaints).toEqual([]);
});
