// What stands around the board says what is shown, and has room for it.
import { expect, inject, it } from "vitest";
import { DESKTOP, PHONE, useBrowser, visit, NO_PAGE } from "../browser";
import { AGAINST_A_BOT, SMALL, makeGame, myTurn, turnByMouse, whole } from "./play";

useBrowser();

const LOW = { viewport: { width: 1280, height: 720 } };

it("on a desk each meeple has its name and worth, is outlined, and the view stays where it is", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  await page.goto(`/g/${await makeGame(page, AGAINST_A_BOT)}`);
  await myTurn(page);
  await page.locator("[data-cell]").first().click();
  await page.locator(".ghost").waitFor();
  const zoom = () => page.locator(".board .world").evaluate((world) => (world as HTMLElement).style.transform);
  const before = await zoom();
  await page.getByRole("button", { name: "Confirm" }).click();
  const choices = page.locator("[data-choice]:not([data-choice=pass])");
  await choices.first().waitFor();
  expect(await zoom()).toBe(before);
  const names = await choices.allInnerTexts();
  for (const text of names) expect(text).toMatch(/^(City|Road|Field|Monastery)(, [a-z-]+)?\s+(\d+ now|touches|scores)/);
  expect(new Set(names.map((text) => text.split("\n")[0])).size, "each has a name of its own").toBe(names.length);
  const outline = page.locator(".board .highlight");
  // The keyboard is at the first of them.
  await outline.waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await outline.waitFor({ state: "detached" });
  await choices.first().hover();
  await outline.waitFor();
  await page.mouse.move(5, 300);
  await outline.waitFor({ state: "detached" });
  await page.locator("[data-place]").first().hover();
  await outline.waitFor();
  await reader.close();
});

it("the lesson names its meeples too", async () => {
  const reader = await visit("/learn/lesson");
  const { page } = reader;
  await page.locator('[data-cell="1,0"]').click();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { level: 1, name: "Claim a road" }).waitFor();
  await page.locator('[data-cell="2,0"]').click();
  await page.getByRole("button", { name: "Confirm" }).click();
  expect(await page.locator('[data-choice="road0"]').innerText()).toMatch(/Road\s+\d+ now · \d+ sides? open/);
  await reader.close();
});

it("after a resignation nobody is said to think, and a replay names whose tile it shows", async () => {
  const [resigned] = inject("games").ended;
  for (const device of [DESKTOP, PHONE]) {
    const reader = await visit(`/g/${resigned}`, device);
    await reader.page.getByText("by resignation").waitFor();
    expect(await reader.page.getByText("is thinking").count()).toBe(0);
    expect(await reader.page.getByText(/’s tile$/).count()).toBe(0);
    await reader.close();
  }
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await makeGame(page, {
    ...SMALL,
    seats: [
      { kind: "bot", bot: "shepherd" },
      { kind: "bot", bot: "pilgrim" },
    ],
    shuffle_seats: false,
  });
  await page.goto(`/g/${id}`);
  await page.getByRole("region", { name: "The game is over" }).waitFor();
  for (const [turn, name] of [
    [0, "Shepherd"],
    [1, "Pilgrim"],
    [2, "Shepherd"],
  ] as const) {
    await page.goto(`/g/${id}#${turn}`);
    await page.getByRole("heading", { name: `${name}’s tile` }).waitFor();
  }
  await reader.close();
});

it("without a meeple in hand nobody is told to place one", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await makeGame(page, { seats: [{ kind: "me" }, { kind: "me" }], shuffle_seats: false });
  await page.route(`**/api/games/${id}/socket*`, (route) => route.continue());
  // A meeple on a field never comes back: seven of them leave the hand empty.
  await page.evaluate(async (id) => {
    for (let turn = 0; turn < 60; turn++) {
      const { info, update } = await (await fetch(`/api/games/${id}`)).json();
      if (info.status !== "playing" || (update.turn === 0 && update.view.meeple_supply[0] === 0)) return;
      const fields = (m: { then: string[] }) => m.then.find((s) => s.startsWith("field"));
      const move = update.legal.find(fields) ?? update.legal[0];
      const meeple =
        update.turn === 0 ? (fields(move) ?? move.then.find((s: string) => s !== "pass") ?? "pass") : "pass";
      await fetch(`/api/games/${id}/play`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ version: update.version, moves: [move.move, meeple] }),
      });
    }
  }, id);
  await page.goto(`/g/${id}`);
  await myTurn(page);
  await page.locator(".notice").getByText("place the tile", { exact: true }).waitFor();
  await reader.close();
});

it("on a low screen the foot is one line and the chat can be written to", async () => {
  const [anna, ben] = [await visit(NO_PAGE, LOW), await visit(NO_PAGE, LOW)];
  const id = await makeGame(anna.page, { seats: [{ kind: "me" }, { kind: "open" }], shuffle_seats: false });
  await ben.page.goto(`/g/${id}`);
  await ben.page.getByRole("button", { name: "Join" }).click();
  await anna.page.goto(`/g/${id}`);
  for (const [{ page }, number] of [
    [anna, 1],
    [ben, 2],
    [anna, 3],
  ] as const) {
    await myTurn(page);
    await whole(page, (page) => turnByMouse(page, number));
  }
  const { page } = anna;
  const foot = (await page.locator("aside footer").boundingBox())!;
  expect(foot.height).toBeLessThan(64);
  await page.getByRole("tab", { name: "Chat" }).click();
  const input = page.getByRole("textbox", { name: "Say something" });
  const box = (await input.boundingBox())!;
  expect(box.y + box.height).toBeLessThanOrEqual(foot.y);
  await anna.close();
  await ben.close();
});

it("six players leave room for the tabs on a low screen", async () => {
  const reader = await visit(NO_PAGE, LOW);
  const { page } = reader;
  const seats = [{ kind: "me" }, ...Array.from({ length: 5 }, () => ({ kind: "bot", bot: "shepherd" }))];
  await page.goto(`/g/${await makeGame(page, { seats, shuffle_seats: false })}`);
  await myTurn(page);
  const panel = page.getByRole("tabpanel");
  await panel.waitFor();
  const [box, foot] = [(await panel.boundingBox())!, (await page.locator("aside footer").boundingBox())!];
  expect(foot.y - box.y, "what the tab shows").toBeGreaterThan(120);
  await reader.close();
});

it("names are whole on the narrowest phone", async () => {
  const reader = await visit(NO_PAGE, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  const { page } = reader;
  await page.goto(`/g/${await makeGame(page, AGAINST_A_BOT)}`);
  await myTurn(page);
  // The players come after the board.
  await expect.poll(() => page.locator("[data-seat] .name").count()).toBe(2);
  const cut = await page
    .locator("[data-seat] .name")
    .evaluateAll((names) =>
      names
        .filter((n) => n.scrollWidth > n.clientWidth + 1 || n.scrollHeight > n.clientHeight + 2)
        .map((n) => n.textContent),
    );
  expect(cut).toEqual([]);
  await reader.close();
});

it("cells have names that people can say, the same in the list and along the edges", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  await page.goto(`/g/${await makeGame(page, AGAINST_A_BOT)}`);
  await myTurn(page);
  const label = await page
    .locator('[data-cell="0,-1"], [data-cell="1,0"], [data-cell="-1,0"]')
    .first()
    .getAttribute("aria-label");
  expect(label).toMatch(/^Place the tile at (M14|N13|L13)$/);
  await whole(page, (page) => turnByMouse(page, 1));
  await expect.poll(() => page.getByRole("tabpanel").locator(".deed b").last().innerText()).toMatch(/^(M14|N13|L13)$/);
  await page.locator(".edge .columns").getByText("M", { exact: true }).waitFor();
  await page.locator(".edge .rows").getByText("13", { exact: true }).waitFor();
  await reader.close();
});

it("when the line is lost there is one message, and nothing under it", async () => {
  for (const device of [PHONE, DESKTOP]) {
    const reader = await visit(NO_PAGE, device);
    const { page, context } = reader;
    await page.goto(`/g/${await makeGame(page, AGAINST_A_BOT)}`);
    await myTurn(page);
    // The message comes with what follows the first view; without a network it could not come any more.
    const loaded = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .map(({ name }) => name)
          .join(),
      );
    for (const part of [/assets\/Banner-.*assets\/Banner-/, /assets\/panel-/]) await expect.poll(loaded).toMatch(part);
    await page.waitForLoadState("networkidle");
    await context.setOffline(true);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    const messages = page.getByText(/Connection lost|cannot be reached|slow to answer/);
    await messages.first().waitFor({ timeout: 90_000 });
    await page.waitForTimeout(1_000);
    expect(await messages.count()).toBe(1);
    const message = (await page.getByRole("alert").boundingBox())!;
    const under = await page.locator("[data-seat], [role=timer], .notice, .sheet, .tools button").evaluateAll(
      (parts, { x, y, width, height }) =>
        parts.filter((part) => {
          const box = part.getBoundingClientRect();
          return (
            box.width > 0 && box.left < x + width && box.right > x && box.top < y + height - 1 && box.bottom > y + 1
          );
        }).length,
      message,
    );
    expect(under).toBe(0);
    await context.setOffline(false);
    await reader.close(/ERR_|WebSocket|Failed to fetch/);
  }
});

it("a game is called off only after a question", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await makeGame(page, AGAINST_A_BOT);
  await page.goto(`/g/${id}`);
  await myTurn(page);
  const over = page.getByText("The game was called off");
  const asked = page.getByRole("dialog", { name: "Call off" });
  await page.getByRole("button", { name: "Call off" }).click();
  await asked.getByRole("button", { name: "Cancel" }).click();
  await asked.waitFor({ state: "detached" });
  expect(await over.count()).toBe(0);
  await page.getByRole("button", { name: "Call off" }).click();
  await asked.getByRole("button", { name: "Call off" }).click();
  await over.first().waitFor();
  await reader.close();
});

it("on a phone on its side the choices of a meeple are whole, and passing is in reach", async () => {
  const reader = await visit(NO_PAGE, { ...PHONE, viewport: { width: 844, height: 390 }, locale: "fr-FR" });
  const { page } = reader;
  await page.goto(`/g/${await makeGame(page, AGAINST_A_BOT)}`);
  await page.locator("[data-cell]").first().click();
  await page.getByRole("button", { name: "Poser ici" }).click();
  const choices = page.getByRole("radiogroup").getByRole("radio");
  await choices.first().waitFor();
  const cut = await choices.evaluateAll((buttons) =>
    buttons
      .filter((button) => {
        const box = button.getBoundingClientRect();
        const words = [...button.querySelectorAll("b, small")].map((word) => word.getBoundingClientRect());
        return words.some(({ top, bottom, right }) => top < box.top || bottom > box.bottom || right > innerWidth);
      })
      .map((button) => button.textContent),
  );
  expect(cut).toEqual([]);
  const pass = choices.last();
  expect(
    await pass.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }),
  ).toBe(true);
  await reader.close();
});
