// Pictures of every page, of a real game among them: `docs/images/game.png` is the README's, the
// others lie in `web/dist-shots` to be looked at.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { inject, it } from "vitest";
import { DESKTOP, PHONE, type Visit, useBrowser, visit } from "./browser";
import { register } from "./people";

const ROOT = resolve(import.meta.dirname, "../..");
const SHOTS = join(ROOT, "web/dist-shots");
const README = join(ROOT, "docs/images/game.png");
/** A fixed seed: the same picture every time, as far as the players allow. */
const SEED = "5ba571de".repeat(8);

useBrowser();

it("takes pictures of the pages", { timeout: 3_000_000, retry: 0 }, async () => {
  mkdirSync(SHOTS, { recursive: true });
  mkdirSync(join(ROOT, "docs/images"), { recursive: true });
  const user = await visit("/account");
  const name = await register(user.page, "Mira");
  const cookies = await user.context.cookies();
  const id = await playedGame(user.page);
  await ratedGames(user);
  await reviewed(user.page, id);

  for (const theme of ["light", "dark"] as const) {
    for (const [device, options] of [
      ["desktop", DESKTOP],
      ["phone", PHONE],
    ] as const) {
      const reader = await visit("/healthz", { ...options, colorScheme: theme });
      await reader.context.addCookies(cookies);
      const [waiting] = inject("games").waiting;
      const pages = {
        landing: "/",
        lobby: "/play",
        match: "/play?match",
        offline: "/local",
        invitation: `/g/${waiting}`,
        bot: "/bots/mason",
        watch: "/watch",
        library: "/games",
        ranking: "/ranking",
        profile: `/u/${name}`,
        rules: "/learn",
        lesson: "/learn/lesson",
        tinytown: "/tinytown",
        analysis: `/analysis?game=${id}&ply=60`,
        begin: "/analysis",
        studies: "/studies",
        puzzles: "/puzzles",
        account: "/account",
        game: `/g/${id}`,
        review: `/g/${id}/review`,
        fair: `/fair/${id}`,
        settings: "/settings",
      };
      for (const [page, path] of Object.entries(pages)) {
        await reader.page.goto(path);
        await settle(reader.page);
        await reader.page.screenshot({
          path: join(SHOTS, `${page}-${device}-${theme}.png`),
          fullPage: !["game", "review", "analysis", "lesson", "invitation"].includes(page),
        });
      }
      if (device === "desktop" && theme === "light") {
        await reader.page.goto(`/g/${id}#48`);
        await settle(reader.page);
        await reader.page.screenshot({ path: README });
      }
      await reader.context.close();
    }
  }
  await narrowAndLow(cookies, id);
  await user.context.close();
});

/** Unusual windows: the narrowest phone, a phone on its side, six players on a small desk. */
async function narrowAndLow(cookies: Cookies, id: string): Promise<void> {
  const narrow = { ...PHONE, viewport: { width: 320, height: 640 } };
  const low = { ...PHONE, viewport: { width: 844, height: 390 } };
  const small = { viewport: { width: 1280, height: 720 } };
  for (const [name, options] of [
    ["narrow", narrow],
    ["low", low],
    ["small", small],
  ] as const) {
    const reader = await visit("/healthz", options);
    await reader.context.addCookies(cookies);
    await reader.page.goto("/learn");
    const six = await reader.page.evaluate(async () => {
      const seats = [
        { kind: "me" },
        ...["shepherd", "pilgrim", "peddler", "mason", "steward"].map((bot) => ({ kind: "bot", bot })),
      ];
      const made = await fetch("/api/games", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ game: "carcassonne", seats, shuffle_seats: false }),
      });
      return (await made.json()).info.id as string;
    });
    const pages = {
      landing: "/",
      lobby: "/play",
      profile: "/u/Mira",
      replay: `/g/${id}#48`,
      review: `/g/${id}/review`,
      six: `/g/${six}`,
    };
    for (const [page, path] of Object.entries(pages)) {
      await reader.page.goto(path);
      await settle(reader.page);
      await reader.page.screenshot({ path: join(SHOTS, `${page}-${name}.png`) });
    }
    await reader.page.locator("[data-cell]").first().click();
    await settle(reader.page);
    await reader.page.screenshot({ path: join(SHOTS, `staged-${name}.png`) });
    await reader.context.close();
  }
}

type Cookies = Awaited<ReturnType<Visit["context"]["cookies"]>>;

/** Games that count for ratings, between people and against bots: a profile and a ranking with something in them. */
async function ratedGames(mira: Visit): Promise<void> {
  const clock = { kind: "game", initial_ms: 600_000, increment_ms: 5000 };
  for (const [at, other] of ["Tomas", "Kenji", "Odile"].entries()) {
    const rival = await visit("/account");
    await register(rival.page, other);
    const id = await send<{ info: { id: string } }>(mira.page, "", {
      game: "carcassonne",
      rated: true,
      clock,
      shuffle_seats: false,
      seats: [{ kind: "me" }, { kind: "open" }],
    }).then(({ info }) => info.id);
    await send(rival.page, `/${id}/join`, {});
    for (let turn = 0; turn < 12; turn++) await aTurn([mira, rival][turn % 2]!.page, id);
    await send((at === 1 ? mira : rival).page, `/${id}/resign`, {});
    if (at === 0)
      await send(rival.page, "", {
        game: "carcassonne",
        rated: true,
        clock,
        seats: [{ kind: "me" }, { kind: "open" }],
      });
    await rival.context.close();
  }
}

async function aTurn(page: Page, id: string): Promise<void> {
  await page.evaluate(async (id) => {
    for (;;) {
      const { update } = await (await fetch(`/api/games/${id}`)).json();
      const move = update.seats.includes(update.turn) ? update.legal?.at(-1) : undefined;
      if (!move) {
        await new Promise((done) => setTimeout(done, 100));
        continue;
      }
      const body = JSON.stringify({ version: update.version, moves: [move.move, move.then[0] ?? "pass"] });
      await fetch(`/api/games/${id}/play`, { method: "POST", headers: { "content-type": "application/json" }, body });
      return;
    }
  }, id);
}

async function send<T>(page: Page, path: string, body: object): Promise<T> {
  return page.evaluate(
    async ([path, body]) =>
      (
        await fetch(`/api/games${path}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        })
      )
        .json()
        .catch(() => null),
    [path, body] as const,
  ) as Promise<T>;
}

/** A whole game of two of our players, watched to its end. */
async function playedGame(page: Page): Promise<string> {
  return page.evaluate(async (seed) => {
    const body = {
      game: "carcassonne",
      seats: [
        { kind: "bot", bot: "architect" },
        { kind: "bot", bot: "abbess" },
      ],
      seed,
      shuffle_seats: false,
    };
    const made = await fetch("/api/games", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { info } = await made.json();
    for (;;) {
      const { info: now } = await (await fetch(`/api/games/${info.id}`)).json();
      if (now.status === "over") return info.id as string;
      await new Promise((done) => setTimeout(done, 1000));
    }
  }, SEED);
}

/** The review of a game, and that it is there. */
async function reviewed(page: Page, id: string): Promise<void> {
  await send(page, `/${id}/review`, {});
  await page.evaluate(async (id) => (await fetch(`/api/games/${id}/review/stream`)).text(), id);
}

async function settle(page: Page): Promise<void> {
  await page.locator("#content h1, #content .world img").first().waitFor({ state: "attached" });
  await page.waitForTimeout(2500);
}
