// The review of a game: asked for once, growing, stepped through, practised, shared; on a desk and on a phone.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { DESKTOP, NO_PAGE, PHONE, expectAccessible, useBrowser, visit } from "./browser";
import { TURNS, mistakes, reviewed, taken, words } from "./reviewed";

useBrowser();

const slider = (page: Page) => page.getByRole("slider", { name: "Move shown" });
const shownTurn = async (page: Page) => Number(await slider(page).getAttribute("aria-valuenow"));
const reviewedTurns = async (page: Page) => Number(await slider(page).getAttribute("aria-valuemax"));

it("is the main button at the end of a game, grows, and shows mistakes on the board", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await taken(page);
  await page.addInitScript(() => {
    // How many turns the graph had, one after the other.
    const seen = ((globalThis as unknown as { seen: number[] }).seen = []) as number[];
    setInterval(() => {
      const now = Number(document.querySelector("[role=slider]")?.getAttribute("aria-valuemax") ?? 0);
      if (seen.at(-1) !== now) seen.push(now);
    }, 20);
  });
  await page.goto(`/g/${id}`);
  await page.getByRole("link", { name: "Review this game" }).click();
  await page.getByRole("heading", { level: 1, name: /^Mira won/ }).waitFor();
  // Verdicts are there before the review is done, and the graph grows with them.
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await expect.poll(() => reviewedTurns(page)).toBe(TURNS);
  await page.getByText("What decided it").waitFor();
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen);
  expect(seen.length, `the graph had ${seen.join(", ")} turns`).toBeGreaterThan(4);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(new URL(page.url()).search).toBe("");
  // The parts of the margin add up to it.
  await page.getByText("= 9 together").waitFor();
  const parts = await page.locator("section[aria-label='What decided it'] p").first().locator("b").allInnerTexts();
  const sum = parts.reduce((sum, part) => sum + Number(part.replace("−", "-").replace("+", "")), 0);
  expect(sum).toBeCloseTo(9, 6);

  // By keys from mistake to mistake. A ghost with an arrow shows a better turn elsewhere.
  const all = await mistakes(page, id);
  const elsewhere = all.findIndex(({ played, best }) => played[0].split(" ")[0] !== best[0].split(" ")[0]);
  const onlyMeeple = all.findIndex(({ played, best }) => played[0] === best[0]);
  expect([elsewhere, onlyMeeple], "the record has mistakes of both kinds").not.toContain(-1);
  const tiles = page.locator(".board .tile");
  const toMistake = async (index: number) => {
    await page.keyboard.press("Home");
    await page.getByText("Before the first move").waitFor();
    for (const mistake of all.slice(0, index + 1)) {
      await page.keyboard.press("n");
      await page.getByText(words(mistake)).waitFor();
    }
    return all[index]!;
  };
  const mistake = await toMistake(elsewhere);
  await page.getByText(/best was [A-Z]+\d+, .*worth \d+\.\d points more/).waitFor();
  await expect.poll(() => page.locator(".mark .bow").count()).toBe(1);
  expect(await page.locator(".mark image").count()).toBe(1);
  await expect.poll(() => new URL(page.url()).search).toBe(`?ply=${mistake.ply}`);
  // The engine's turn in place of the one played, and back.
  await expect.poll(() => tiles.count()).toBe(mistake.turn + 1);
  await page.keyboard.press("b");
  await page
    .locator(".verdict")
    .getByText(/^Best turn: [A-Z]+\d+/)
    .waitFor();
  await expect.poll(() => tiles.count()).toBe(mistake.turn);
  await page.keyboard.press("Escape");
  await expect.poll(() => tiles.count()).toBe(mistake.turn + 1);
  // Where only the meeple was wrong there is no arrow, but a ring on the tile.
  const small = await toMistake(onlyMeeple);
  await expect.poll(() => page.locator(".mark .meeple").count()).toBe(1);
  expect(await page.locator(".mark .bow").count()).toBe(0);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => shownTurn(page)).toBe(small.turn + 1);
  await page.keyboard.press("p");
  await page.getByText(words(small)).waitFor();

  // The graph is dragged.
  const box = (await slider(page).boundingBox())!;
  await page.mouse.move(box.x + 60, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
  expect(await shownTurn(page)).toBeGreaterThan(5);
  await page.mouse.move(box.x + box.width, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await shownTurn(page)).toBe(TURNS);
  await page.mouse.move(box.x + 60, box.y + 10);
  expect(await shownTurn(page), "a pointer that is not down drags nothing").toBe(TURNS);
  await page.getByRole("button", { name: "Expected margin" }).click();
  expect(await slider(page).getAttribute("aria-valuetext")).toMatch(/Mira \+9\.0, Ysolde −9\.0/);
  await expectAccessible(page, "a review");
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, "a review in the dark theme");
  await reader.close();
});

it("has an address that costs others nothing, and says so where there is none yet", async () => {
  const reader = await visit(NO_PAGE);
  await reader.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await taken(reader.page);
  await reader.page.goto(`/g/${id}/review`);
  await reader.page.getByRole("button", { name: "Review this game" }).waitFor();
  await reviewed(reader.page, id);
  await reader.page.goto(`/g/${id}/review?ply=20`);
  await reader.page.getByText("Move 7, Mira").waitFor();
  await reader.page.getByRole("button", { name: "Share review" }).click();
  const address = await reader.page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(address).pathname + new URL(address).search).toBe(`/g/${id}/review?ply=20`);

  const other = await visit(NO_PAGE);
  const asked: string[] = [];
  other.page.on("request", (request) => {
    if (request.method() !== "GET" || request.url().includes("/stream")) asked.push(request.url());
  });
  await other.page.goto(address);
  await other.page.getByText("Move 7, Mira").waitFor();
  await other.page.getByText("What decided it").waitFor();
  expect(asked).toEqual([]);
  await reader.close();
  await other.close();
});

it("can be stopped, and goes on when it is wanted again", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await taken(page);
  await page.goto(`/g/${id}/review?depth=deep`);
  await page.getByRole("button", { name: "Review this game" }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: /^(Start it again|Review this game)$/ }).waitFor();
  await expect
    .poll(() =>
      page.evaluate(
        async (id) => ((await (await fetch(`/api/games/${id}/review?depth=deep`)).json()) as { state: string }).state,
        id,
      ),
    )
    .toBe("absent");
  await page.getByRole("button", { name: /^(Start it again|Review this game)$/ }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await reader.close();
});

it("lets mistakes be practised: every try is answered, by keyboard too", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await taken(page);
  await reviewed(page, id);
  await page.goto(`/g/${id}/review`);
  await page.getByRole("group", { name: "Practise the mistakes of" }).getByRole("button", { name: "Mira" }).click();
  await page.getByRole("heading", { level: 1, name: "Practise" }).waitFor();
  // What was played is as bad as it was.
  const own = (await mistakes(page, id)).filter(({ player }) => player === 0);
  await page.getByText(`Position 1 of ${own.length}`).waitFor();
  await page.getByText("Played was L13, road. Find something better.").waitFor();
  await page.locator('[data-cell="-1,0"]').click();
  await page.locator(".pill .ok").click();
  await page.getByRole("radio", { name: /^Road/ }).click();
  await page.locator(".pill .ok").click();
  await page.locator(`[data-category=${own[0]!.category}]`).waitFor();
  await page.getByText(/loses \d\.\d points/).waitFor();
  await page.getByText("That is what was played.").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  // By keyboard, something else: what is shown is what the engine answers.
  const answer = page.waitForResponse(/\/review\/try$/);
  await page.locator('[data-cell="1,0"]').focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: /^Road/ }).press("Enter");
  await page.keyboard.press("Enter");
  const { category } = (await (await answer).json()) as { category: string };
  await page.locator(`[data-category=${category}]`).waitFor();
  await expectAccessible(page, "practising");
  await page.keyboard.press("n");
  await page.getByText(`Position 2 of ${own.length}`).waitFor();
  await page.keyboard.press("b");
  await page.getByText(/^Best turn: [A-Z]+\d+/).waitFor();
  // Somebody else's mistakes.
  await page.getByRole("button", { name: "Ysolde" }).click();
  await page.getByText(/^Move \d+, Ysolde$/).waitFor();
  await page.getByRole("link", { name: "To the review" }).click();
  await page.getByText("Turning points").waitFor();
  await reader.close();
});

it("speaks in replays too: the engine's view stays, and the turn played is marked", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await taken(page);
  await reviewed(page, id);
  await page.goto(`/g/${id}#0`);
  await page.getByText(`Turn 0 of ${TURNS}`).waitFor();
  await page.getByRole("tab", { name: "Engine" }).click();
  const played = page.locator("[data-played]");
  await expect.poll(() => played.innerText()).toContain("L13");
  await page.getByRole("button", { name: "A turn on" }).click();
  await page.getByText(`Turn 1 of ${TURNS}`).waitFor();
  await expect.poll(() => played.innerText()).toContain("M12");
  expect(await played.innerText()).toContain("played");
  await reader.close();
});

it("fits a phone, upright and on its side", async () => {
  const reader = await visit(NO_PAGE, PHONE);
  const { page } = reader;
  const id = await taken(page);
  await page.goto(`/g/${id}`);
  await page.getByRole("link", { name: "Review this game" }).tap();
  await page.getByText("What decided it").waitFor({ state: "attached" });
  const line = page.locator("section[aria-label='Turning points'] ol button").first();
  await line.scrollIntoViewIfNeeded();
  await line.tap();
  // The board is seen while the list is.
  expect((await line.boundingBox())!.y).toBeLessThan(844);
  const number = Number(await line.locator(".number").innerText());
  await expect.poll(() => shownTurn(page)).toBe(number);
  expect(await page.locator(".mark .badge").first().isVisible()).toBe(true);
  const board = (await page.locator(".board").boundingBox())!;
  expect(board.y).toBeGreaterThanOrEqual(-1);
  expect(board.y + board.height).toBeLessThan(844);
  await expectAccessible(page, "a review on a phone");
  for (const viewport of [{ width: 320, height: 640 }, { width: 844, height: 390 }, DESKTOP.viewport!]) {
    await page.setViewportSize(viewport);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, `${viewport.width} pixels`).toBeLessThanOrEqual(0);
  }
  await reader.close();
});
