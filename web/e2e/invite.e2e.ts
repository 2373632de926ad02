// Inviting a friend by a link: how few clicks it takes, and what each of the two sees.
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { DESKTOP, PHONE, REFUSED, expectAccessible, useBrowser, visit } from "./browser";
import { freshName, ratedPlayer } from "./people";

useBrowser();

/** Counts the clicks that a person makes on a page, wherever they land. */
class Clicks {
  count = 0;
  constructor(readonly page: Page) {}

  async on(what: ReturnType<Page["locator"]>): Promise<void> {
    this.count += 1;
    await what.click();
  }
}

describe("a friend", () => {
  for (const [device, options] of [
    ["desk", DESKTOP],
    ["phone", PHONE],
  ] as const) {
    it(`is at the table after few clicks, on a ${device}`, async () => {
      const host = await visit("/", { ...options, permissions: ["clipboard-read", "clipboard-write"] });
      const hosts = new Clicks(host.page);
      await hosts.on(host.page.getByRole("button", { name: "Invite a friend" }));
      await host.page.waitForURL(/\/g\/\w+/);
      await hosts.on(host.page.getByRole("button", { name: "Copy" }));
      const link = await host.page.evaluate(() => navigator.clipboard.readText());
      expect(link).toBe(host.page.url());

      const friend = await visit(link, options);
      const friends = new Clicks(friend.page);
      await friends.on(friend.page.getByRole("button", { name: "Join" }));
      // The friend begins: a tap puts the tile on the board.
      await friends.on(friend.page.locator("[data-cell]").first());
      await friend.page
        .getByRole("button", { name: /^(Confirm|Place)/ })
        .first()
        .waitFor();
      expect(hosts.count, "clicks of the host").toBeLessThanOrEqual(3);
      expect(friends.count, "clicks of the friend").toBeLessThanOrEqual(2);
      await friend.close();
      await host.close();
    });
  }

  it("sees who asks, the clock and the rules before sitting down, and chooses a name", async () => {
    const host = await visit("/play");
    const { page } = host;
    await page.getByRole("button", { name: "Invite a friend by link" }).click();
    await page.locator("form").getByText("10 + 5", { exact: true }).click();
    await page.getByText("Rules and options").click();
    await page.getByText("Farmers", { exact: true }).click();
    await page.getByRole("button", { name: "Open table" }).click();
    await page.waitForURL(/\/g\/\w+/);
    const own = await page.evaluate(async () => (await (await fetch("/api/session")).json()).name as string);
    await page.getByRole("img", { name: "QR code of the link" }).waitFor();
    await expectAccessible(page, "a table that waits");

    const friend = await visit(page.url(), PHONE);
    await friend.page.getByRole("heading", { name: `${own} invites you to play` }).waitFor();
    const facts = await friend.page.locator("dl").first().innerText();
    expect(facts).toContain("10\u00a0+\u00a05");
    expect(facts).toContain("casual");
    expect(facts).toContain("Farmers: off");
    await expectAccessible(friend.page, "an invitation");
    // Nobody is made a guest by looking.
    expect(await friend.page.evaluate(async () => (await fetch("/api/session")).json())).toBeNull();
    const name = freshName();
    const field = friend.page.getByLabel("Your name at the table");
    await field.fill("no good name");
    await friend.page.getByRole("button", { name: "Join" }).click();
    await friend.page.getByRole("alert").filter({ hasText: /name/i }).waitFor();
    await field.fill(name);
    await friend.page.getByRole("button", { name: "Join" }).click();
    await friend.page.getByRole("heading", { name: /invites you/ }).waitFor({ state: "detached" });
    await page.getByText(name).first().waitFor();
    await friend.close(REFUSED);
    await host.close();
  });

  it("shares by the phone's own sheet where there is one", async () => {
    const host = await visit("/", PHONE);
    await host.context.addInitScript(() => {
      Object.defineProperty(navigator, "share", {
        value: async (what: ShareData) => void ((globalThis as { shared?: ShareData }).shared = what),
      });
    });
    await host.page.reload();
    await host.page.getByRole("button", { name: "Invite a friend" }).click();
    await host.page.getByRole("button", { name: "Share the link" }).click();
    const shared = await host.page.evaluate(() => (globalThis as { shared?: ShareData }).shared);
    expect(shared?.url).toBe(host.page.url());
    expect(await host.page.getByRole("img", { name: "QR code of the link" }).count()).toBe(0);
    await host.close();
  });

  it("is told by the link what it leads to, before the page is opened", async () => {
    const [id] = inject("games").waiting;
    const html = await (await fetch(`${inject("url")}/g/${id}`)).text();
    expect(html).toMatch(/<meta property="og:title" content="Guest-\w+ invites you to a game of Carcassonne"/);
    expect(html).toContain(`content="${inject("url")}/g/${id}"`);
    const [, picture] = /<meta property="og:image" content="([^"]+)"/.exec(html)!;
    const file = new DataView(await (await fetch(picture!)).arrayBuffer());
    expect([file.getUint32(16), file.getUint32(20)], "as large as other sites show it").toEqual([1200, 630]);
  });
});

describe("quick match", () => {
  it("seats two who look for the same game", async () => {
    const [one, other] = [await visit("/play"), await visit("/play", PHONE)];
    for (const { page } of [one, other]) {
      await page.getByRole("button", { name: /Quick match/ }).click();
      await page.getByRole("button", { name: "5 + 3" }).click();
      await page.getByRole("button", { name: "Look for an opponent" }).click();
    }
    for (const { page } of [one, other]) await page.waitForURL(/\/g\/\w+/);
    expect(new URL(one.page.url()).pathname).toBe(new URL(other.page.url()).pathname);
    await one.close();
    await other.close();
  });

  it("says why a search failed, and that one has ended", async () => {
    const alone = await visit("/play");
    const { page } = alone;
    await page.getByRole("button", { name: /Quick match/ }).click();
    const refusal = {
      status: 409,
      contentType: "application/json",
      body: JSON.stringify({ code: "conflict", message: "you sit in too many games" }),
    };
    await page.route("**/api/seek", (route) =>
      route.request().method() === "POST" ? route.fulfill(refusal) : route.continue(),
    );
    await page.getByRole("button", { name: "Look for an opponent" }).click();
    await page.locator(".match").getByRole("alert").filter({ hasText: "You sit in too many games" }).waitFor();
    await page.unroute("**/api/seek");
    await page.getByRole("button", { name: "Look for an opponent" }).click();
    await page.getByText("Looking for an opponent…").waitFor();
    expect(await page.locator(".match").getByRole("alert").count()).toBe(0);
    // As after a long sleep of the page: the server knows of no search.
    await page.evaluate(() => fetch("/api/seek", { method: "DELETE" }));
    await page.locator(".match").getByRole("alert").filter({ hasText: "The search has ended" }).waitFor();
    await page.getByRole("button", { name: "Look for an opponent" }).waitFor();
    await alone.close(REFUSED);
  });

  it("offers a bot after a visible wait, which plays only when asked", async () => {
    const alone = await visit("/play");
    const { page } = alone;
    await page.getByRole("button", { name: /Quick match/ }).click();
    await page.getByRole("button", { name: "20 + 10" }).click();
    await page.getByRole("button", { name: "Look for an opponent" }).click();
    await page.getByText("Looking for an opponent…").waitFor();
    await page.getByText(/a bot of your strength is offered in \d+ s/).waitFor();
    await page.getByText(/Nobody has come yet/).waitFor();
    await expectAccessible(page, "the offer of a bot");
    // Nothing happens by itself.
    await page.waitForTimeout(4000);
    expect(new URL(page.url()).pathname).toBe("/play");
    await page
      .getByRole("button", { name: /^Play \w+$/ })
      .last()
      .click();
    await page.waitForURL(/\/g\/\w+/);
    await alone.close();
  });
});

describe("the lobby", () => {
  it("opens a table with one click where none is open, and another sits down with one", async () => {
    const host = await visit("/play");
    await host.page.route("**/api/lobby", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), waiting: [] } });
    });
    await host.page.reload();
    await host.page.getByText("No table is open.").waitFor();
    await host.page.getByRole("button", { name: "Open a table" }).click();
    await host.page.waitForURL(/\/g\/\w+/);
    const name = await host.page.evaluate(async () => (await (await fetch("/api/session")).json()).name as string);
    const comer = await visit("/play");
    await comer.page.getByRole("listitem").filter({ hasText: name }).getByRole("button", { name: "Join" }).click();
    await comer.page.waitForURL(host.page.url());
    await comer.close();
    await host.close();
  });

  it("tells how strong the hosts of open tables are", async () => {
    const host = await ratedPlayer(inject("url"));
    await host.open({ seats: [{ kind: "me" }, { kind: "open" }] });
    const guest = await visit("/play");
    const row = guest.page.getByRole("listitem").filter({ hasText: host.name });
    await row.getByText(`${Math.round(await host.rating())} · 1 of 2 seats taken`).waitFor();
    // Who has never played a rated game has no number.
    const unrated = guest.page.getByRole("listitem").filter({ hasText: "Guest-" }).first();
    expect(await unrated.locator(".who > span").innerText()).toMatch(/^1 of 2 seats taken/);
    await guest.close();
  });

  it("names the bots with portraits in an even grid", async () => {
    const guest = await visit("/play");
    const cards = guest.page.locator("fieldset").filter({ hasText: "Bot strength" }).locator("label");
    await cards.first().waitFor();
    const boxes = await cards.evaluateAll((all) =>
      all.map((card) => card.getBoundingClientRect()).map(({ width, x }) => [Math.round(width), Math.round(x)]),
    );
    expect(boxes).toHaveLength(8);
    expect(new Set(boxes.map(([width]) => width)).size, "one width").toBe(1);
    expect(boxes.slice(0, 4).map(([, x]) => x)).toEqual(boxes.slice(4).map(([, x]) => x));
    await guest.close();
  });
});

describe("a bot", () => {
  it("has a page: who it is, how one fares against it, a game at once", async () => {
    const guest = await visit("/bots/mason");
    const { page } = guest;
    await page.getByRole("heading", { level: 1, name: "Mason" }).waitFor();
    await page.getByText("Knows what fields and meeples are worth").waitFor();
    await page.getByText("You have not finished a game against Mason yet.").waitFor();
    await page.getByText("To beat it: play soundly and wait").waitFor();
    // Its neighbours on the ladder, with what the ratings say: 1500 against 1686 and 1337.
    const expected = page.locator("[data-expected] li");
    await expect.poll(() => expected.allInnerTexts()).toHaveLength(2);
    expect((await expected.allInnerTexts()).join()).toMatch(/against Steward\s+26%,against Peddler\s+72%/);
    await page.getByRole("button", { name: "Play against it" }).click();
    await page.waitForURL(/\/g\/\w+/);
    const id = page.url().split("/").at(-1);
    await page.locator("[data-cell]").first().waitFor();
    await page.evaluate(async (id) => {
      await fetch(`/api/games/${id}/resign`, { method: "POST" });
    }, id);
    await page.goto("/bots/mason");
    await page.getByText("0 – 0 – 1").waitFor();
    await page.goto("/bots/greedy");
    await page.getByText("Takes the turn that makes its score the highest at once.").waitFor();
    await page.goto("/bots/nobody");
    await page.getByText("No bot has this name.").waitFor();
    await guest.close(REFUSED);
  });
});
