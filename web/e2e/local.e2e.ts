// A game without a server: it begins, survives a reload and ends with the server away, and is handed in once.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { DESKTOP, NO_PAGE, PHONE, type Visit, expectAccessible, useBrowser, visit } from "./browser";
import { makeGame, myTurn, playToTheEnd, turnByMouse, turnByTouch, whole } from "./game/play";
import { Server } from "./server";

useBrowser();

const AWAY = /Failed to (load resource|fetch)|net::ERR_|WebSocket/;

/** Waits until the browser has all that a game without a network needs. */
async function kept(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async () => {
        await navigator.serviceWorker.ready;
        const engine = performance
          .getEntriesByType("resource")
          .map(({ name }) => new URL(name).pathname)
          .find((path) => path.endsWith(".wasm"));
        const files = ["/", "/engine/two.net", engine ?? "none"];
        return (await Promise.all(files.map((file) => caches.match(file)))).every((answer) => answer !== undefined);
      }),
    )
    .toBe(true);
}

interface Listed {
  games: { info: { id: string; offline: boolean; rated: boolean; result: { scores: number[] } } }[];
}
const imported = (page: Page) =>
  page.evaluate(async () => (await (await fetch("/api/games?imported=true")).json()) as Listed);

/** Begins a short game with the server gone, and plays two turns of it. */
async function beginAway(reader: Visit, server: Server, turn: typeof turnByMouse): Promise<void> {
  const { page, context } = reader;
  await page.getByRole("heading", { name: "Play offline" }).waitFor();
  await expectAccessible(page, "a new game offline");
  await kept(page);
  await context.setOffline(true);
  await server.pause();
  await page.reload();
  await page.getByText("Shepherd").first().click();
  await page.getByText("I do").click();
  await page.getByText("Short game").click();
  await page.getByRole("button", { name: "Start game" }).click();
  for (const number of [1, 2]) {
    expect(await myTurn(page)).toBe(true);
    await whole(page, (page) => turn(page, number));
  }
  await myTurn(page);
  await expectAccessible(page, "a game offline");
  const lie = await page.locator(".board .tile").count();
  expect(lie).toBeGreaterThanOrEqual(5);
  await page.reload();
  await expect.poll(() => page.locator(".board .tile").count()).toBe(lie);
}

it("on a phone a game without a server is played with the server away, and goes on after a reload", async () => {
  const server = await Server.start();
  const reader = await visit("/local", { ...PHONE, serviceWorkers: "allow", baseURL: server.url });
  try {
    await beginAway(reader, server, turnByTouch);
    expect(await myTurn(reader.page)).toBe(true);
    await whole(reader.page, (page) => turnByTouch(page, 3));
  } finally {
    await server.stop();
  }
  await reader.close(AWAY);
});

it("a game without a server is played to its end with the server away, and is handed in once", async () => {
  const server = await Server.start();
  const reader = await visit("/local", { ...DESKTOP, serviceWorkers: "allow", baseURL: server.url });
  const { page, context } = reader;
  try {
    await beginAway(reader, server, turnByMouse);
    await playToTheEnd(page, turnByMouse);
    const over = page.getByRole("region", { name: "The game is over" });
    const headline = await over.getByRole("heading").innerText();
    expect(headline).toMatch(/(won|draw)/i);
    // Its turns can be stepped through, still without the server.
    await page.getByRole("button", { name: "A turn back" }).first().click();
    await page.getByRole("slider").waitFor();

    await server.resume();
    await context.setOffline(false);
    await expect.poll(async () => (await imported(page)).games.length).toBe(1);
    const [game] = (await imported(page)).games;
    expect(game!.info).toMatchObject({ offline: true, rated: false });
    const points = headline.match(/\d+/g)!.map(Number).sort();
    expect([...game!.info.result.scores].sort()).toEqual(points);
    await page.goto("/local");
    await page.getByRole("link", { name: "Review" }).waitFor();
    await page.goto("/games");
    await page.getByText("played offline").first().waitFor();
    expect((await imported(page)).games.length, "once").toBe(1);
  } finally {
    await server.stop();
  }
  await reader.close(AWAY);
});

it("begins another game with the seats changed, beside a game in which nobody gets help", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const open = await makeGame(page, { seats: [{ kind: "me" }, { kind: "open" }], shuffle_seats: false });
  const friend = await visit(NO_PAGE);
  await friend.page.evaluate(async (id) => {
    const headers = { "content-type": "application/json" };
    await fetch("/api/guest", { method: "POST", headers, body: "{}" });
    await fetch(`/api/games/${id}/join`, { method: "POST", headers, body: "{}" });
  }, open);
  await friend.close();
  await page.goto("/local");
  await page.getByText("I do").click();
  await page.getByText("Short game").click();
  await page.getByRole("button", { name: "Start game" }).click();
  for (const number of [1, 2]) {
    await myTurn(page);
    await whole(page, (page) => turnByMouse(page, number));
  }
  await myTurn(page);
  const lie = await page.locator(".board .tile").count();
  await page.getByRole("button", { name: "Take back" }).click();
  await expect.poll(() => page.locator(".board .tile").count()).toBeLessThan(lie);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await page.getByRole("region", { name: "The game is over" }).waitFor();
  await page.getByRole("button", { name: "Rematch" }).click();
  // The bot begins this time.
  await myTurn(page);
  expect(await page.locator(".board .tile").count()).toBe(2);
  await reader.close();
});
