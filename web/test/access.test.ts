// Nothing in the gallery keeps anybody out: axe finds no serious fault in either theme.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, openStage } from "./browser";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeWindow {
  axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
}

let stage: Stage;
beforeAll(async () => void (stage = await openStage()), 120_000);
afterAll(async () => stage?.close());

async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => (window as unknown as AxeWindow).axe.run());
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

it.each(["light", "dark"])("components, %s", async (theme) => {
  const page = await stage.open(`show=components&theme=${theme}`, { stillness: true });
  expect(await seriousFaults(page)).toEqual([]);
  await page.context().close();
});

it.each(["light", "dark"])("a board with a staged tile and its meeples, %s", async (theme) => {
  const page = await stage.open(`show=board&theme=${theme}`, { stillness: true });
  await page.locator("[data-cell]").nth(2).click();
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Confirm" }).click();
  expect(await seriousFaults(page)).toEqual([]);
  await page.context().close();
});

it("fields by owner", async () => {
  const page = await stage.open("show=board&game=late&fields", { stillness: true });
  expect(await seriousFaults(page)).toEqual([]);
  await page.context().close();
});
