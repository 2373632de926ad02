// Whole games with all sets against a bot: by mouse on a desk, by finger on a phone, by keyboard alone; their replay.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, inject, it } from "vitest";
import { ifEndedNow } from "../../src/game/count";
import type { CarcassonneView } from "../../src/wire/CarcassonneView";
import type { GameType } from "../../src/wire/GameType";
import type { SetsInfo } from "../../src/wire/SetsInfo";
import { DESKTOP, PHONE, expectAccessible, useBrowser, visit } from "../browser";
import { makeGame, myTurn, standing, whole } from "./play";

useBrowser();

const SETS = ["inns", "traders", "river", "gardens"];
const ALL_SETS = {
  seats: [{ kind: "me" }, { kind: "bot", bot: "greedy" }],
  shuffle_seats: false,
  options: { expansions: SETS },
};
/** Ends when the square is full. */
const SMALL = { ...ALL_SETS, options: { expansions: SETS, board: "7x7" } };

type Turn = (page: Page, number: number) => Promise<void>;

async function playToTheEnd(page: Page, turn: Turn): Promise<number> {
  for (let number = 1; ; number++) {
    if (!(await myTurn(page))) return number - 1;
    await whole(page, (page) => turn(page, number));
    expect(number, "a game has an end").toBeLessThan(126);
  }
}

interface Told {
  plies: { events: { event: string; figure?: string }[] }[];
}

/** What was put down, and how often a turn was doubled. */
async function deeds(page: Page, id: string): Promise<{ figures: string[]; doubled: number; goods: number }> {
  const { plies } = await page.evaluate(
    async (id) => (await fetch(`/api/games/${id}/replay`)).json() as Promise<Told>,
    id,
  );
  const events = plies.flatMap((ply) => ply.events);
  const figures = events.flatMap((e) => (e.event === "meeple_placed" && e.figure ? [e.figure] : []));
  const count = (name: string) => events.filter(({ event }) => event === name).length;
  return { figures: [...new Set(figures)].sort(), doubled: count("turn_doubled"), goods: count("goods_taken") };
}

async function view(page: Page, id: string): Promise<CarcassonneView> {
  return page.evaluate(async (id) => (await fetch(`/api/games/${id}/view`)).json() as Promise<CarcassonneView>, id);
}

/** The figure in hand: each in turn, so that all are placed. */
async function chooseFigure(page: Page, number: number, press: "click" | "tap"): Promise<void> {
  const figures = page.locator("[data-figure]");
  const count = await figures.count();
  if (count > 0) await figures.nth(number % count)[press]();
}

const byMouse: Turn = async (page, number) => {
  const spots = page.locator("[data-cell]");
  await spots.nth((number * 3) % (await spots.count())).click();
  const confirm = page.getByRole("button", { name: "Confirm" });
  await confirm.click();
  const choices = page.locator("[data-choice]");
  if ((await choices.count()) === 0) return;
  await chooseFigure(page, number, "click");
  if (number % 4 === 3) await page.getByRole("radio", { name: /^No meeple/ }).click();
  else await choices.first().click();
  await confirm.click();
};

const byTouch: Turn = async (page, number) => {
  const spots = page.locator("[data-cell]");
  await spots.nth((number * 3) % (await spots.count())).tap();
  const sheet = page.getByRole("region", { name: "Game panel" });
  await sheet.getByRole("button", { name: "Place here" }).tap();
  const choices = sheet.getByRole("radiogroup", { name: "Place a meeple?" }).getByRole("radio");
  if ((await choices.count()) === 0) return;
  await chooseFigure(page, number, "tap");
  await choices.nth(number % 4 === 3 ? (await choices.count()) - 1 : 0).tap();
  await sheet.getByRole("button", { name: /^(Place on|End the turn|Take the abbot back)/ }).tap();
};

const byKeyboard: Turn = async (page, number) => {
  const { keyboard } = page;
  const spot = page.locator("[data-cell]:focus");
  const found = async () => {
    if ((await spot.count()) === 0) await keyboard.press("ArrowRight");
    return spot.count();
  };
  await expect.poll(found, { timeout: 60_000 }).toBe(1);
  await keyboard.press("Enter");
  await page.locator(".pill .ok:focus").waitFor();
  await keyboard.press("Enter");
  if ((await page.locator("[data-choice]").count()) === 0) return;
  await page.locator("[data-choice]:focus").waitFor();
  const figures = page.locator("[data-figure]");
  // M takes the next figure in hand.
  for (let i = 0; i < number % Math.max(1, await figures.count()); i++) await keyboard.press("m");
  if (number % 4 === 3) return keyboard.press("s");
  await keyboard.press("ArrowRight");
  await page.locator(".pill .ok:focus").waitFor();
  await keyboard.press("Enter");
};

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

it("the form makes a game with all sets, which is played to its end by mouse and then replayed", async () => {
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
  let compared = 0;
  const own = await playToTheEnd(page, async (page, number) => {
    if (number % 12 === 0) {
      const now = await view(page, id);
      const sums = ifEndedNow(now).map((row) => Object.values(row).reduce((sum, n) => sum + n, 0));
      expect(sums, "the count if it ended now").toEqual(now.projected_scores);
      compared += 1;
    }
    if (number === 20) await expectAccessible(page, "a board with sets");
    await byMouse(page, number);
  });
  expect(own).toBeGreaterThan(40);
  expect(compared).toBeGreaterThan(2);
  const done = await deeds(page, id);
  expect(done.figures).toEqual(["abbot", "big", "builder", "pig"]);
  expect(done.doubled).toBeGreaterThan(0);
  const { status, turns, scores } = await standing(page, id);
  expect([status, turns > 115]).toEqual(["over", true]);
  await expect.poll(() => page.locator("[data-seat='0']").innerText()).toContain(String(scores[0]));

  await page.goto(`/g/${id}#12`);
  await page.getByText(`Turn 12 of ${turns}`).waitFor();
  await expect.poll(() => page.locator(".board .tile").count()).toBe(13);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.locator(".board .tile").count()).toBe(14);
  await page.keyboard.press("End");
  await page.getByRole("region", { name: "The game is over" }).waitFor();
  await page.goto(`/fair/${id}`);
  await page.getByText(/fair/i).first().waitFor();
  await expect.poll(() => page.locator("ol img").count()).toBe(125);
  await reader.close();
});

it("a whole game with all sets by finger on a phone", async () => {
  const reader = await visit("/play", PHONE);
  const { page } = reader;
  const id = await makeGame(page, SMALL);
  await page.goto(`/g/${id}`);
  expect(await playToTheEnd(page, byTouch)).toBeGreaterThan(8);
  expect((await standing(page, id)).status).toBe("over");
  expect((await deeds(page, id)).figures.length).toBeGreaterThan(1);
  await expectAccessible(page, "the end of a game with sets on a phone");
  await reader.close();
});

it("on a phone the players' figures and goods are seen, clear of everything else", async () => {
  for (const width of [390, 320]) {
    const reader = await visit("/play", { ...PHONE, viewport: { width, height: 844 } });
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
  const reader = await visit("/play", PHONE);
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

it("a whole game with all sets by keyboard alone", async () => {
  const reader = await visit("/play", DESKTOP);
  const { page } = reader;
  const id = await makeGame(page, SMALL);
  await page.goto(`/g/${id}`);
  expect(await playToTheEnd(page, byKeyboard)).toBeGreaterThan(8);
  expect((await standing(page, id)).status).toBe("over");
  expect((await deeds(page, id)).figures.length).toBeGreaterThan(1);
  await reader.close();
});

it("a game with sets is saved, taken in again and replayed; its picture and its animation are there", async () => {
  const reader = await visit("/play", DESKTOP);
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
  const reader = await visit("/play", DESKTOP);
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
