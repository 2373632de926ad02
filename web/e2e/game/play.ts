// Playing in the browser as people do: by mouse, by keyboard, by finger. Nothing here knows rules:
// a turn is whatever the board offers.
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A guest, and a game that they make; gives the game's id. */
export async function makeGame(page: Page, game: object): Promise<string> {
  return page.evaluate(async (game) => {
    const post = async (path: string, body: object) => {
      const answer = await fetch(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { info: { id: string } };
    };
    if ((await (await fetch("/api/session")).json()) === null) await post("/api/guest", {});
    return (await post("/api/games", { game: "carcassonne", ...game })).info.id;
  }, game);
}

export const AGAINST_A_BOT = { seats: [{ kind: "me" }, { kind: "bot", bot: "shepherd" }], shuffle_seats: false };
/** Ends early: when the square is full. */
export const SMALL = { options: { board: "5x5" } };
/** Ends after few turns: for what must end, and is played to its end elsewhere. */
export const TINY = { options: { board: "4x4" } };

export interface Standing {
  status: string;
  turn: number | null;
  scores: number[];
  /** Turns played. */
  turns: number;
}

/** How the game stands by the server, asked beside the page. */
export async function standing(page: Page, id: string): Promise<Standing> {
  return page.evaluate(async (id) => {
    const { info, update } = (await (await fetch(`/api/games/${id}`)).json()) as {
      info: { status: string };
      update: { turn: number | null; view: { scores: number[]; board: { tiles: Record<string, { turn: number }> } } };
    };
    const turns = Math.max(...Object.values(update.view.board.tiles).map((tile) => tile.turn));
    return { status: info.status, turn: update.turn, scores: update.view.scores, turns };
  }, id);
}

/** Waits until the player here may place a tile (true) or the game is over (false). */
export async function myTurn(page: Page): Promise<boolean> {
  const spot = page.locator("[data-cell]").first();
  const over = page.getByRole("region", { name: "The game is over" });
  await spot.or(over).first().waitFor({ state: "attached", timeout: 120_000 });
  if ((await over.count()) > 0) return false;
  // What drags and pinches comes right after the spots.
  await page.locator(".board[data-movable]").first().waitFor({ state: "attached" });
  return true;
}

/** Plays until the game is over; gives the number of own turns. */
export async function playToTheEnd(page: Page, turn: (page: Page, number: number) => Promise<void>): Promise<number> {
  for (let number = 1; ; number++) {
    if (!(await myTurn(page))) return number - 1;
    await whole(page, (page) => turn(page, number));
    expect(number, "a game has an end").toBeLessThan(80);
  }
}

/** A turn until its tile lies on the board; the spots that are shown then are another turn's. */
export async function whole(page: Page, turn: (page: Page) => Promise<void>): Promise<void> {
  const tiles = page.locator(".board .tile");
  const before = await tiles.count();
  await turn(page);
  await expect.poll(() => tiles.count(), { timeout: 120_000 }).toBeGreaterThan(before);
}

/** By mouse: a spot, sometimes a turn of the tile, confirm; a meeple or none; confirm. */
export async function turnByMouse(page: Page, number: number): Promise<void> {
  const spots = page.locator("[data-cell]");
  const wanted = spots.nth(number % (await spots.count()));
  await wanted.click();
  const confirm = page.getByRole("button", { name: "Confirm" });
  const rotate = page.getByRole("group", { name: "Place the tile" }).getByRole("button", { name: "Turn the tile" });
  if (number % 3 === 0 && (await rotate.isEnabled())) await rotate.click();
  await confirm.click();
  await finishMeeple(page, number, async () => confirm.click());
}

/** The meeple step, where there is one: the first place, or none. */
async function finishMeeple(page: Page, number: number, confirm: () => Promise<void>): Promise<void> {
  const choices = page.locator("[data-choice]");
  if ((await choices.count()) === 0) return;
  if (number % 2 === 1) await choices.first().click();
  else await page.getByRole("radio", { name: /^No meeple/ }).click();
  await confirm();
}

/** By keyboard alone: an arrow finds a spot, Enter puts the tile down, Enter again, then the meeple. */
export async function turnByKeyboard(page: Page, number: number): Promise<void> {
  const { keyboard } = page;
  for (let i = 0; i < 1 + (number % 3); i++) await keyboard.press(["ArrowRight", "ArrowDown", "ArrowLeft"][i % 3]!);
  // A key pressed while the board is changing finds nothing to go to; a person presses again.
  const spot = page.locator("[data-cell]:focus");
  const found = async () => {
    if ((await spot.count()) === 0) await keyboard.press("ArrowRight");
    return spot.count();
  };
  await expect.poll(found, { timeout: 60_000 }).toBe(1);
  await keyboard.press("Enter");
  await page.locator(".ghost").waitFor();
  if (number % 2 === 0) await keyboard.press("r");
  await page.locator(".pill .ok:focus").waitFor();
  await keyboard.press("Enter");
  if ((await page.locator("[data-choice]").count()) === 0) return;
  if (number % 2 === 0) return keyboard.press("s");
  await page.locator("[data-choice]:focus").waitFor();
  await keyboard.press("ArrowRight");
  await page.locator(".pill .ok:focus").waitFor();
  await keyboard.press("Enter");
}

/** By finger: tap a spot, tap the sheet's buttons. */
export async function turnByTouch(page: Page, number: number): Promise<void> {
  const spots = page.locator("[data-cell]");
  await spots.nth(number % (await spots.count())).tap();
  const sheet = page.getByRole("region", { name: "Game panel" });
  if (number % 3 === 0) {
    const rotate = sheet.getByRole("button", { name: "Turn the tile" });
    if (await rotate.isEnabled()) await rotate.tap();
  }
  await sheet.getByRole("button", { name: "Place here" }).tap();
  const choices = sheet.getByRole("radio");
  if ((await choices.count()) === 0) return;
  if (number % 2 === 1) await choices.first().tap();
  else await sheet.getByRole("radio", { name: /^No meeple/ }).tap();
  await sheet.getByRole("button", { name: /^(Place on|End the turn)/ }).tap();
}
