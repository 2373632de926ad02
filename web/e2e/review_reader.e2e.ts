// What a reader of reviews stumbles over: a server that begins anew, small screens, addresses, colours, towns.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { DESKTOP, NO_PAGE, PHONE, expectAccessible, useBrowser, visit } from "./browser";
import { type Decision, NAMES, mistakes, playedOut, reviewed, taken, words } from "./reviewed";
import { Server } from "./server";

useBrowser();

const search = (page: Page) => new URL(page.url()).search;
const tiles = (page: Page) => page.locator(".board .tile");
const toldTurns = async (page: Page) =>
  Number(await page.getByRole("slider", { name: "Move shown" }).getAttribute("aria-valuemax"));
const cell = (moves: readonly string[]) => moves[0]!.split(" ")[0];

it("says that it was interrupted when the server began anew, and starts again", async () => {
  const server = await Server.start();
  const reader = await visit(NO_PAGE, { ...DESKTOP, baseURL: server.url });
  const { page } = reader;
  const id = await taken(page);
  await page.goto(`/g/${id}/review?depth=deep`);
  await page.getByRole("button", { name: "Review this game" }).click();
  await expect.poll(() => toldTurns(page)).toBeGreaterThan(2);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => tiles(page).count()).toBe(2);
  await server.pause();
  // A board that cannot be had now comes when it can.
  await page.keyboard.press("ArrowRight");
  await page.getByText(/^Move 2, /).waitFor();
  await server.resume();
  await page.getByText("The review was interrupted before it was done.").waitFor();
  await expect.poll(() => tiles(page).count()).toBe(3);
  expect(await page.getByText("POST").count()).toBe(0);
  expect(await page.getByText(/^Reviewing/).count()).toBe(0);
  await page.getByRole("button", { name: "Start it again" }).click();
  await page.getByText(/^Reviewing: /).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await reader.close(/Failed to load resource|ERR_/);
  await server.stop();
});

it("can be asked for on a phone without scrolling", async () => {
  const reader = await visit(NO_PAGE, PHONE);
  const { page } = reader;
  const id = await taken(page);
  await page.goto(`/g/${id}/review`);
  const start = page.getByRole("button", { name: "Review this game" });
  const box = (await start.boundingBox())!;
  expect(box.y + box.height).toBeLessThan(844);
  await expectAccessible(page, "a review that is not there yet");
  await start.tap();
  await page.getByText("What decided it").waitFor({ state: "attached" });
  await reader.close();
});

it("leaves its headline in sight when it gets done, and when the address names a turn", async () => {
  const reader = await visit(NO_PAGE, { viewport: { width: 1440, height: 620 } });
  const { page } = reader;
  const id = await taken(page);
  await page.goto(`/g/${id}/review`);
  await page.getByRole("button", { name: "Review this game" }).click();
  await page.locator("section[aria-label='Turning points'] ol button").first().waitFor();
  await page.keyboard.press("n");
  await page.getByText("What decided it").waitFor();
  const scrolled = () => page.locator("[data-scrolls]").evaluate((panel) => panel.scrollTop);
  expect(await scrolled()).toBe(0);
  const last = (await mistakes(page, id)).at(-1)!;
  await page.goto(`/g/${id}/review?ply=${last.ply}`);
  await page.getByText(words(last)).waitFor();
  await page.getByText("What decided it").waitFor();
  expect(await scrolled()).toBe(0);
  // A step of the reader's own brings its line into sight.
  await page.keyboard.press("p");
  await page.keyboard.press("n");
  await expect.poll(scrolled).toBeGreaterThan(0);
  await reader.close();
});

it("lets players practise their own mistakes, and says so", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const seats = [{ kind: "bot", bot: "shepherd" }, { kind: "me" }];
  const id = await playedOut(page, { seats, shuffle_seats: false, options: { board: "4x4" } });
  await reviewed(page, id);
  const own = (await mistakes(page, id)).filter(({ player }) => player === 1);
  expect(own.length).toBeGreaterThan(0);
  await page.goto(`/g/${id}/review`);
  await page.getByRole("button", { name: "Practise my mistakes" }).click();
  await page.getByText(`Position 1 of ${own.length}`).waitFor();
  expect(search(page)).toContain("practise=1");
  await reader.close();
});

it("shows the best turn with its worth, and leaves the view of the board where it is", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await taken(page);
  await reviewed(page, id);
  await page.goto(`/g/${id}/review?ply=1`);
  await page.getByText(/^Move 1, /).waitFor();
  await page.keyboard.press("Home");
  const view = () => page.locator(".board .world").first().getAttribute("style");
  for (const mistake of await mistakes(page, id)) {
    await page.keyboard.press("n");
    await page.getByText(words(mistake)).waitFor();
    await expect.poll(() => tiles(page).count()).toBe(mistake.turn + 1);
    const before = await view();
    await page.keyboard.press("b");
    await page.getByText(/^Best turn: .* worth \d+\.\d points more|^Best turn: .* % more to win/).waitFor();
    await expect.poll(() => tiles(page).count()).toBe(mistake.turn);
    expect(await view(), words(mistake)).toBe(before);
    await page.keyboard.press("Escape");
  }
  await reader.close();
});

it("says whose turn does what, in the colours of its legend, and who led before the count", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await taken(page);
  await reviewed(page, id);
  await page.goto(`/g/${id}/review`);
  await page.getByText("What decided it").waitFor();
  const reasons = await page.locator("section[aria-label='Turning points'] .why").allInnerTexts();
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons) expect(reason).not.toMatch(/^(scores|brings|joins|takes|leaves|\S+ in later turns$)/);

  const colour = (elements: Element[]) =>
    elements.map((element) => `${element.classList[0]}: ${getComputedStyle(element).backgroundColor}`);
  const decided = page.locator("section[aria-label='What decided it']");
  const bars = await decided.locator(".bar i").evaluateAll(colour);
  const legend = await decided.locator(".term i").evaluateAll(colour);
  expect(legend).toEqual(expect.arrayContaining(bars));

  // What was counted at the end is in the replay.
  const before = await page.evaluate(async (id) => {
    interface Told {
      plies: { events: { event: string; player: number; points: number }[] }[];
    }
    const { plies } = (await (await fetch(`/api/games/${id}/replay`)).json()) as Told;
    const { info } = (await (await fetch(`/api/games/${id}`)).json()) as { info: { result: { scores: number[] } } };
    const scores = [...info.result.scores];
    for (const { event, player, points } of plies.flatMap(({ events }) => events))
      if (event === "end_game_points") scores[player]! -= points;
    return scores;
  }, id);
  const lead = before[0]! - before[1]!;
  await page.getByText(`${NAMES[lead > 0 ? 0 : 1]} led by ${Math.abs(lead)} before the final count.`).waitFor();
  await reader.close();
});

it("shows a better turn of the same tile beside it", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await taken(page);
  await reviewed(page, id);
  const [first] = await mistakes(page, id);
  // The engine might have turned the tile.
  await page.route(`**/api/games/${id}/review?*`, async (route) => {
    const answer = await route.fetch();
    const job = (await answer.json()) as { review: { steps: Decision[] } };
    for (const step of job.review.steps)
      if (step.kind === "decision" && step.ply === first!.ply) {
        const turned = (Number(step.played[0].at(-1)) + 1) % 4;
        step.best = [`${cell(step.played)} r${turned}`, "pass"];
      }
    await route.fulfill({ response: answer, json: job });
  });
  await page.goto(`/g/${id}/review?ply=${first!.ply}`);
  await page.getByText(words(first!)).waitFor();
  await page.getByText(/best was [A-Z]+\d+, no meeple, turned another way/).waitFor();
  const beside = page.locator(".mark .aside image");
  await expect.poll(() => beside.count()).toBe(1);
  const [ghost, played] = [(await beside.boundingBox())!, (await page.locator(".mark .frame").first().boundingBox())!];
  const apart = Math.abs(ghost.x + ghost.width / 2 - played.x - played.width / 2);
  expect(Math.max(apart, Math.abs(ghost.y + ghost.height / 2 - played.y - played.height / 2))).toBeGreaterThan(
    played.width / 2,
  );
  await reader.close();
});

it("has addresses of what is shown, exercises too", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  const id = await taken(page);
  await page.goto(`/g/${id}/review?ply=nonsense`);
  await page.getByRole("button", { name: "Review this game" }).waitFor();
  await expect.poll(() => search(page)).toBe("");
  await reviewed(page, id);
  // Also when the answer comes late: until then nobody knows what the address names.
  await page.route(
    (url) => url.pathname === `/api/games/${id}/review`,
    async (route) => {
      await new Promise((answered) => setTimeout(answered, 1_000));
      await route.continue();
    },
  );
  for (const nonsense of ["?ply=99999", "?ply=nonsense&practise=9"]) {
    await page.goto(`/g/${id}/review${nonsense}`);
    await page.getByText("What decided it").waitFor();
    await expect.poll(() => search(page)).toMatch(/^\?ply=\d{1,2}$/);
  }
  await page.goto(`/g/${id}/review?practise=0`);
  const own = (await mistakes(page, id)).filter(({ player }) => player === 0);
  await page.getByText(`Position 1 of ${own.length}`).waitFor();
  await page.keyboard.press("n");
  await page.getByText(`Position 2 of ${own.length}`).waitFor();
  await expect.poll(() => search(page)).toBe(`?ply=${own[1]!.ply}&practise=0`);
  await page.reload();
  await page.getByText(`Position 2 of ${own.length}`).waitFor();
  await page.getByText(words({ ...own[1]!, player: 0 })).waitFor();
  await reader.close();
});

it("reviews a town: what every move cost, exactly", async () => {
  const reader = await visit(NO_PAGE, PHONE);
  const { page } = reader;
  const game = { game: "tinytown", seats: [{ kind: "me" }], visibility: "private" };
  const id = await playedOut(page, game);
  await page.goto(`/tinytown?game=${id}`);
  await page.getByRole("link", { name: "Review this game" }).tap();
  await page.getByText(/points? lost against the best that was possible|Perfect/).waitFor();
  const lost = await page.evaluate(async (id) => {
    const { review } = (await (await fetch(`/api/games/${id}/review`)).json()) as {
      review: { players: { loss: { margin: number } }[] };
    };
    return review.players[0]!.loss.margin;
  }, id);
  expect(lost).toBeGreaterThan(0);
  const lines = page.locator("section[aria-label='Moves that cost points'] ol b");
  const costs = (await lines.allInnerTexts()).map((text) => Number(/\d+/.exec(text)![0]));
  expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(lost);
  await lines.first().tap();
  await page.getByText(/^costs \d+ points?; better was /).waitFor();
  await expect.poll(() => search(page)).toMatch(/^\?ply=\d+$/);
  await expectAccessible(page, "the review of a town");
  await page.setViewportSize(DESKTOP.viewport!);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(over).toBeLessThanOrEqual(0);
  await reader.close();
});
