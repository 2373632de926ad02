// The lessons of the sets: each is done from its first step to its last, by mouse, by finger and in three languages.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { DESKTOP, PHONE, expectAccessible, useBrowser, visit } from "./browser";

useBrowser();

const SETS = ["inns", "traders", "river", "gardens"] as const;

interface Step {
  name: string;
  legal: { move: string }[];
  reached: Record<string, unknown>;
}

const samples = (set: string) =>
  JSON.parse(readFileSync(new URL(`../src/samples/lesson_${set}.json`, import.meta.url), "utf8")) as Step[];

/** A turn that reaches the goal with the tile as it lies when it is put down. */
function turnOf({ name, legal, reached }: Step): { cell: string; choice: string } {
  const first = new Map<string, string>();
  for (const { move } of legal) {
    const [cell, rotation] = move.split(" ") as [string, string];
    if (rotation < (first.get(cell) ?? "r9")) first.set(cell, rotation);
  }
  for (const turn of Object.keys(reached)) {
    const [, cell, rotation, choice] = /^(\S+) (\S+); (.*)$/.exec(turn)!;
    if (first.get(cell!) === rotation) return { cell: cell!, choice: choice! };
  }
  throw new Error(`${name}: no turn without turning the tile`);
}

async function play(page: Page, cell: string, choice: string): Promise<void> {
  await page.locator(`[data-cell="${cell}"]`).click();
  await page.locator(".pill .ok").click();
  if ((await page.locator("[data-choice]").count()) === 0) return;
  const figure = choice.includes(" ") ? choice.split(" ")[0]! : choice === "recall" ? "recall" : null;
  if (figure) await page.locator(`[data-figure="${figure}"]`).click();
  await page.locator(`[data-choice="${choice}"]`).click();
  await page.locator(".pill .ok").click();
}

async function doLesson(page: Page, set: string): Promise<string[]> {
  const headings: string[] = [];
  const steps = samples(set);
  for (const step of steps) {
    const heading = page.getByRole("heading", { level: 1 });
    await expect.poll(() => heading.innerText()).not.toBe(headings.at(-1));
    headings.push(await heading.innerText());
    const { cell, choice } = turnOf(step);
    await play(page, cell, choice);
    await page.locator(".answer .good").waitFor();
    await page.locator(".side .button.primary").first().click();
  }
  return headings;
}

/** On a phone those with the most to choose from: figures, and goods beside the players. */
const ON_A_PHONE: readonly string[] = ["traders", "gardens"];

describe.each(SETS)("the lesson on %s", (set) => {
  it.each([["a desk", DESKTOP] as const, ...(ON_A_PHONE.includes(set) ? [["a phone", PHONE] as const] : [])])(
    "is done from the rules on %s, and leads to a game with the set",
    async (_, device) => {
      const reader = await visit("/learn", device);
      const { page } = reader;
      await page.locator(`#set-${set}`).getByRole("link", { name: "Try it: the lesson on this set" }).click();
      await expectAccessible(page, `the lesson on ${set}`);
      const headings = await doLesson(page, set);
      expect(new Set(headings).size).toBe(samples(set).length);
      await page.getByRole("heading", { level: 1, name: "That is the whole set" }).waitFor();
      await page.getByRole("button", { name: "Play a game with this set" }).click();
      await page.waitForURL(/\/g\/\w+/);
      const id = /\/g\/(\w+)/.exec(page.url())![1]!;
      const view = await page.evaluate(
        async (id) => (await fetch(`/api/games/${id}/view`)).json() as Promise<{ sets: { names: string[] } }>,
        id,
      );
      expect(view.sets.names).toEqual([set]);
      await reader.close();
    },
  );
});

it("a turn that misses the goal is answered, and can be done again", async () => {
  const reader = await visit("/learn/lesson/gardens", DESKTOP);
  const { page } = reader;
  const { cell, choice } = turnOf(samples("gardens")[0]!);
  await play(page, cell, "pass");
  await page.getByText("This time, choose the abbot and put it in the garden.").waitFor();
  await play(page, cell, choice);
  await page.getByText("A garden scores like a monastery").waitFor();
  await reader.close();
});

it("the goods that were taken are seen", async () => {
  const reader = await visit("/learn/lesson/traders", DESKTOP);
  const { page } = reader;
  const { cell, choice } = turnOf(samples("traders")[0]!);
  await page.getByLabel("Goods: none").first().waitFor();
  await play(page, cell, choice);
  await page.getByLabel("Goods: 1 wine").waitFor();
  await reader.close();
});

it.each(["fr-FR", "ja-JP"])("the lessons are told in %s", async (locale) => {
  for (const set of SETS) {
    const reader = await visit(`/learn/lesson/${set}`, { ...DESKTOP, locale });
    const side = reader.page.locator(".side");
    await side.getByRole("heading", { level: 1 }).waitFor();
    expect(await side.innerText(), set).not.toMatch(/setlesson|sets\.|\b(the|Place|Finish)\b/);
    await reader.close();
  }
});

it("a lesson on no set is not there", async () => {
  const reader = await visit("/learn/lesson/castles", DESKTOP);
  await reader.page.getByRole("heading", { name: "There is no such page" }).waitFor();
  await reader.close();
});
