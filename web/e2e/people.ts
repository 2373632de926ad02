// People that the tests need.
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { Person } from "./many_games";

export const PASSWORD = "correct horse battery";

let count = 0;

/** A name that nobody has yet. */
export function freshName(): string {
  count += 1;
  return `p${Date.now().toString(36)}${count}`;
}

/** Makes an account on the account page, with whoever is here; answers with its name. */
export async function register(page: Page, name = freshName()): Promise<string> {
  await page.goto("/account");
  await page.getByRole("button", { name: "Create an account" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.locator("form").getByRole("button", { name: "Create an account" }).click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  return name;
}

/** Somebody with an account and a rating, known to the server by a cookie. */
export class RatedPlayer extends Person {
  constructor(
    url: string,
    readonly name: string,
  ) {
    super(url);
  }

  async rating(): Promise<number> {
    return (await this.send<{ rating_two: { rating: number } }>("GET", `/api/users/${this.name}`)).rating_two.rating;
  }
}

/** Makes an account and plays a rated game with it, against another new one. */
export async function ratedPlayer(url: string): Promise<RatedPlayer> {
  const [player, rival] = [new RatedPlayer(url, freshName()), new RatedPlayer(url, freshName())];
  for (const each of [player, rival]) await each.send("POST", "/api/register", { name: each.name, password: PASSWORD });
  const clock = { kind: "game", initial_ms: 600_000, increment_ms: 5000 };
  const id = await player.open({ rated: true, clock, seats: [{ kind: "me" }, { kind: "open" }] });
  await rival.send("POST", `/api/games/${id}/join`, {});
  // A game counts once each has made a few turns.
  for (let turn = 0; turn < 6; turn++) await [player, rival][turn % 2]!.play(id, 1);
  await rival.send("POST", `/api/games/${id}/resign`, {});
  // The rating is there before anybody looks for it.
  await expect.poll(() => player.rating().catch(() => null)).not.toBeNull();
  return player;
}
