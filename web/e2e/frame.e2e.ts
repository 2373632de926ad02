// The frame around the pages, on a server with games: the header is there wherever it belongs, and what
// is missing for a page is named as what it is.
import { describe, expect, inject, it } from "vitest";
import { DESKTOP, PHONE, useBrowser, visit, NO_PAGE } from "./browser";
import { AGAINST_A_BOT, makeGame, myTurn } from "./game/play";
import { ratedPlayer } from "./people";

useBrowser();

const WITH_CARDS = ["/", "/play", "/watch", "/games"];
const NARROW = [
  { width: 390, height: 844 },
  { width: 320, height: 640 },
  { width: 844, height: 390 },
];

describe("the landing page", () => {
  for (const [device, options] of [
    ["desk", DESKTOP],
    ["small desk", { viewport: { width: 1280, height: 720 } }],
    ["phone", PHONE],
  ] as const) {
    it(`has a land of many tiles behind its words, on a ${device}`, async () => {
      const reader = await visit("/", options);
      await expect.poll(() => reader.page.locator(".first image[href^='blob:']").count()).toBeGreaterThan(12);
      await reader.close();
    });
  }
});

describe("the header", () => {
  it("is seen on every page with game cards, however narrow", async () => {
    // Games that nobody has come back to for minutes are not listed as being played: this one is.
    const player = await visit(NO_PAGE);
    await player.page.goto(`/g/${await makeGame(player.page, AGAINST_A_BOT)}`);
    await myTurn(player.page);
    const reader = await visit("/", PHONE);
    const { page } = reader;
    for (const path of WITH_CARDS) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      if (path !== "/play") await page.locator(`a[href^="/g/"]`).first().waitFor({ state: "attached" });
      for (const size of NARROW) {
        await page.setViewportSize(size);
        const at = `${path}, ${size.width} px wide`;
        expect(await page.locator("#app > header").isVisible(), at).toBe(true);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(over, `${at}: wider than the window`).toBeLessThanOrEqual(0);
      }
    }
    await reader.close();
    await player.close();
  });

  it("shows the reader's rating, and rings for invitations and for games that wait for a move", async () => {
    const player = await ratedPlayer(inject("url"));
    const reader = await visit("/settings", DESKTOP);
    const { page, context } = reader;
    await context.addCookies([player.cookie]);
    await page.reload();
    const header = page.locator("#app > header");
    await header.getByText(String(Math.round(await player.rating())), { exact: true }).waitFor();
    await header.getByRole("button", { name: "0 games wait for you" }).click();
    await header.getByText("Nothing waits for you.").waitFor();

    const host = await ratedPlayer(inject("url"));
    const seats = [{ kind: "me" }, { kind: "user", name: player.name }];
    const invited = await host.open({ seats });
    await page.reload();
    await header.getByRole("button", { name: "1 game waits for you" }).click();
    await header.getByRole("link", { name: `${host.name} invites you` }).click();
    await page.waitForURL(`**/g/${invited}`);
    await player.open({ shuffle_seats: false, seats: [{ kind: "me" }, { kind: "bot", bot: "mason" }] });
    await page.goto("/settings");
    await header.getByRole("button", { name: "2 games wait for you" }).click();
    await header.getByRole("link", { name: "Mason your move" }).waitFor();
    await reader.close();
  });

  it("has room for the bell on the narrowest phone", async () => {
    const reader = await visit("/settings", { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
    const { page } = reader;
    await makeGame(page, AGAINST_A_BOT);
    await page.reload();
    const bell = page.locator("#app > header").getByRole("button", { name: "1 game waits for you" });
    await bell.tap();
    await page.getByRole("link", { name: "Shepherd your move" }).waitFor();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, "wider than the window").toBeLessThanOrEqual(0);
    await reader.close();
  });

  it("gives its room to the board of a game on a phone, and comes back after it", async () => {
    const reader = await visit(`/g/${inject("games").running[0]}`, PHONE);
    await reader.page.locator(".board .tile").first().waitFor();
    expect(await reader.page.locator("#app > header").isVisible()).toBe(false);
    await reader.page.getByRole("button", { name: "Menu" }).tap();
    await reader.page.getByRole("dialog").getByRole("link", { name: "Watch" }).tap();
    await reader.page.waitForURL("**/watch");
    await reader.page.locator("#app > header").waitFor();
    await reader.close();
  });
});

it("a page that cannot be fetched without a network says so, and comes when there is one", async () => {
  const reader = await visit("/ranking", DESKTOP);
  const { page, context } = reader;
  await page.getByRole("heading", { level: 1, name: "Ranking" }).waitFor();
  await context.setOffline(true);
  await page.getByRole("link", { name: "Learn" }).first().click();
  await page.getByRole("heading", { name: "No connection" }).waitFor();
  expect(await page.getByText("This page broke").count()).toBe(0);
  await context.setOffline(false);
  await page.getByRole("heading", { level: 1, name: "The rules" }).waitFor();
  await reader.close(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
});
