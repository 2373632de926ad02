// Play on from here: a finished game, a turn of its past, and from there a new game against a bot or a friend.
import { describe, expect, inject, it } from "vitest";
import { DESKTOP, NO_PAGE, PHONE, expectAccessible, useBrowser, visit } from "./browser";
import { myTurn, turnByMouse, turnByTouch, whole } from "./game/play";
import { reviewed, taken } from "./reviewed";

useBrowser();

const TURN = 8;

describe.each([
  ["desk", DESKTOP, turnByMouse],
  ["phone", PHONE, turnByTouch],
])("playing on from a turn on a %s", (_, screen, turn) => {
  it("goes on against a bot with the tile in hand, and says that it is casual", async () => {
    const id = inject("games").finished.at(-1)!;
    const reader = await visit(`/g/${id}#${TURN}`, screen);
    const { page } = reader;
    await page.getByText(new RegExp(`^${TURN} / `)).waitFor();
    const hand = await page
      .getByRole("img", { name: /^Tile / })
      .first()
      .getAttribute("alt");
    await page.getByRole("button", { name: "Play on from here" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Shepherd").first().click();
    await expectAccessible(page, "the dialog to play on");
    await dialog.getByRole("button", { name: "Start game" }).click();
    await page.waitForURL((url) => /^\/g\/\w+$/.test(url.pathname) && !url.pathname.endsWith(id));
    expect(await myTurn(page)).toBe(true);
    expect(await page.locator(".board .tile").count()).toBe(TURN + 1);
    expect(
      await page
        .getByRole("img", { name: /^Tile / })
        .first()
        .getAttribute("alt"),
    ).toBe(hand);
    await whole(page, (page) => turn(page, 1));
    if (screen === PHONE) await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("Casual, from a position of another game.").waitFor();
    await reader.close();
  });
});

it("goes on from a turn of a review", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await taken(page);
  await reviewed(page, id);
  await page.goto(`/g/${id}/review`);
  await page.getByRole("button", { name: "Play on from here" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start game" }).click();
  await page.waitForURL((url) => /^\/g\/\w+$/.test(url.pathname));
  expect(await myTurn(page)).toBe(true);
  await page.getByText("Casual, from a position of another game.").waitFor();
  await reader.close();
});

it("goes on from a position laid by hand, and from a study that begins with one", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const layout = "tile U 1,0 r0 0 road0 | scores 4 12 | player 1";
  await page.goto(`/analysis?${new URLSearchParams({ setup: "players=2", layout })}`);
  await page.getByText("A tile is drawn for Player 2").waitFor();
  const start = async () => {
    await page.getByRole("button", { name: "Play on from here" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Start game" }).click();
    await page.waitForURL((url) => /^\/g\/\w+$/.test(url.pathname));
    expect(await myTurn(page)).toBe(true);
    expect(await page.locator(".board .tile").count()).toBe(2);
    expect(await page.locator(".last.halo").count(), "nobody placed what was laid").toBe(0);
    await page.getByText("Casual, from a position laid by hand.").waitFor();
  };
  await start();
  await whole(page, (page) => turnByMouse(page, 1));
  await page.goBack();
  await page.getByRole("button", { name: "Keep as a study" }).click();
  await page.waitForURL(/\/study\//);
  await page.getByText("A tile is drawn for Player 2").waitFor();
  await start();
  await reader.close();
});

it("opens a table for a friend, who joins by its link", async () => {
  const id = inject("games").finished.at(-1)!;
  const reader = await visit(`/g/${id}#${TURN}`);
  const { page } = reader;
  await page.getByText(new RegExp(`^${TURN} / `)).waitFor();
  await page.getByRole("button", { name: "Play on from here" }).click();
  await page.getByRole("dialog").getByText("A friend").click();
  await page.getByRole("dialog").getByRole("button", { name: "Open a table for a friend" }).click();
  await page.waitForURL((url) => /^\/g\/\w+$/.test(url.pathname) && !url.pathname.endsWith(id));
  await page.getByLabel("The link to this table").first().waitFor();
  const friend = await visit(new URL(page.url()).pathname);
  await friend.page.getByRole("button", { name: "Join" }).click();
  expect(await myTurn(page)).toBe(true);
  expect(await page.locator(".board .tile").count()).toBe(TURN + 1);
  await friend.close();
  await reader.close();
});
