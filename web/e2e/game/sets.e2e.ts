// Games with sets against a bot: the form, figures placed by mouse, by finger and by keyboard alone, what the
// players hold, records and pictures. Whole games are in sets.long.ts.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, inject, it } from "vitest";
import { ifEndedNow } from "../../src/game/count";
import type { GameType } from "../../src/wire/GameType";
import type { SetsInfo } from "../../src/wire/SetsInfo";
import { DESKTOP, PHONE, expectAccessible, useBrowser, visit, NO_PAGE } from "../browser";
import { makeGame, myTurn, standing } from "./play";
import { ALL_SETS, SETS, SMALL, byKeyboard, byMouse, byTouch, figuresPlaced, playTurns, view } from "./sets";

useBrowser();

/** Figures stand from the first turn on. */
const NO_RIVER = { ...ALL_SETS, options: { expansions: ["inns", "traders", "gardens"] } };

/** Pairs of elements that lie over each other or beyond the window. */
const overlaps = (page: Page, selectors: string[]) =>
  page.evaluate((selectors) => {
    const found = selectors.flatMap((selector) =>
      [...document.querySelectorAll(selector)].map((element, n) => ({
        name: `${selector} ${n}`,
        box: element.getBoundingClientRect(),
        cut: element.scrollWidth > element.clientWidth + 1,
      })),
    );
    const faults = found
      .filter(({ box, cut }) => cut || box.left < 0 || box.right > innerWidth)
      .map(({ name }) => name);
    for (const [i, a] of found.entries())
      for (const b of found.slice(i + 1))
        if (
          Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 1 &&
          Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 1
        )
          faults.push(`${a.name} and ${b.name}`);
    return faults;
  }, selectors);

it("the page draws from the tiles that the rules have", async () => {
  const told = (await (await fetch(`${inject("url")}/api/game-types/carcassonne/sets`)).json()) as SetsInfo;
  const file = new URL("../../src/art/sets/tiles.json", import.meta.url);
  interface Row {
    count: number;
    edges: string;
    set: string;
    segments: { name: string; terrain: string; pennants?: number; special?: boolean; good?: string; sides?: string }[];
  }
  const drawn = JSON.parse(readFileSync(file, "utf8")) as Record<string, Row>;
  const letters: Record<string, string> = { city: "C", road: "R", field: "F", river: "W" };
  const rules = told.tiles.map(({ id, count, set, edges, segments }) => [
    id,
    count,
    set,
    edges.map((edge) => letters[edge]).join(""),
    segments.map((s) => [s.segment, s.terrain, s.pennants, s.special ?? false, s.good ?? null]),
  ]);
  const page = Object.entries(drawn).map(([id, { count, set, edges, segments }]) => [
    id,
    count,
    set,
    edges,
    segments.map((s) => [s.name, s.terrain, s.pennants ?? 0, s.special ?? false, s.good ?? null]),
  ]);
  expect(page).toEqual(rules);
});

it("the form makes a game with all sets, whose figures are placed by mouse", async () => {
  const reader = await visit("/play", DESKTOP);
  const { page } = reader;
  for (const set of SETS) await page.locator(`[data-set="${set}"]`).click();
  await page.getByText("With sets, games against bots are not rated").waitFor();
  // The levels that people are led through, as in the base game, and no others.
  const offered = page.getByRole("group", { name: "Bot strength" }).getByRole("radio");
  const levels = await offered.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
  const types = (await (await fetch(`${inject("url")}/api/game-types`)).json()) as GameType[];
  expect(levels).toEqual(types.find(({ id }) => id === "carcassonne")!.bots.map(({ name }) => name));
  await expectAccessible(page, "the form with sets");
  await page.getByRole("button", { name: "Start game" }).click();
  await page.waitForURL(/\/g\/\w+/);
  const id = /\/g\/(\w+)/.exec(page.url())![1]!;
  await page.getByText(/tiles of the river to lay/).waitFor();
  // The river is laid first; on it nobody stands.
  await playTurns(page, 11, byMouse);
  const { figures } = await figuresPlaced(page, id);
  expect(figures.length).toBeGreaterThan(1);
  const now = await view(page, id);
  const sums = ifEndedNow(now).map((row) => Object.values(row).reduce((sum, n) => sum + n, 0));
  expect(sums, "the count if it ended now").toEqual(now.projected_scores);
  await expectAccessible(page, "a board with sets");
  await reader.close();
});

it("figures are placed by finger on a phone", async () => {
  const reader = await visit(NO_PAGE, PHONE);
  const { page } = reader;
  const id = await makeGame(page, NO_RIVER);
  await page.goto(`/g/${id}`);
  await playTurns(page, 6, byTouch);
  expect((await figuresPlaced(page, id)).figures.length).toBeGreaterThan(1);
  await reader.close();
});

it("on a phone the players' figures and goods are seen, clear of everything else", async () => {
  for (const width of [390, 320]) {
    const reader = await visit(NO_PAGE, { ...PHONE, viewport: { width, height: 844 } });
    const { page } = reader;
    const id = await makeGame(page, ALL_SETS);
    await page.goto(`/g/${id}`);
    expect(await myTurn(page)).toBe(true);
    for (const seat of [0, 1]) {
      const strip = page.locator(`[data-sets="${seat}"]`);
      await strip.getByLabel("In hand: Big meeple, Builder, Pig, Abbot").waitFor();
      await strip.getByLabel("Goods: none").waitFor();
    }
    expect(await overlaps(page, ["[data-sets]", "[data-seat]", ".tools button"]), `at ${width}`).toEqual([]);
    await expectAccessible(page, "a phone with sets");
    await reader.close();
  }
});

it("on a phone with many players a tap on one shows their figures and goods", async () => {
  const reader = await visit(NO_PAGE, PHONE);
  const { page } = reader;
  const bot = { kind: "bot", bot: "greedy" };
  const id = await makeGame(page, { ...ALL_SETS, seats: [{ kind: "me" }, bot, bot, bot, bot, bot] });
  await page.goto(`/g/${id}`);
  expect(await myTurn(page)).toBe(true);
  await page.locator('[data-sets="0"]').waitFor();
  expect(await page.locator("[data-sets]").count()).toBe(1);
  await page.locator('[data-seat="3"]').getByRole("button").tap();
  await page.locator('[data-sets="3"]').getByLabel("Goods: none").waitFor();
  expect(await overlaps(page, ["[data-sets]", "[data-seat]", ".tools button"])).toEqual([]);
  await expectAccessible(page, "a phone with sets and six players");
  await reader.close();
});

it("figures are placed by keyboard alone", async () => {
  const reader = await visit(NO_PAGE, DESKTOP);
  const { page } = reader;
  const id = await makeGame(page, NO_RIVER);
  await page.goto(`/g/${id}`);
  await playTurns(page, 6, byKeyboard);
  expect((await figuresPlaced(page, id)).figures.length).toBeGreaterThan(1);
  await reader.close();
});

it("a game with sets is saved, taken in again and replayed; its picture and its animation are there", async () => {
  const reader = await visit(NO_PAGE, DESKTOP);
  const { page } = reader;
  const bot = { kind: "bot", bot: "greedy" };
  const id = await makeGame(page, { ...SMALL, seats: [bot, bot] });
  await expect.poll(async () => (await standing(page, id)).status).toBe("over");
  const { turns, scores } = await standing(page, id);
  await page.goto(`/g/${id}#${turns}`);
  const saved = async (name: string) => {
    const address = await page.getByRole("link", { name }).getAttribute("href");
    const answer = await page.request.get(address!);
    expect(answer.status(), name).toBe(200);
    return [answer.headers()["content-type"], await answer.body()] as const;
  };
  expect((await saved("Save a picture of this turn"))[0]).toBe("image/png");
  const [type, animation] = await saved("Save the game as an animation");
  expect([type, animation.subarray(0, 6).toString()]).toEqual(["image/gif", "GIF89a"]);
  const [, record] = await saved("Download the record");

  await page.goto("/games");
  await page.getByRole("button", { name: "Import a record" }).click();
  await page.getByLabel("Record", { exact: true }).fill(record.toString());
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.waitForURL((url) => /^\/g\/\w+/.test(url.pathname) && !url.pathname.endsWith(id));
  const copy = /\/g\/(\w+)/.exec(page.url())![1]!;
  expect((await standing(page, copy)).scores).toEqual(scores);
  expect((await view(page, copy)).sets?.names).toEqual(SETS);
  await page.goto(`/g/${copy}#${turns}`);
  await expect.poll(() => page.locator(".board .tile").count()).toBe(turns + 1);
  await reader.close();
});

it("the rules of each set are shown with its figures", async () => {
  const reader = await visit("/learn", DESKTOP);
  const { page } = reader;
  await page.locator("#set-gardens").waitFor();
  // The outline of the figure in the text is the one that stands on the land.
  for (const [set, figure] of [
    ["inns", 0],
    ["traders", 0],
    ["traders", 1],
    ["gardens", 0],
  ] as const) {
    const told = await page.locator(`#set-${set} .figures svg`).nth(figure).locator(".cloak").getAttribute("d");
    const drawn = await page
      .locator(`#set-${set} figure .cloak`)
      .evaluateAll((all) => all.map((p) => p.getAttribute("d")));
    expect(drawn, set).toContain(told);
  }
  await expectAccessible(page, "the rules with sets");
  await reader.close();
});

it("the base game loads nothing of the sets before its first move", async () => {
  const reader = await visit(NO_PAGE, DESKTOP);
  const { page } = reader;
  const id = await makeGame(page, { ...ALL_SETS, options: {} });
  await page.goto("about:blank");
  await page.goto(`/g/${id}`);
  expect(await myTurn(page)).toBe(true);
  await page.waitForTimeout(2000);
  const scripts = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name));
  expect(scripts.filter((name) => /\/sets-/.test(name))).toEqual([]);
  await reader.close();
});
