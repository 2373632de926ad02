// The engine in the page: thinks in a worker, reviews a whole game without the server, and keeps still in games without help.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { NO_PAGE, REFUSED, useBrowser, visit } from "./browser";
import { makeGame } from "./game/play";
import { playedOut } from "./reviewed";

useBrowser();

const OWN = {
  seats: [{ kind: "me" }, { kind: "bot", bot: "shepherd" }],
  shuffle_seats: false,
  options: { board: "4x4" },
};

/** What the page fetched of the engine. */
const loaded = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => /\.(wasm|net)$/.test(path))
      .map((path) => path.replace(/-[\w-]{8}\.wasm$/, ".wasm")),
  );

it("reviews one's own game in the page while the server is away", async () => {
  const reader = await visit(NO_PAGE);
  const { page, context } = reader;
  const id = await playedOut(page, OWN);
  await page.goto(`/g/${id}/review`);
  await page.getByRole("button", { name: "Review this game" }).waitFor();
  // The page gets what it needs when it has nothing else to do, and starts nothing by itself.
  await expect.poll(() => loaded(page)).toEqual(["/assets/engine.wasm", "/engine/two.net"]);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Review this game" }).click();
  await page.getByText("This browser made the review").waitFor();
  await page.getByText("What decided it").waitFor();
  const here = await page.getByText("What decided it").locator("xpath=ancestor::section[1]").innerText();
  // The server's review says the same.
  await context.setOffline(false);
  await page.evaluate(async (id) => {
    const headers = { "content-type": "application/json" };
    await fetch(`/api/games/${id}/review`, { method: "POST", headers, body: "{}" });
    await (await fetch(`/api/games/${id}/review/stream`)).text();
  }, id);
  await page.reload();
  await page.getByText("What decided it").waitFor();
  expect(await page.getByText("This browser made the review").count()).toBe(0);
  expect(await page.getByText("What decided it").locator("xpath=ancestor::section[1]").innerText()).toBe(here);
  await reader.close(/Failed to (load resource|fetch)|net::ERR_INTERNET_DISCONNECTED/);
});

it("is not started while its user plays a game without help", async () => {
  const reader = await visit(NO_PAGE);
  const { page, context } = reader;
  const id = await playedOut(page, OWN);
  // A game of two people without help, which runs.
  const open = await makeGame(page, { seats: [{ kind: "me" }, { kind: "open" }], shuffle_seats: false });
  const friend = await visit(NO_PAGE);
  await friend.page.evaluate(async (id) => {
    const headers = { "content-type": "application/json" };
    await fetch("/api/guest", { method: "POST", headers, body: "{}" });
    const answer = await fetch(`/api/games/${id}/join`, { method: "POST", headers, body: "{}" });
    if (!answer.ok) throw new Error(await answer.text());
  }, open);
  const asked = page.waitForResponse(/\/api\/lobby\/mine/);
  await page.goto(`/g/${id}/review`);
  await page.getByRole("button", { name: "Review this game" }).waitFor();
  await asked;
  await context.setOffline(true);
  await page.getByRole("button", { name: "Review this game" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Review this game" }).isEnabled()).toBe(true);
  expect(await loaded(page)).toEqual([]);
  await context.setOffline(false);
  await friend.close();
  await reader.close(REFUSED);
});
