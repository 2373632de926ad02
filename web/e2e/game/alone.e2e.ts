// One person against a bot: a small game by mouse, one by keyboard alone, one by finger on a phone.
import { expect, it } from "vitest";
import { DESKTOP, MOVING, PHONE, type Visit, expectAccessible, useBrowser, visit, NO_PAGE } from "../browser";
import { expectFinalCount } from "./final_count";
import {
  AGAINST_A_BOT,
  SMALL,
  TINY,
  makeGame,
  myTurn,
  playToTheEnd,
  standing,
  turnByKeyboard,
  turnByMouse,
  turnByTouch,
  whole,
} from "./play";

useBrowser();

async function sitDown(game: object, options = DESKTOP): Promise<Visit & { id: string }> {
  const reader = await visit(NO_PAGE, options);
  const id = await makeGame(reader.page, { ...AGAINST_A_BOT, ...game });
  await reader.page.goto(`/g/${id}`);
  return { ...reader, id };
}

it("a guest plays a whole game against a bot with the mouse, and sees the count", async () => {
  const { page, id, close } = await sitDown(SMALL, MOVING);
  await myTurn(page);
  await expectAccessible(page, "a game");
  const own = await playToTheEnd(page, turnByMouse);
  const { status, scores } = await standing(page, id);
  expect(status).toBe("over");
  expect(own).toBeGreaterThan(8);
  await expectFinalCount(page, scores);
  await expectAccessible(page, "a finished game");
  await close();
});

it("a game is played with the keyboard alone", async () => {
  const { page, id, close } = await sitDown(TINY);
  await myTurn(page);
  await page.keyboard.press("f");
  await page.getByText("Fields if the game ended now").waitFor();
  await page.keyboard.press("f");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys and pointer" }).waitFor();
  await page.keyboard.press("Escape");
  await playToTheEnd(page, turnByKeyboard);
  expect((await standing(page, id)).status).toBe("over");
  await close();
});

it("a step back is possible until the turn is confirmed", async () => {
  const { page, close } = await sitDown(SMALL);
  await myTurn(page);
  const spots = await page.locator("[data-cell]").count();
  await page.locator("[data-cell]").first().click();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.locator("[data-choice]").first().waitFor();
  await page.keyboard.press("Escape");
  await page.locator("[data-choice]").first().waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.locator(".ghost").waitFor({ state: "detached" });
  expect(await page.locator("[data-cell]").count()).toBe(spots);
  await close();
});

it("a game is played by finger on a phone", async () => {
  const { page, id, close } = await sitDown(TINY, PHONE);
  await myTurn(page);
  await expectAccessible(page, "a game on a phone");
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main button:not([tabindex='-1'])")]
      .filter((button) => button.offsetParent && !button.closest("[role=tablist]"))
      .map((button) => ({ name: button.ariaLabel ?? button.innerText, box: button.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 44 && box.width < 44)
      .map(({ name }) => name),
  );
  expect(small, "controls are large enough for a finger").toEqual([]);
  await playToTheEnd(page, turnByTouch);
  expect((await standing(page, id)).status).toBe("over");
  await close();
});

it("a turn can be taken back in a casual game, and a game resigned", async () => {
  const { page, id, close } = await sitDown({});
  for (const number of [1, 2]) {
    await myTurn(page);
    await whole(page, (page) => turnByMouse(page, number));
  }
  await myTurn(page);
  const { turns } = await standing(page, id);
  await page.getByRole("button", { name: "Take back" }).click();
  await expect.poll(async () => (await standing(page, id)).turns, { timeout: 60_000 }).toBeLessThan(turns);
  await myTurn(page);
  await expect.poll(() => page.getByRole("tabpanel").locator("li").count()).toBe((await standing(page, id)).turns);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }).click();
  await page.getByText("by resignation").waitFor();
  expect((await standing(page, id)).status).toBe("over");
  await close();
});

it("the engine helps in a casual game against a bot", async () => {
  const { page, close } = await sitDown({});
  await myTurn(page);
  await page.getByRole("tab", { name: "Engine" }).click();
  await page.getByRole("button", { name: "Ask the engine" }).click();
  const lines = page.getByRole("tabpanel").locator("ol button");
  await lines.first().waitFor({ timeout: 120_000 });
  expect(await lines.count()).toBeGreaterThan(1);
  expect(await page.locator(".board .badge").count()).toBe(1);
  await close();
});
