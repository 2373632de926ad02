// What the page of a game loads before the first move can be made, as a browser sees it: the budget of
// `npm run sizes` holds for what really comes over the line.
import { expect, inject, it } from "vitest";
import { DESKTOP, PHONE, useBrowser, visit } from "../browser";
import { ratedPlayer } from "../people";
import { AGAINST_A_BOT } from "./play";

useBrowser();

/** In bytes, packed as the server sends it. */
const BUDGET = 60_000;

for (const [device, options] of [
  ["desk", DESKTOP],
  ["phone", PHONE],
] as const) {
  it(`a move can be made after at most 60 kB of script, on a ${device}`, async () => {
    // Somebody with an account: the bell, the menu and the settings are theirs.
    const player = await ratedPlayer(inject("url"));
    const id = await player.open(AGAINST_A_BOT);
    const reader = await visit("about:blank", options);
    const { page, context } = reader;
    await context.addCookies([player.cookie]);
    await page.addInitScript(() => {
      const seen = new MutationObserver(() => {
        if (!document.querySelector("[data-cell]")) return;
        (globalThis as { firstMove?: number }).firstMove = performance.now();
        seen.disconnect();
      });
      seen.observe(document, { subtree: true, childList: true });
    });
    await page.goto(`/g/${id}`);
    await page.locator("[data-cell]").first().waitFor();
    // What was kept back comes, all the same.
    if (device === "desk") await page.getByRole("button", { name: /games? waits? for you/ }).waitFor();
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter((entry) => new URL(entry.name).pathname.endsWith(".js"))
        .filter((entry) => entry.startTime <= (globalThis as { firstMove?: number }).firstMove!)
        .map((entry) => [new URL(entry.name).pathname, (entry as PerformanceResourceTiming).encodedBodySize] as const),
    );
    const whole = scripts.reduce((sum, [, size]) => sum + size, 0);
    expect(scripts.length).toBeGreaterThan(3);
    expect(whole, `script asked for by the first spot: ${JSON.stringify(scripts)}`).toBeLessThanOrEqual(BUDGET);
    await reader.close();
  });
}
