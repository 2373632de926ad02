// A finished game, turn by turn: keys, slider, addresses, the record.
import { expect, it } from "vitest";
import { PHONE, expectAccessible, useBrowser, visit, NO_PAGE } from "../browser";
import { SMALL, makeGame, standing } from "./play";

useBrowser();

it("a replay is stepped by keys and slider, and every turn has an address", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const seats = [
    { kind: "bot", bot: "shepherd" },
    { kind: "bot", bot: "shepherd" },
  ];
  const id = await makeGame(page, { ...SMALL, seats });
  await expect.poll(async () => (await standing(page, id)).status, { timeout: 120_000 }).toBe("over");
  const { turns, scores } = await standing(page, id);

  await page.goto(`/g/${id}#3`);
  await page.getByText(`Turn 3 of ${turns}`).waitFor();
  const tiles = page.locator(".board .tile");
  await expect.poll(() => tiles.count()).toBe(4);
  await page.keyboard.press("ArrowRight");
  await page.getByText(`Turn 4 of ${turns}`).waitFor();
  await expect.poll(() => tiles.count()).toBe(5);
  await expect.poll(() => new URL(page.url()).hash).toBe("#4");
  // Every press counts, also while the boards before are still on their way.
  await page.route(/\/replay\?ply=/, async (route) => {
    await new Promise((done) => setTimeout(done, 400));
    await route.continue();
  });
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("ArrowLeft");
  await page.getByText(`Turn 1 of ${turns}`).waitFor();
  await expect.poll(() => tiles.count()).toBe(2);
  await page.unroute(/\/replay\?ply=/);
  await page.getByRole("slider", { name: "Turn shown" }).fill("6");
  await page.getByText(`Turn 6 of ${turns}`).waitFor();
  await expect.poll(() => tiles.count()).toBe(7);
  await expectAccessible(page, "a replay");

  await page.getByRole("button", { name: "To the start" }).click();
  await page.getByText(`Turn 0 of ${turns}`).waitFor();
  await page.getByRole("button", { name: /^Speed/ }).click();
  // Space on a button presses the button; anywhere else it plays.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("Space");
  await page.getByText(new RegExp(`Turn [2-9] of ${turns}`)).waitFor();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "To the end" }).click();
  await page.getByText("The game is over").first().waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe("");
  const shown = await page.locator("[data-seat] .points b").allInnerTexts();
  expect(shown.map((text) => Number.parseInt(text, 10))).toEqual(scores);

  const address = await page.getByRole("link", { name: "Download the record" }).getAttribute("href");
  const record = await page.evaluate(async (address) => (await fetch(address!)).text(), address);
  expect(record).toContain("carcassonne players=2");
  expect(record.match(/r[0-3];/g)).toHaveLength(turns);

  await page.getByRole("tab", { name: "Moves" }).click();
  await page.getByRole("tabpanel").locator("ol button").last().click();
  await page.getByText(`Turn 1 of ${turns}`).waitFor();
  await reader.close();
});

it("a replay fits a phone", async () => {
  const reader = await visit(NO_PAGE, PHONE);
  const { page } = reader;
  const id = await makeGame(page, {
    ...SMALL,
    seats: [
      { kind: "bot", bot: "shepherd" },
      { kind: "bot", bot: "shepherd" },
    ],
  });
  await expect.poll(async () => (await standing(page, id)).status, { timeout: 120_000 }).toBe("over");
  await page.goto(`/g/${id}`);
  await page.getByRole("button", { name: "A turn back" }).tap();
  await expect.poll(() => new URL(page.url()).hash).not.toBe("");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await reader.close();
});
