// Games for the tests of reviews: taken in or played to their end, and reviewed without the page.
import type { Page } from "playwright-core";
import { makeGame } from "./game/play";
import { RECORD } from "./review_record";

export const TURNS = 15;
/** Takes the short game in, as a guest; answers with its id. */
export async function taken(page: Page): Promise<string> {
  return page.evaluate(async (record) => {
    const headers = { "content-type": "application/json" };
    await fetch("/api/guest", { method: "POST", headers, body: "{}" });
    const body = JSON.stringify({ record, names: ["Mira", "Ysolde"] });
    const answer = await fetch("/api/import", { method: "POST", headers, body });
    return ((await answer.json()) as { id: string }).id;
  }, RECORD);
}

/** Has a game reviewed, without the page. */
export async function reviewed(page: Page, id: string): Promise<void> {
  await page.evaluate(async (id) => {
    const headers = { "content-type": "application/json" };
    await fetch(`/api/games/${id}/review`, { method: "POST", headers, body: "{}" });
    await (await fetch(`/api/games/${id}/review/stream`)).text();
  }, id);
}

export interface Decision {
  kind: "draw" | "decision";
  ply: number;
  player: number;
  played: [string, string];
  best: [string, string];
  category: string;
}

export const NAMES = ["Mira", "Ysolde"];

/** The mistakes of a review by the number of their turn: what the engine holds to be one may change with the engine. */
export async function mistakes(page: Page, id: string): Promise<(Decision & { turn: number })[]> {
  const steps = await page.evaluate(
    async (id) => (await (await fetch(`/api/games/${id}/review`)).json()).review.steps as Decision[],
    id,
  );
  return steps
    .filter(({ kind }) => kind === "decision")
    .map((decision, at) => ({ ...decision, turn: at + 1 }))
    .filter(({ category }) => ["inaccuracy", "mistake", "blunder"].includes(category));
}

export const words = ({ turn, player }: { turn: number; player: number }) => `Move ${turn}, ${NAMES[player]}`;

/** Plays a game alone to its end by whatever is legal first, without the page; answers with its id. */
export async function playedOut(page: Page, game: object): Promise<string> {
  const id = await makeGame(page, game);
  await page.evaluate(async (id) => {
    interface Legal {
      move: string;
      then: { move: string }[] | string[];
    }
    interface Table {
      info: { status: string };
      update: { version: number; legal: Legal[] | null };
    }
    const headers = { "content-type": "application/json" };
    for (let tries = 0; tries < 2_000; tries++) {
      const { info, update } = (await (await fetch(`/api/games/${id}`)).json()) as Table;
      if (info.status === "over") return;
      const [first] = update.legal ?? [];
      if (!first) {
        await new Promise((done) => setTimeout(done, 50));
        continue;
      }
      const then = first.then.at(-1);
      const moves = [first.move, ...(then === undefined ? [] : [typeof then === "string" ? then : then.move])];
      const body = JSON.stringify({ version: update.version, moves });
      const answer = await fetch(`/api/games/${id}/play`, { method: "POST", headers, body });
      if (!answer.ok) throw new Error(await answer.text());
    }
    throw new Error("a game has an end");
  }, id);
  return id;
}
