// What happened is seen: points to their end, an answer after a breath, the final count, the winner.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { DESKTOP, MOVING, useBrowser, visit, NO_PAGE } from "../browser";
import { AGAINST_A_BOT, makeGame, myTurn } from "./play";

useBrowser();

interface Seen {
  /** How long each float of points was on the screen, in milliseconds. */
  points: number[];
  /** When each tile came, in milliseconds. */
  tiles: number[];
  /** Tiles that were shown before their picture was there. */
  bare: number;
}

/** Notes in the page how long points are shown, and when tiles come. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: Seen = ((globalThis as unknown as { seen: Seen }).seen = { points: [], tiles: [], bare: 0 });
    const began = new Map<Element, number>();
    new MutationObserver((changes) => {
      const each = (nodes: NodeList, selector: string, act: (e: Element) => void) => {
        for (const node of nodes) {
          if (!(node instanceof Element)) continue;
          if (node.matches(selector)) act(node);
          for (const inner of node.querySelectorAll(selector)) act(inner);
        }
      };
      for (const { addedNodes, removedNodes } of changes) {
        each(addedNodes, "g.score", (e) => began.set(e, performance.now()));
        each(removedNodes, "g.score", (e) => began.has(e) && seen.points.push(performance.now() - began.get(e)!));
        each(addedNodes, ".tile", (e) => {
          seen.tiles.push(performance.now());
          const picture = e.querySelector("img")!;
          if (!picture.complete && getComputedStyle(e).visibility === "visible") seen.bare += 1;
        });
      }
    }).observe(document, { childList: true, subtree: true });
  });
}
const seen = (page: Page) => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);

/** Plays a turn beside the page: one that scores at once if there is any. Tells whether it does. */
const playScoring = (page: Page, id: string) =>
  page.evaluate(async (id) => {
    const { update } = await (await fetch(`/api/games/${id}`)).json();
    type Legal = {
      move: string;
      then: string[];
      stands: ({ is_complete: boolean; points: number } | null)[];
      pays: { seat: number }[];
    };
    const scoring = (update.legal as Legal[]).flatMap((m) =>
      m.stands.flatMap((s, i) => (s?.is_complete && s.points > 0 ? [[m.move, m.then[i]!]] : [])),
    )[0];
    const moves = scoring ?? [update.legal.at(-1).move, "pass"];
    await fetch(`/api/games/${id}/play`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ version: update.version, moves }),
    });
    return scoring !== undefined;
  }, id);

it("one's own points are seen to their end, and the bot answers after a breath", async () => {
  const reader = await visit(NO_PAGE, MOVING);
  const { page } = reader;
  const id = await makeGame(page, AGAINST_A_BOT);
  await watch(page);
  await page.goto(`/g/${id}`);
  await page.waitForLoadState("networkidle");
  for (let turn = 0, scored = false; turn < 34 && !scored; turn++) {
    if (!(await myTurn(page))) break;
    scored = await playScoring(page, id);
    await page
      .locator("[data-cell]")
      .first()
      .waitFor({ state: "detached", timeout: 2_000 })
      .catch(() => undefined);
  }
  await expect.poll(async () => (await seen(page)).points.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const { points, tiles, bare } = await seen(page);
  expect(Math.min(...points)).toBeGreaterThan(1_500);
  expect(bare, "tiles shown without their picture").toBe(0);
  // Own tile, answer, own tile, answer …: the answer comes at least half a second later.
  const answers = tiles
    .slice(1)
    .map((at, i) => at - tiles[i]!)
    .filter((_, i) => i % 2 === 1);
  expect(Math.min(...answers)).toBeGreaterThan(450);
  await reader.close();
});

for (const motion of ["no-preference", "reduce"] as const) {
  it(`the final count plays by itself, the header follows, and the winner has a moment (${motion})`, async () => {
    const reader = await visit(NO_PAGE, { ...DESKTOP, reducedMotion: motion });
    const { page } = reader;
    const id = await makeGame(page, { ...AGAINST_A_BOT, options: { board: "4x4" } });
    await page.goto(`/g/${id}`);
    for (let turn = 0; turn < 20 && (await myTurn(page)); turn++) {
      await page.evaluate(async (id) => {
        const { update } = await (await fetch(`/api/games/${id}`)).json();
        const move = update.legal?.at(-1);
        // Meeples that stay on the board are what is counted at the end.
        if (move)
          await fetch(`/api/games/${id}/play`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ version: update.version, moves: [move.move, move.then[0]] }),
          });
      }, id);
      await page.waitForTimeout(400);
    }
    const result = page.getByRole("region", { name: "The game is over" });
    await result.waitFor();
    const header = async () =>
      (await page.locator("[data-seat] .points b").allInnerTexts()).map((text) => Number.parseInt(text, 10));
    const { scores, count } = await page.evaluate(async (id) => {
      const { update } = await (await fetch(`/api/games/${id}`)).json();
      const { plies } = await (await fetch(`/api/games/${id}/replay`)).json();
      return {
        scores: update.view.scores as number[],
        count: plies
          .flatMap((p: { events: { event: string }[] }) => p.events)
          .filter((e: { event: string }) => e.event === "end_game_points").length,
      };
    }, id);
    if (count > 0) {
      await result.locator(".step b").waitFor();
      expect((await header()).reduce((a, b) => a + b)).toBeLessThanOrEqual(scores.reduce((a, b) => a + b));
    }
    const winner = page.locator(".winner");
    await winner.waitFor();
    expect(await header()).toEqual(scores);
    expect(await winner.locator(".flags").isVisible()).toBe(motion === "no-preference");
    await page.keyboard.press("Escape");
    await winner.waitFor({ state: "detached" });
    await reader.close();
  });
}
