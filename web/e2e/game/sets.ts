// Playing with sets in the browser: by mouse, by finger, by keyboard alone; the figure in hand changes from turn to turn.
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { CarcassonneView } from "../../src/wire/CarcassonneView";
import { myTurn, whole } from "./play";

export const SETS = ["inns", "traders", "river", "gardens"];
export const ALL_SETS = {
  seats: [{ kind: "me" }, { kind: "bot", bot: "greedy" }],
  shuffle_seats: false,
  options: { expansions: SETS },
};
/** Ends when the square is full. */
export const SMALL = { ...ALL_SETS, options: { expansions: SETS, board: "7x7" } };

export type Turn = (page: Page, number: number) => Promise<void>;

/** Plays so many own turns, or until the game is over; gives the number of own turns. */
export async function playTurns(page: Page, most: number, turn: Turn): Promise<number> {
  for (let number = 1; number <= most; number++) {
    if (!(await myTurn(page))) return number - 1;
    await whole(page, (page) => turn(page, number));
  }
  return most;
}

/** Plays until the game is over; gives the number of own turns. */
export async function playToTheEnd(page: Page, turn: Turn): Promise<number> {
  const own = await playTurns(page, 126, turn);
  expect(own, "a game has an end").toBeLessThan(126);
  return own;
}

interface Told {
  plies: { events: { event: string; figure?: string }[] }[];
}

/** What was put down, and how often a turn was doubled. */
export async function figuresPlaced(
  page: Page,
  id: string,
): Promise<{ figures: string[]; doubled: number; goods: number }> {
  const { plies } = await page.evaluate(
    async (id) => (await fetch(`/api/games/${id}/replay`)).json() as Promise<Told>,
    id,
  );
  const events = plies.flatMap((ply) => ply.events);
  const figures = events.flatMap((e) => (e.event === "meeple_placed" && e.figure ? [e.figure] : []));
  const count = (name: string) => events.filter(({ event }) => event === name).length;
  return { figures: [...new Set(figures)].sort(), doubled: count("turn_doubled"), goods: count("goods_taken") };
}

export async function view(page: Page, id: string): Promise<CarcassonneView> {
  return page.evaluate(async (id) => (await fetch(`/api/games/${id}/view`)).json() as Promise<CarcassonneView>, id);
}

/** The figure in hand: each in turn, so that all are placed. */
async function chooseFigure(page: Page, number: number, press: "click" | "tap"): Promise<void> {
  const figures = page.locator("[data-figure]");
  const count = await figures.count();
  if (count > 0) await figures.nth(number % count)[press]();
}

export const byMouse: Turn = async (page, number) => {
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

export const byTouch: Turn = async (page, number) => {
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

export const byKeyboard: Turn = async (page, number) => {
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
