// The analysis board and studies: turns and draws tried, variations, comments, the engine; kept, shared, taken in again.
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { DESKTOP, NO_PAGE, PHONE, REFUSED, expectAccessible, useBrowser, visit } from "./browser";
import { makeGame } from "./game/play";
import { reviewed, taken } from "./reviewed";

useBrowser();

/** What the page fetched of the engine. */
const loaded = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => /\.(wasm|net)$/.test(path)),
  );

const moves = (page: Page) => page.getByRole("region", { name: "Moves" });
const rows = (page: Page) => moves(page).locator("li.turn-row");
const turnRow = (page: Page, words: string) => moves(page).getByRole("button", { name: words, exact: true });
const current = (page: Page) => moves(page).locator("[aria-current]");

/** Begins a game for two on the board. */
async function begin(page: Page): Promise<void> {
  await page.goto("/analysis");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByText("A tile is drawn for Player 1").waitFor();
}

const draw = async (page: Page, kind: string) => {
  await page.getByRole("button", { name: new RegExp(`^Tile ${kind} \\d`) }).click();
  await page.getByText(/to move$/).waitFor();
};

/** Puts the tile down on a spot and keeps the meeple in hand. */
async function place(page: Page, spot: string): Promise<void> {
  await page.locator(`[data-cell="${spot}"]`).click();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("radio", { name: /^No meeple/ }).click();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText(/A tile is drawn for/).waitFor();
}

describe("the analysis board", () => {
  it("tries draws and turns on a desk, keeps variations and comments, and is kept as a study", async () => {
    const reader = await visit(NO_PAGE);
    await tried(reader.page);
    await keptAsStudy(reader.page);
    await reader.close();
  });

  it("tries draws and turns on a phone, and keeps variations and comments", async () => {
    const reader = await visit(NO_PAGE, PHONE);
    await tried(reader.page);
    await reader.close();
  });
});

for (const [device, options] of [
  ["desk", DESKTOP],
  ["phone", PHONE],
] as const) {
  it(`lays a position by hand on a ${device}, analyses it and keeps it`, () => laid(options));
}

async function laid(options: BrowserContextOptions): Promise<void> {
  const reader = await visit(NO_PAGE, options);
  const { page } = reader;
  await page.goto("/analysis");
  await page.getByRole("button", { name: "Lay a position" }).click();
  await page.getByRole("button", { name: /^Tile U \d/ }).click();
  await page.locator('[data-cell="1,0"]').click();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("radio", { name: /^Road/ }).click();
  await page.getByRole("button", { name: "Confirm" }).click();
  const stands = page.getByLabel("Who stands on N13");
  await stands.waitFor();
  expect(await stands.inputValue()).toBe("0 road0");
  await stands.selectOption("1 field0");
  await page.getByLabel("Player 2", { exact: true }).last().fill("12");
  await page.getByLabel("Player 2", { exact: true }).last().blur();
  await page.getByLabel("Draws next").selectOption("1");
  await expectAccessible(page, "laying a position by hand");
  // What no game leads to is said, and not taken.
  await page.getByLabel("As text").fill("tile U 1,0 r1");
  await page.getByRole("button", { name: "Apply the text" }).click();
  await page.getByText("U 1,0 r1: its edges are not like").waitFor();
  await page.getByRole("button", { name: "Analyse it" }).click();
  await page.getByText("A tile is drawn for Player 2").waitFor();
  await page.reload();
  await page.getByText("A tile is drawn for Player 2").waitFor();
  await draw(page, "E");
  await page.getByRole("button", { name: "Keep as a study" }).click();
  await page.waitForURL(/\/study\//);
  await page.reload();
  await page.getByText("Player 2 to move").waitFor();
  expect(await page.getByRole("region", { name: "Points and steps" }).innerText()).toContain("12");
  await reader.close();
}

async function tried(page: Page): Promise<void> {
  await begin(page);
  await draw(page, "V");
  await place(page, "1,0");
  await draw(page, "U");
  expect(await rows(page).count()).toBe(2);
  // Back to the first draw, and another turn there: a variation.
  await page.getByRole("button", { name: "Back one" }).click();
  await page.getByRole("button", { name: "Back one" }).click();
  await page.getByText("Player 1 to move").waitFor();
  await place(page, "0,-1");
  expect(await rows(page).count()).toBe(3);
  await page.getByRole("button", { name: "Good", exact: true }).click();
  await page.getByLabel("Comment", { exact: true }).fill("Closer to the city.");
  await page.getByLabel("Comment", { exact: true }).blur();
  await moves(page).getByText("Closer to the city.").waitFor();
  await page.getByRole("button", { name: "Make it the main line" }).click();
  expect(await rows(page).first().innerText()).toContain("M14");
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await rows(page).first().innerText()).toContain("N13");
  await expectAccessible(page, "the analysis board");
}

async function keptAsStudy(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Keep as a study" }).click();
  await page.waitForURL(/\/study\//);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const kept = await moves(page).innerText();
  expect(kept).toContain("Closer to the city.");
  await expect.poll(() => current(page).innerText()).toContain("M14");
  // What is changed now goes to the server: a reload shows the same.
  await page.getByRole("button", { name: "To the start" }).click();
  await page.getByLabel("Comment at the start").fill("What would you play?");
  await page.getByLabel("Comment at the start").blur();
  await moves(page).getByText("What would you play?").waitFor();
  await expect.poll(() => page.getByText("Saving…").count()).toBe(0);
  const before = await moves(page).innerText();
  await page.reload();
  await moves(page).getByText("What would you play?").waitFor();
  expect(await moves(page).innerText()).toBe(before);
  await expectAccessible(page, "a study");
}

describe("studies", () => {
  it("go out as text and come back the same", async () => {
    const reader = await visit(NO_PAGE);
    const { page } = reader;
    const text = [
      "study Two endings",
      "chapter Roads",
      "carcassonne players=2",
      "{What would you play?}",
      "V; 1,0 r0; road0 ! {Claims the road.} (pass {Too careful.}) (field0; U)",
      "U (X; -1,0 r0); -1,0 r0; pass",
      "",
      "chapter Three of them",
      "carcassonne players=3 sets=inns",
      "U; 1,0 r0; pass",
    ].join("\n");
    await page.goto("/studies");
    await page.getByRole("button", { name: "Import a text" }).click();
    await page.getByLabel(/Paste the text/).fill("carcassonne players=2\nV; 9,9 r0");
    await page.getByRole("button", { name: "Import", exact: true }).click();
    expect(await page.getByRole("alert").innerText()).toMatch(/line 2/i);
    await page.getByLabel(/Paste the text/).fill(text);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Two endings" }).waitFor();
    expect(await rows(page).count()).toBe(6);
    const chapters = page.getByRole("navigation", { name: "Chapters" });
    await chapters.getByRole("link", { name: /Three of them/ }).click();
    await page.getByText("Player 3").waitFor();
    const first = await textOf(page);
    expect(first).toContain("road0 ! {Claims the road.} (pass {Too careful.}) (field0");
    await page.goto("/studies");
    await page.getByRole("link", { name: /Two endings/ }).waitFor();
    await page.getByRole("button", { name: "Import a text" }).click();
    await page.getByLabel(/Paste the text/).fill(first);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Two endings" }).waitFor();
    expect(await textOf(page)).toBe(first);
    await reader.close(REFUSED);
  });

  it("have chapters, which are added, renamed and deleted", async () => {
    const reader = await visit(NO_PAGE);
    const { page } = reader;
    await begin(page);
    await draw(page, "V");
    await page.getByRole("button", { name: "Keep as a study" }).click();
    await page.waitForURL(/\/study\//);
    const chapters = page.getByRole("navigation", { name: "Chapters" });
    await page.getByRole("button", { name: "Add a chapter" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title of the chapter").fill("Elsewhere");
    await page.getByRole("button", { name: "From this position" }).click();
    await chapters
      .getByRole("link", { name: /Elsewhere/ })
      .and(page.locator("[aria-current]"))
      .waitFor();
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole("button", { name: "Change this chapter" }).click();
    await dialog.getByLabel("Title of the chapter").fill("Nowhere");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await chapters.getByRole("link", { name: /Nowhere/ }).waitFor();
    await page.getByRole("button", { name: "Change this chapter" }).click();
    await page.getByRole("button", { name: "Delete the chapter" }).click();
    await expect.poll(() => chapters.getByRole("link").count()).toBe(1);
    await reader.close();
  });

  it("lose nothing that is written while the server is away", async () => {
    const reader = await visit(NO_PAGE);
    const { page, context } = reader;
    await begin(page);
    await draw(page, "V");
    await page.getByRole("button", { name: "Keep as a study" }).click();
    await page.waitForURL(/\/study\//);
    await page.getByText("Player 1 to move").waitFor();
    await context.setOffline(true);
    await page.getByRole("button", { name: "Good", exact: true }).click();
    await page.getByLabel("Comment", { exact: true }).fill("Written in a tunnel.");
    await page.getByLabel("Comment", { exact: true }).blur();
    await page.getByText("Saving…").waitFor();
    await context.setOffline(false);
    await expect.poll(() => page.getByText("Saving…").count()).toBe(0);
    expect(await textOf(page)).toContain("V ! {Written in a tunnel.}");
    await moves(page).getByText("Written in a tunnel.").waitFor();
    await reader.close(/Failed to (load resource|fetch)|net::ERR_INTERNET_DISCONNECTED/);
  });

  it("are edited by two people at once, and both see everything", async () => {
    const owner = await visit(NO_PAGE);
    await begin(owner.page);
    await draw(owner.page, "V");
    await owner.page.getByRole("button", { name: "Keep as a study" }).click();
    await owner.page.waitForURL(/\/study\//);
    await owner.page.getByRole("button", { name: "Title and sharing" }).click();
    await owner.page.getByLabel("Title of the study").fill("Ours");
    await owner.page.getByText("shared", { exact: true }).click();
    await owner.page.getByRole("button", { name: "Save", exact: true }).click();
    await owner.page.getByRole("heading", { level: 1, name: "Ours" }).waitFor();

    const friend = await visit(NO_PAGE);
    await friend.page.goto(owner.page.url());
    await friend.page.getByRole("button", { name: "Change it too" }).click();
    await expect.poll(() => friend.page.getByRole("button", { name: "Add a chapter" }).count()).toBe(1);
    await moves(friend.page).getByRole("button").first().click();
    await friend.page.getByText("Player 1 to move").waitFor();
    await Promise.all([place(owner.page, "1,0"), place(friend.page, "0,-1")]);
    for (const { page } of [owner, friend]) {
      await turnRow(page, "N13, no meeple").waitFor();
      await turnRow(page, "M14, no meeple").waitFor();
    }
    await expect.poll(() => owner.page.getByText("Others changed this chapter").count()).toBe(1);

    // Both write at one place: who comes second sees what the first wrote, and decides.
    for (const { page } of [owner, friend]) await turnRow(page, "N13, no meeple").click();
    await owner.page.getByLabel("Comment", { exact: true }).fill("Mine.");
    await friend.page.getByLabel("Comment", { exact: true }).fill("No, mine.");
    await owner.page.getByLabel("Comment", { exact: true }).blur();
    await expect.poll(() => owner.page.getByText("Saving…").count()).toBe(0);
    await friend.page.getByLabel("Comment", { exact: true }).blur();
    await friend.page.getByText("Somebody else wrote here meanwhile: “Mine.”").waitFor();
    await friend.page.getByRole("button", { name: "Write mine" }).click();
    await moves(owner.page).getByText("No, mine.").waitFor();
    await owner.close(REFUSED);
    await friend.close(REFUSED);
  });
});

describe("the engine on the analysis board", () => {
  it("lists turns that a click plays, values draws, and opens at a ply of a game", async () => {
    const reader = await visit(NO_PAGE);
    const { page } = reader;
    const id = await taken(page);
    await page.goto(`/analysis?game=${id}&ply=4`);
    await page.getByText("Ysolde to move").waitFor();
    await page.getByRole("switch", { name: /Engine/ }).check({ force: true });
    const lines = page.getByRole("region", { name: "Engine" }).getByRole("listitem");
    await expect.poll(() => lines.count()).toBe(5);
    await lines.first().hover();
    await page.locator("g.mark").waitFor();
    const words = (await lines.first().locator(".deed").innerText()).trim();
    await lines.first().getByRole("button").click();
    await turnRow(page, words).waitFor();
    await page.getByText("A tile is drawn for Mira").waitFor();
    await expect.poll(() => page.getByText(/On the mean a draw is worth .* points to Mira/).count()).toBe(1);
    // The address is that of the place in the game.
    await page.keyboard.press("Home");
    await expect.poll(() => new URL(page.url()).search).toBe(`?game=${id}&ply=0`);
    await reader.close();
  });

  it("is neither started nor loaded while its user plays a game without help", async () => {
    const reader = await visit(NO_PAGE);
    const { page } = reader;
    const id = await taken(page);
    const open = await makeGame(page, { seats: [{ kind: "me" }, { kind: "open" }], shuffle_seats: false });
    const friend = await visit(NO_PAGE);
    await friend.page.evaluate(async (id) => {
      const headers = { "content-type": "application/json" };
      await fetch("/api/guest", { method: "POST", headers, body: "{}" });
      const answer = await fetch(`/api/games/${id}/join`, { method: "POST", headers, body: "{}" });
      if (!answer.ok) throw new Error(await answer.text());
    }, open);
    await page.goto(`/analysis?game=${id}`);
    await page.getByText("You are playing a game without help.").waitFor();
    expect(await loaded(page)).toEqual([]);
    // Nor about the game itself.
    await page.goto(`/analysis?game=${open}`);
    await page.getByText("This game is still being played.").waitFor();
    expect(await loaded(page)).toEqual([]);
    await friend.close();
    await reader.close();
  });
});

describe("an analysis begins", () => {
  it("with a game, from its replay, its result and its review", async () => {
    const reader = await visit(NO_PAGE);
    const { page } = reader;
    const id = await taken(page);
    await page.goto(`/g/${id}#4`);
    await page.getByRole("link", { name: "Analyse this position" }).click();
    await page.waitForURL(/\/analysis\?game=.*ply=\d+/);
    await page.getByRole("heading", { level: 1, name: "Analysis" }).waitFor();
    const picture = page.getByRole("link", { name: "Picture" });
    expect(await picture.getAttribute("href")).toMatch(/\/picture\?ply=\d+$/);
    await page.getByRole("link", { name: "Review" }).click();
    await page.waitForURL(/\/review/);
    await reviewed(page, id);
    await page.goto(`/g/${id}/review?ply=5`);
    await page.getByRole("link", { name: "Analyse this position" }).click();
    await page.getByText("Ysolde to move").waitFor();
    await page.goto(`/g/${id}`);
    await page.getByRole("link", { name: "Analyse", exact: true }).click();
    await page.getByText("The game is over").first().waitFor();
    await reader.close();
  });

  it("with a position laid by hand, which is checked", async () => {
    const reader = await visit("/analysis");
    const { page } = reader;
    const text = page.getByLabel(/Paste the text/);
    await text.fill("carcassonne players=2\ntile U 1,0 r1");
    await page.getByRole("button", { name: "Open" }).click();
    expect(await page.getByRole("alert").innerText()).not.toBe("");
    await text.fill("carcassonne players=2\ntile U 1,0 r0 0 road0\nscores 4 12\nplayer 1");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("A tile is drawn for Player 2").waitFor();
    await draw(page, "V");
    await page.getByRole("switch", { name: /Engine/ }).check({ force: true });
    await expect.poll(() => page.getByRole("region", { name: "Engine" }).getByRole("listitem").count()).toBe(5);
    // It stays in its window.
    await page.reload();
    await page.getByText("Player 2 to move").waitFor();
    await reader.close();
  });

  it("with sets, on a phone, where a finger shows the engine's turn before it plays it", async () => {
    const reader = await visit("/analysis", PHONE);
    const { page } = reader;
    for (const set of ["Inns and cathedrals", "Traders and builders", "The river", "Gardens and abbots"])
      await page.getByLabel(set).check();
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByText("A tile is drawn for Player 1").waitFor();
    await page.getByRole("button", { name: "Any" }).click();
    await page.getByText("Player 1 to move").waitFor();
    await page.getByRole("switch", { name: /Engine/ }).check({ force: true });
    const line = page.getByRole("region", { name: "Engine" }).getByRole("listitem").first().getByRole("button");
    await line.tap();
    await page.locator("g.mark").waitFor();
    expect(await rows(page).first().getByRole("button").count()).toBe(1);
    // While the engine thinks another turn may take the place of the one under the finger; a person taps again.
    const steps = rows(page).first().getByRole("button");
    await expect.poll(async () => ((await steps.count()) < 2 && (await line.tap()), steps.count())).toBe(2);
    await page.getByText(/A tile is drawn for/).waitFor();
    await reader.close();
  });
});

it("goes by keyboard alone", async () => {
  const reader = await visit(NO_PAGE);
  const { page } = reader;
  await begin(page);
  await page.keyboard.press("d");
  await page.getByText("Player 1 to move").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.press("s");
  await page.getByText("A tile is drawn for Player 2").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByText("Player 1 to move").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByText("A tile is drawn for Player 2").waitFor();
  await page.keyboard.press("Home");
  await page.getByText("A tile is drawn for Player 1").waitFor();
  await page.keyboard.press("End");
  await page.getByText("A tile is drawn for Player 2").waitFor();
  await page.keyboard.press("Control+z");
  await expect.poll(() => rows(page).first().getByRole("button").count()).toBe(1);
  await reader.close();
});

/** The study that is open, as the server writes it. */
const textOf = (page: Page): Promise<string> =>
  page.evaluate(async () => (await fetch(`/api/studies/${location.pathname.split("/").pop()}/text`)).text());
