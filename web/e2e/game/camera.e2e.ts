// What the view shows: it follows again after a hint, marks what lies beyond its edges, and nothing that
// can be played lies under what is drawn over the board.
import type { Page } from "playwright-core";
import { expect, inject, it } from "vitest";
import { DESKTOP, MOVING, PHONE, expectAccessible, useBrowser, visit, NO_PAGE } from "../browser";
import { AGAINST_A_BOT, makeGame, myTurn, turnByMouse, whole } from "./play";

useBrowser();

/** The spots that cannot be tapped, because they lie out of the window or under something. */
async function unreachable(page: Page): Promise<string[]> {
  await page.waitForTimeout(600);
  return page.locator("[data-cell]").evaluateAll((spots) =>
    spots
      .filter((spot) => {
        const { left, top, width, height } = spot.querySelector(".area")!.getBoundingClientRect();
        const points = [
          [0.5, 0.5],
          [0.1, 0.1],
          [0.9, 0.1],
          [0.1, 0.9],
          [0.9, 0.9],
        ].map(([x, y]) => [left + x! * width, top + y! * height] as const);
        return points.some(([x, y]) => !document.elementFromPoint(x, y)?.closest("[data-cell]"));
      })
      .map((spot) => spot.getAttribute("data-cell")!),
  );
}

/** A turn beside the page: the last that is legal, without a meeple. */
async function play(page: Page, id: string): Promise<void> {
  await page.evaluate(async (id) => {
    const { update } = await (await fetch(`/api/games/${id}`)).json();
    const body = JSON.stringify({ version: update.version, moves: [update.legal.at(-1).move, "pass"] });
    const answer = await fetch(`/api/games/${id}/play`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
  }, id);
}

it("after a hint and a click in the list the view follows again at the next turn", async () => {
  const reader = await visit(NO_PAGE, MOVING);
  const { page } = reader;
  const id = await makeGame(page, AGAINST_A_BOT);
  await page.goto(`/g/${id}`);
  for (const number of [1, 2, 3]) {
    await myTurn(page);
    await whole(page, (page) => turnByMouse(page, number));
  }
  await myTurn(page);
  for (let i = 0; i < 5; i++) await page.getByRole("button", { name: "Zoom in" }).click();
  await page.getByRole("tabpanel").locator("ol button").last().click();
  // What lies beyond the edge is marked, and a tap goes there.
  const beyond = page.getByRole("button", { name: /spots? further (north|east|south|west)/ });
  await beyond.first().waitFor();
  await expectAccessible(page, "marks at the edge");
  const before = await unreachable(page);
  expect(before.length).toBeGreaterThan(0);
  await beyond.first().press("Enter");
  await expect
    .poll(async () => before.length > (await unreachable(page)).filter((cell) => before.includes(cell)).length)
    .toBe(true);

  const spots = page.locator("[data-cell]");
  const seen = (await spots.count()) - (await unreachable(page)).length;
  expect(seen).toBeGreaterThan(0);
  await page.keyboard.press("ArrowRight");
  await page.locator("[data-cell]:focus").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".pill .ok:focus").waitFor();
  await whole(page, async (page) => {
    await page.keyboard.press("Enter");
    await page.waitForTimeout(300);
    if ((await page.locator("[data-choice]").count()) > 0) await page.keyboard.press("s");
  });
  await myTurn(page);
  await expect.poll(() => unreachable(page), { message: "every spot is seen again", timeout: 30_000 }).toEqual([]);
  await reader.close();
});

for (const [name, device] of [
  ["a desk", DESKTOP],
  ["a small desk", { viewport: { width: 1280, height: 720 } }],
  ["a phone", PHONE],
  ["a phone on its side", { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true }],
] as const) {
  it(`nothing that can be played lies under anything, on ${name}`, async () => {
    const reader = await visit(NO_PAGE, device);
    const { page } = reader;
    const id = await makeGame(page, AGAINST_A_BOT);
    await page.goto(`/g/${id}`);
    for (let turn = 0; turn < 6; turn++) {
      await myTurn(page);
      // A wide view shows all of them; in a narrow one what lies beyond its edge is marked.
      const wide = device.viewport!.width >= 900;
      const lost = async () => {
        const hidden = await unreachable(page);
        const marked = await page.getByRole("button", { name: /spots? further/ }).count();
        return wide || marked === 0 ? hidden : [];
      };
      await expect.poll(lost, { message: `turn ${turn}: neither free nor marked` }).toEqual([]);
      await whole(page, () => play(page, id));
    }
    await reader.close();
  });
}

it("the buttons of a turn lie under nothing, even where its tile is beside the tools", { retry: 0 }, async () => {
  const reader = await visit(NO_PAGE, MOVING);
  const { page } = reader;
  await page.goto(`/g/${await makeGame(page, AGAINST_A_BOT)}`);
  await myTurn(page);
  const tools = (await page.getByRole("toolbar", { name: "View" }).boundingBox())!;
  const spot = page.locator("[data-cell]").first();
  const from = (await spot.boundingBox())!;
  // The table is dragged until the spot lies right above the tools.
  const [dx, dy] = [tools.x + 60 - from.x, tools.y - 8 - (from.y + from.height)];
  await page.mouse.move(700, 120);
  await page.mouse.down();
  await page.mouse.move(700 + dx / 2, 120 + dy / 2);
  await page.mouse.move(700 + dx, 120 + dy);
  await page.mouse.up();
  await page.waitForTimeout(600);
  await spot.click();
  const confirm = page.getByRole("button", { name: "Confirm" });
  const isFree = () =>
    confirm.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
  await expect.poll(isFree, { message: "while the tile is placed" }).toBe(true);
  await page.keyboard.press("Enter");
  if ((await page.locator("[data-choice]").count()) > 0)
    await expect.poll(isFree, { message: "while a meeple is chosen" }).toBe(true);
  await reader.close();
});

it("a wide column of the sheet is not left empty on a phone on its side", async () => {
  const reader = await visit(NO_PAGE, { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });
  const { page } = reader;
  await page.goto(`/g/${await makeGame(page, AGAINST_A_BOT)}`);
  await myTurn(page);
  // The players come after the board.
  await expect.poll(() => page.locator("[data-seat]").count()).toBe(2);
  const sheet = (await page.getByRole("region", { name: "Game panel" }).boundingBox())!;
  expect(sheet.width).toBeLessThan(0.3 * 844);
  // The players stand over it, not over the board.
  for (const seat of await page.locator("[data-seat]").all())
    expect((await seat.boundingBox())!.x).toBeGreaterThanOrEqual(sheet.x);
  await reader.close();
});

it("a board is moved as one layer, however its tiles lie", async () => {
  const reader = await visit(`/g/${inject("games").finished.at(-1)}`, DESKTOP);
  const { page, context } = reader;
  await page.locator(".board .tile img").nth(40).waitFor();
  const session = await context.newCDPSession(page);
  let drawn = 0;
  session.on("LayerTree.layerTreeDidChange", ({ layers }) => {
    if (layers) drawn = layers.filter(({ drawsContent }) => drawsContent).length;
  });
  await session.send("DOM.enable");
  await session.send("LayerTree.enable");
  await page.mouse.move(300, 300);
  await page.mouse.down();
  await page.mouse.move(360, 340, { steps: 4 });
  await expect.poll(() => drawn).toBeGreaterThan(0);
  // The table, its lines, the land, the numbers along two edges, and what lies over the board.
  expect(drawn).toBeLessThan(16);
  await page.mouse.up();
  await reader.close();
});

it("the board is a layer of its own before a hand moves it, and is painted sharp after a zoom", async () => {
  const { page } = await visit(NO_PAGE);
  await page.goto(`/g/${await makeGame(page, AGAINST_A_BOT)}`);
  await myTurn(page);
  const layer = () => page.locator(".board:not(.still) .world").evaluate((world) => getComputedStyle(world).willChange);
  await expect.poll(layer).toBe("transform");
  await page.locator(".board[data-movable]").hover();
  await page.mouse.wheel(0, -200);
  await expect.poll(layer, { interval: 30 }).toBe("auto");
  await expect.poll(layer).toBe("transform");
});

it("on the narrowest phone a staged tile leaves room for its neighbours", async () => {
  const reader = await visit(NO_PAGE, { ...PHONE, viewport: { width: 320, height: 640 } });
  const { page } = reader;
  const bots = ["shepherd", "pilgrim", "peddler", "mason", "steward"].map((bot) => ({ kind: "bot", bot }));
  const id = await makeGame(page, { ...AGAINST_A_BOT, seats: [{ kind: "me" }, ...bots], shuffle_seats: false });
  await page.goto(`/g/${id}`);
  await myTurn(page);
  await page.locator("[data-cell]").first().click();
  await page.locator(".ghost").waitFor();
  await page.waitForTimeout(600);
  const { width } = (await page.locator(".ghost").boundingBox())!;
  expect(width, "of 320").toBeLessThan(150);
  await reader.close();
});
