// Pictures of every page, of a real game among them: `docs/images/game.png` is the README's, the
// others lie in `web/dist-shots` to be looked at.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { inject, it } from "vitest";
import { DESKTOP, PHONE, useBrowser, visit } from "./browser";
import { register } from "./people";

const ROOT = resolve(import.meta.dirname, "../..");
const SHOTS = join(ROOT, "web/dist-shots");
const README = join(ROOT, "docs/images/game.png");
/** A fixed seed: the same picture every time, as far as the players allow. */
const SEED = "5ba571de".repeat(8);

useBrowser();

it("takes pictures of the pages", { timeout: 900_000 }, async () => {
  mkdirSync(SHOTS, { recursive: true });
  mkdirSync(join(ROOT, "docs/images"), { recursive: true });
  const user = await visit("/account");
  const name = await register(user.page, "Mira");
  const cookies = await user.context.cookies();
  const id = await playedGame(user.page);

  for (const theme of ["light", "dark"] as const) {
    for (const [device, options] of [["desktop", DESKTOP], ["phone", PHONE]] as const) {
      const reader = await visit("/healthz", { ...options, colorScheme: theme });
      await reader.context.addCookies(cookies);
      const [waiting] = inject("games").waiting;
      const pages = { landing: "/", lobby: "/play", match: "/play?match", invitation: `/g/${waiting}`, bot: "/bots/mason", watch: "/watch", library: "/games", ranking: "/ranking", profile: `/u/${name}`, rules: "/learn", lesson: "/learn/lesson", tinytown: "/tinytown", account: "/account", game: `/g/${id}`, fair: `/fair/${id}` };
      for (const [page, path] of Object.entries(pages)) {
        await reader.page.goto(path);
        await settle(reader.page);
        await reader.page.screenshot({ path: join(SHOTS, `${page}-${device}-${theme}.png`), fullPage: page !== "game" && page !== "lesson" && page !== "invitation" });
      }
      if (device === "desktop" && theme === "light") {
        await reader.page.goto(`/g/${id}#48`);
        await settle(reader.page);
        await reader.page.screenshot({ path: README });
      }
      await reader.context.close();
    }
  }
  await user.context.close();
});

/** A whole game of two of our players, watched to its end. */
async function playedGame(page: Page): Promise<string> {
  return page.evaluate(async (seed) => {
    const body = { game: "carcassonne", seats: [{ kind: "bot", bot: "architect" }, { kind: "bot", bot: "abbess" }], seed, shuffle_seats: false };
    const made = await fetch("/api/games", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const { info } = await made.json();
    for (;;) {
      const { info: now } = await (await fetch(`/api/games/${info.id}`)).json();
      if (now.status === "over") return info.id as string;
      await new Promise((done) => setTimeout(done, 1000));
    }
  }, SEED);
}

async function settle(page: Page): Promise<void> {
  await page.locator("#content h1, #content .world img").first().waitFor({ state: "attached" });
  await page.waitForTimeout(2500);
}
