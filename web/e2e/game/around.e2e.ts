// GameControls a game: whose turn it is, time that runs out, offers, help, one device for two, two fingers.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { PHONE, REFUSED, type Visit, useBrowser, visit, NO_PAGE } from "../browser";
import { freshName } from "../people";
import { AGAINST_A_BOT, SMALL, makeGame, myTurn, playToTheEnd, standing, turnByMouse, whole } from "./play";

useBrowser();

/** Two people at one table, each with a page of it. */
async function twoPeople(game: object): Promise<{ anna: Visit; ben: Visit; id: string }> {
  const [anna, ben] = [await visit(NO_PAGE), await visit(NO_PAGE)];
  const id = await makeGame(anna.page, { seats: [{ kind: "me" }, { kind: "open" }], shuffle_seats: false, ...game });
  await ben.page.evaluate(async (id) => {
    const post = (path: string) =>
      fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
    if ((await (await fetch("/api/session")).json()) === null) await post("/api/guest");
    await post(`/api/games/${id}/join`);
  }, id);
  await Promise.all([anna, ben].map(({ page }) => page.goto(`/g/${id}`)));
  return { anna, ben, id };
}

/** A turn without the board: the first that is legal, no meeple. */
async function play(page: Page, id: string): Promise<void> {
  await page.evaluate(async (id) => {
    const { update } = await (await fetch(`/api/games/${id}`)).json();
    const body = JSON.stringify({ version: update.version, moves: [update.legal[0].move, "pass"] });
    const answer = await fetch(`/api/games/${id}/play`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
  }, id);
}

it("who looks away is told that it is their turn: title, sound and, if asked for, a notification", async () => {
  const { anna, ben, id } = await twoPeople(SMALL);
  await ben.context.grantPermissions(["notifications"]);
  await ben.page.addInitScript(() => {
    const told = ((globalThis as unknown as { told: object }).told = {
      sounds: 0,
      notices: [] as string[],
      hidden: false,
    });
    const create = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
      told.sounds += 1;
      return create.call(this);
    };
    globalThis.Notification = class {
      static permission = "granted";
      static requestPermission = async () => "granted";
      onclick = null;
      close() {}
      constructor(title: string) {
        told.notices.push(title);
      }
    } as unknown as typeof Notification;
    Object.defineProperty(Document.prototype, "visibilityState", { get: () => (told.hidden ? "hidden" : "visible") });
  });
  await ben.page.reload();
  const told = () =>
    ben.page.evaluate(() => (globalThis as unknown as { told: { sounds: number; notices: string[] } }).told);
  await ben.page.getByRole("button", { name: "Notify me when it is my turn" }).click();
  await ben.page.evaluate(() => ((globalThis as unknown as { told: { hidden: boolean } }).told.hidden = true));
  expect(await ben.page.title()).not.toContain("Your turn");
  await play(anna.page, id);
  await expect.poll(() => ben.page.title(), { timeout: 60_000 }).toContain("● Your turn");
  await expect.poll(async () => (await told()).notices).toEqual(["Your turn"]);
  await expect.poll(async () => (await told()).sounds).toBeGreaterThan(0);

  // Muted, nothing sounds; the notice comes all the same.
  await ben.page.getByRole("button", { name: "Turn the sounds off" }).click();
  const { sounds } = await told();
  await play(ben.page, id);
  await play(anna.page, id);
  await expect.poll(async () => (await told()).notices.length, { timeout: 60_000 }).toBe(2);
  expect((await told()).sounds).toBe(sounds);
  await ben.page.reload();
  await ben.page.getByRole("button", { name: "Turn the sounds on" }).waitFor();
  await anna.close();
  await ben.close();
});

it("a turn is taken back when the other agrees, and a draw agreed on", async () => {
  const { anna, ben, id } = await twoPeople({});
  await play(anna.page, id);
  await play(ben.page, id);
  await anna.page.getByRole("button", { name: "Take back" }).click();
  await ben.page.getByText(/asks to take back a turn/).waitFor();
  await ben.page.getByRole("button", { name: "Decline" }).click();
  await anna.page.getByText("You asked to take back a turn.").waitFor({ state: "detached" });
  expect((await standing(anna.page, id)).turns).toBe(2);
  await anna.page.getByRole("button", { name: "Take back" }).click();
  await ben.page.getByRole("button", { name: "Accept" }).click();
  await expect.poll(async () => (await standing(anna.page, id)).turns, { timeout: 60_000 }).toBeLessThan(2);

  await ben.page.getByRole("button", { name: "Draw" }).click();
  await anna.page.getByText(/offers a draw/).waitFor();
  await anna.page.getByRole("button", { name: "Accept" }).click();
  for (const { page } of [anna, ben]) await page.getByText("by agreement").waitFor();
  await anna.close();
  await ben.close();
});

it("in a rated game there is no help, the clock is seen to run out, and that loses", async () => {
  const [anna, ben] = [await visit(NO_PAGE), await visit(NO_PAGE)];
  const name = freshName();
  for (const [{ page }, user] of [
    [anna, freshName()],
    [ben, name],
  ] as const) {
    await page.evaluate(
      (name) =>
        fetch("/api/register", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ name, password: "correct horse" }),
        }),
      user,
    );
  }
  const seats = [{ kind: "me" }, { kind: "user", name }];
  const id = await makeGame(anna.page, {
    seats,
    shuffle_seats: false,
    rated: true,
    clock: { kind: "game", initial_ms: 15_000, increment_ms: 0 },
  });
  await anna.page.goto(`/g/${id}`);
  await ben.page.goto(`/g/${id}`);
  await ben.page.evaluate(
    (id) =>
      fetch(`/api/games/${id}/join`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }),
    id,
  );
  await anna.page.getByRole("tab", { name: "Chat" }).waitFor();
  expect(await anna.page.getByRole("tab", { name: "Engine" }).count()).toBe(0);
  expect(await anna.page.getByRole("button", { name: "Hint" }).count()).toBe(0);
  expect(await anna.page.getByRole("button", { name: "Take back" }).count()).toBe(0);
  // Below ten seconds tenths are shown.
  await anna.page
    .locator('[data-seat="0"]')
    .getByRole("timer")
    .getByText(/^\s*\d\.\d\s*$/)
    .waitFor();
  for (const { page } of [anna, ben]) await page.getByText("on time").waitFor();
  await ben.page.getByRole("heading", { name: /You won/ }).waitFor();
  await anna.close();
  await ben.close();
});

it("two play on one device: made with the form, played to the end", async () => {
  const host = await visit("/play");
  const { page } = host;
  await page.getByLabel("Who sits on seat 2").selectOption("me");
  await page.getByText("pass the device on after each turn").waitFor();
  await page.getByText("Rules and options").click();
  await page.getByLabel("Board").fill("3x3");
  await page.getByRole("button", { name: "Start game" }).click();
  await page.waitForURL(/\/g\/\w+/);
  await page.getByText(/ 1 to move/).waitFor();
  await myTurn(page);
  await whole(page, (page) => turnByMouse(page, 1));
  await page.getByText(/ 2 to move/).waitFor();
  const turns = await playToTheEnd(page, turnByMouse);
  expect(turns).toBeGreaterThan(2);
  expect(await page.getByRole("button", { name: "Resign" }).count()).toBe(0);
  await host.close();
});

it("two fingers zoom the board about the place between them", async () => {
  const reader = await visit(NO_PAGE, PHONE);
  const { page } = reader;
  const id = await makeGame(page, { ...AGAINST_A_BOT, ...SMALL });
  await page.goto(`/g/${id}`);
  await myTurn(page);
  const zoom = () =>
    page
      .locator(".board .world")
      .evaluate((world) => Number(/scale\(([\d.]+)\)/.exec((world as HTMLElement).style.transform)![1]));
  const before = await zoom();
  const cdp = await reader.context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", spread?: number) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints:
        spread === undefined
          ? []
          : [
              { x: 195 - spread, y: 420, id: 0 },
              { x: 195 + spread, y: 420, id: 1 },
            ],
    });
  await touch("touchStart", 30);
  for (const spread of [40, 55, 70, 90]) await touch("touchMove", spread);
  await touch("touchEnd");
  await expect.poll(zoom).toBeGreaterThan(before * 1.8);
  expect(await page.locator(".ghost").count(), "a pinch is no tap").toBe(0);
  const wide = await zoom();
  await touch("touchStart", 90);
  for (const spread of [70, 50, 30]) await touch("touchMove", spread);
  await touch("touchEnd");
  await expect.poll(zoom).toBeLessThan(wide * 0.6);
  await reader.close();
});

it("a hint shows a turn that can be played, and goes with the turn", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await makeGame(page, AGAINST_A_BOT);
  await page.goto(`/g/${id}`);
  await myTurn(page);
  await page.getByRole("button", { name: /^Hint/ }).click();
  const badge = page.locator(".board .badge");
  await badge.waitFor({ timeout: 120_000 });
  await whole(page, (page) => turnByMouse(page, 1));
  await badge.waitFor({ state: "detached" });
  await myTurn(page);
  await page.keyboard.press("h");
  await badge.waitFor({ timeout: 120_000 });
  await reader.close();
});

it("a tile turned in the hand lies so when it is put down, where that fits", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await makeGame(page, AGAINST_A_BOT);
  await page.goto(`/g/${id}`);
  await myTurn(page);
  const legal = await page.evaluate(async (id) => {
    const { update } = await (await fetch(`/api/games/${id}`)).json();
    return (update.legal as { move: string }[]).map(({ move }) => move.split(" r") as [string, string]);
  }, id);
  const [cell, rotation] = legal.find(([, rotation]) => rotation !== "0") ?? legal[0]!;
  for (let turns = 0; turns < Number(rotation); turns++) await page.keyboard.press("r");
  await page.locator(`[data-cell="${cell}"]`).click();
  await page.locator(".ghost").waitFor();
  await page.keyboard.press("Enter");
  // Without a meeple, where one could be put down.
  await page.keyboard.press("s");
  const lies = () =>
    page.evaluate(
      async ([id, cell]) => {
        const { update } = await (await fetch(`/api/games/${id}`)).json();
        return (update.view.board.tiles[cell!] as { rotation: number } | undefined)?.rotation;
      },
      [id, cell],
    );
  await expect.poll(lies, { timeout: 30_000 }).toBe(90 * Number(rotation));
  await reader.close(REFUSED);
});
