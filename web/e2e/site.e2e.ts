// The pages around the game, against the real server: new games, Tinytown, fair draws, and a server
// that goes away and comes back.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DESKTOP, REFUSED, launch, useBrowser, visit } from "./browser";
import { register } from "./people";
import { RECORD } from "./review_record";
import { Server } from "./server";

useBrowser();

describe("the create form", () => {
  it("is rendered from the server's schema and makes the table that was asked for", async () => {
    const host = await visit("/play");
    const { page } = host;
    await page.getByRole("button", { name: "Add a seat" }).click();
    await page.getByLabel("Who sits on seat 2").selectOption("open");
    await page.getByLabel("Who sits on seat 3").selectOption("bot:mason");
    await page.getByText("10 + 5").click();
    await page.getByText("Who has the link").click();
    await page.getByText("Rules and options").click();
    await page.getByText("Farmers", { exact: true }).click();
    await page.getByText("2 points, the early rule").click();
    const board = page.getByLabel("Board");
    await board.fill("big");
    await page.getByText("This value is not allowed.").waitFor();
    expect(await page.getByRole("button", { name: "Open table" }).isDisabled()).toBe(true);
    await board.fill("15x15");
    await page.getByRole("button", { name: "Open table" }).click();
    await page.waitForURL(/\/g\/\w+/);
    const id = new URL(page.url()).pathname.split("/").at(-1)!;
    const { info } = await page.evaluate(async (id) => (await fetch(`/api/games/${id}`)).json(), id);
    expect(info).toMatchObject({
      game: "carcassonne",
      status: "waiting",
      visibility: "link",
      clock: { kind: "game", initial_ms: 600_000, increment_ms: 5000 },
      options: { farmers: false, tiny_city: 2, board: "15x15", start: "tile" },
    });
    expect(info.seats).toHaveLength(3);
    await host.close();
  });

  it("makes open tables that others find in the lobby and join", async () => {
    const host = await visit("/play");
    await host.page.getByLabel("Who sits on seat 2").selectOption("open");
    await host.page.getByRole("button", { name: "Open table" }).click();
    await host.page.waitForURL(/\/g\/\w+/);
    const game = new URL(host.page.url()).pathname;

    const other = await visit("/play");
    await other.page.getByRole("button", { name: "Join" }).first().click();
    await other.page.waitForURL(`**${game}`);
    await Promise.race([host.page, other.page].map((page) => page.locator("[data-cell]").first().waitFor()));
    await other.close();
    await host.close();
  });

  it("invites a player by name, who sees it in the lobby", async () => {
    const friend = await visit("/account");
    const name = await register(friend.page);
    const host = await visit("/play");
    await host.page.getByLabel("Who sits on seat 2").selectOption("user");
    await host.page.getByLabel("Name of the player").fill(name);
    await host.page.getByRole("button", { name: "Open table" }).click();
    await host.page.waitForURL(/\/g\/\w+/);
    await friend.page.goto("/play");
    await friend.page.getByRole("heading", { name: "Invitations" }).waitFor();
    await friend.page.getByRole("button", { name: "Join" }).first().click();
    await friend.page.waitForURL(/\/g\/\w+/);
    await friend.close();
    await host.close();
  });
});

describe("Tinytown", () => {
  it("is played to the end, with the distance to the optimum", async () => {
    const guest = await visit("/tinytown");
    const { page } = guest;
    await page.getByLabel("Rows").fill("2");
    await page.getByLabel("Columns").fill("2");
    await page.getByRole("button", { name: "Start the puzzle" }).click();
    await page.getByText("The optimum can still be reached.").waitFor();
    await put("brick", "0,0");
    await put("brick", "0,1");
    // A wrong resource costs points, and is taken back.
    await put("brick", "1,0");
    await page.getByText(/below the optimum/).waitFor();
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByText("The optimum can still be reached.").waitFor();
    // The best line of play: a greenhouse, then a cottage, then what is left is filled.
    await put("glass", "1,0");
    await put("glass", "1,1");
    await build("1,1", "greenhouse");
    await put("glass", "0,0");
    await put("brick", "0,1");
    await put("brick", "1,0");
    await build("0,0", "cottage");
    await put("brick", "0,1");
    await put("brick", "1,0");
    await page.getByRole("heading", { name: "Perfect: the optimum!" }).waitFor();
    await guest.close();

    async function put(resource: string, square: string) {
      await page.getByRole("button", { name: resource, exact: true }).click();
      await page.locator(`[data-square="${square}"].can`).click();
      await shows(square, resource);
    }
    async function build(square: string, building: string) {
      await page.getByRole("heading", { name: "Build?" }).waitFor();
      await page.locator(`[data-square="${square}"].can`).click();
      await shows(square, building);
      await page.getByRole("heading", { name: "Put down a resource" }).waitFor();
    }
    async function shows(square: string, what: string) {
      await page.locator(`[data-square="${square}"][aria-label$="${what}"]`).waitFor();
    }
  });
});

describe("a finished game", () => {
  it("has draws that the browser checks by itself, and stands in library and profile", async () => {
    const user = await visit("/account");
    const { page } = user;
    const name = await register(page);
    const id = await page.evaluate(async () => {
      const post = (path: string, body: unknown) =>
        fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      const made = await post("/api/games", {
        game: "carcassonne",
        seats: [{ kind: "me" }, { kind: "me" }],
        nonce: "mine",
      });
      const { info } = await made.json();
      for (let turn = 0; turn < 4; turn++) {
        const { update } = await (await fetch(`/api/games/${info.id}`)).json();
        await post(`/api/games/${info.id}/play`, { version: update.version, moves: [update.legal[0].move, "pass"] });
      }
      await post(`/api/games/${info.id}/resign`, {});
      return info.id as string;
    });
    await page.goto(`/fair/${id}`);
    await page.getByRole("heading", { name: "The draws are those that were promised" }).waitFor();
    expect(await page.locator("section ul li.ok").count()).toBe(3);
    await page.getByText(`Random characters from ${name} 1`).waitFor();
    await page.getByText("the grey ones stayed in the bag").waitFor();
    await page.goto("/games?mine");
    await page
      .locator(`a[href="/g/${id}"]`)
      .getByText(new RegExp(`${name} \\d.* resigned`))
      .waitFor();
    await page.getByLabel("Bot", { exact: true }).selectOption("mason");
    await page.getByText("No game fits.").waitFor();
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await page.getByLabel("When").selectOption("week");
    await page.getByLabel("Players", { exact: true }).selectOption("two");
    await page.locator(`a[href="/g/${id}"]`).waitFor();
    expect(new URL(page.url()).search).toContain("when=week");
    await page.goto(`/games?player=${name}`);
    await page.getByLabel("Result").selectOption("tied");
    await page.getByText("No game fits.").waitFor();
    await page.goto(`/u/${name}`);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await user.close();
  });

  it("has no secrets to check while it is played, and says so", async () => {
    const guest = await visit("/");
    await guest.page.getByRole("button", { name: "Play now" }).click();
    await guest.page.waitForURL(/\/g\/\w+/);
    await guest.page.goto(guest.page.url().replace("/g/", "/fair/"));
    await guest.page.getByRole("button", { name: "Try again" }).waitFor();
    await guest.close(REFUSED);
  });
});

describe("a server that goes away", () => {
  let server: Server;
  beforeAll(async () => {
    server = await Server.start();
  });
  afterAll(() => server.stop());

  it("gets a plain message, and the page recovers by itself", async () => {
    const browser = await launch();
    const page = await (await browser.newContext({ ...DESKTOP, locale: "en-GB", baseURL: server.url })).newPage();
    await page.goto("/ranking");
    await page.getByRole("heading", { level: 1, name: "Ranking" }).waitFor();
    await server.pause();
    await page.getByRole("button", { name: "Three to six" }).click();
    await page.getByText("The server cannot be reached").first().waitFor();
    await server.resume();
    await page.getByText("Connected again.").waitFor({ timeout: 90_000 });
    await page.getByText("The server cannot be reached").first().waitFor({ state: "detached" });
    await browser.close();
  });

  it("is called slow when it is, until it answers", async () => {
    const browser = await launch();
    const page = await (await browser.newContext({ ...DESKTOP, locale: "en-GB", baseURL: server.url })).newPage();
    await page.route("**/api/statistics", async (route) => {
      await new Promise((done) => setTimeout(done, 7000));
      await route.continue();
    });
    await page.goto("/watch");
    await page.getByText("The server is slow to answer.").waitFor();
    await page.getByText("The server is slow to answer.").waitFor({ state: "detached" });
    await page.getByText("Tiles placed").waitFor();
    await browser.close();
  });

  it("is heard when it refuses for a while, and asked again", async () => {
    const browser = await launch();
    const page = await (await browser.newContext({ ...DESKTOP, locale: "en-GB", baseURL: server.url })).newPage();
    const refusal = {
      status: 503,
      contentType: "application/json",
      body: JSON.stringify({ code: "unavailable", message: "too much to do, try again soon" }),
    };
    await page.route("**/api/leaderboard*", (route) => route.fulfill(refusal));
    await page.goto("/ranking");
    await page.getByText("Too much to do, try again soon").waitFor();
    await page.unroute("**/api/leaderboard*");
    await page.getByRole("link", { name: "Master" }).waitFor();
    // What is refused for good is said as it was put, and nothing is lost.
    const wrong = {
      status: 400,
      contentType: "application/json",
      body: JSON.stringify({ code: "bad_request", message: "this table cannot be made" }),
    };
    await page.route("**/api/games", (route) => route.fulfill(wrong));
    await page.goto("/play");
    await page.getByRole("button", { name: "Start game" }).click();
    await page.getByText("This table cannot be made").waitFor();
    await page.unroute("**/api/games");
    await page.getByRole("button", { name: "Start game" }).click();
    await page.waitForURL(/\/g\/\w+/);
    await browser.close();
  });
});

describe("a link with a record", () => {
  it("opens the library with the record filled in, and leads to its replay", async () => {
    const names = "net,greedy";
    const reader = await visit(`/games#record=${encodeURIComponent(RECORD)}&names=${encodeURIComponent(names)}`);
    const { page } = reader;
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("textbox").first().inputValue()).toBe(RECORD);
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await page.waitForURL(/\/g\/\w+$/);
    for (const name of names.split(",")) await page.getByText(name, { exact: true }).first().waitFor();
    await reader.close();
  });
});
