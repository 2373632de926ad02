// Whole games with all sets against a bot: by mouse on a desk, by finger on a phone, by keyboard alone; their replay.
import { expect, it } from "vitest";
import { ifEndedNow } from "../../src/game/count";
import { DESKTOP, PHONE, expectAccessible, useBrowser, visit, NO_PAGE } from "../browser";
import { makeGame, standing } from "./play";
import { ALL_SETS, SMALL, byKeyboard, byMouse, byTouch, figuresPlaced, playToTheEnd, view } from "./sets";

useBrowser();

it("a whole game with all sets is played by mouse and then replayed", { timeout: 900_000 }, async () => {
  const reader = await visit(NO_PAGE, DESKTOP);
  const { page } = reader;
  const id = await makeGame(page, ALL_SETS);
  await page.goto(`/g/${id}`);
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
  const done = await figuresPlaced(page, id);
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
  const reader = await visit(NO_PAGE, PHONE);
  const { page } = reader;
  const id = await makeGame(page, SMALL);
  await page.goto(`/g/${id}`);
  expect(await playToTheEnd(page, byTouch)).toBeGreaterThan(8);
  expect((await standing(page, id)).status).toBe("over");
  expect((await figuresPlaced(page, id)).figures.length).toBeGreaterThan(1);
  await expectAccessible(page, "the end of a game with sets on a phone");
  await reader.close();
});

it("a whole game with all sets by keyboard alone", async () => {
  const reader = await visit(NO_PAGE, DESKTOP);
  const { page } = reader;
  const id = await makeGame(page, SMALL);
  await page.goto(`/g/${id}`);
  expect(await playToTheEnd(page, byKeyboard)).toBeGreaterThan(8);
  expect((await standing(page, id)).status).toBe("over");
  expect((await figuresPlaced(page, id)).figures.length).toBeGreaterThan(1);
  await reader.close();
});
