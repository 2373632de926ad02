// Studies that several people reach: hostile words in them are words, and what is taken away comes back.
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, it } from "vitest";
import { DESKTOP, NO_PAGE, PHONE, expectAccessible, useBrowser, visit } from "./browser";

useBrowser();

const SCRIPT = '<script>document.title = "taken"</script><img src=x onerror="document.title = \'taken\'">';
const BACKWARDS = "\u202Edrawkcab \u2067عربي\u200F";
const EMOJI = "👩‍👩‍👧‍👦🏰🇫🇷 ∑";
const UNBROKEN = "W".repeat(200);

const moves = (page: Page) => page.getByRole("region", { name: "Moves" });
const turnRow = (page: Page, words: string) => moves(page).getByRole("button", { name: words, exact: true });
const chapters = (page: Page) => page.getByRole("navigation", { name: "Chapters" });

/** Makes a study as a guest, without the page; answers with its address. */
async function made(page: Page, text: string, visibility: string): Promise<string> {
  return page.evaluate(
    async ({ text, visibility }) => {
      const headers = { "content-type": "application/json" };
      await fetch("/api/guest", { method: "POST", headers, body: "{}" });
      const answer = await fetch("/api/studies", {
        method: "POST",
        headers,
        body: JSON.stringify({ text, visibility }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return `/study/${((await answer.json()) as { id: string }).id}`;
    },
    { text, visibility },
  );
}

for (const [device, options] of [
  ["desk", DESKTOP],
  ["phone", PHONE],
] as const) {
  it(`shows hostile words as words on a ${device}, within the screen`, () => hostile(options));
  it(`puts back what somebody took away, on a ${device}`, () => putBack(options));
}

async function hostile(options: BrowserContextOptions): Promise<void> {
  const width = options.viewport!.width;
  const reader = await visit(NO_PAGE, options);
  const { page } = reader;
  const title = UNBROKEN.slice(0, 90) + EMOJI;
  const text = [
    `study ${title}`,
    `chapter ${SCRIPT}`,
    "carcassonne players=2",
    `{${SCRIPT}}`,
    `V {${UNBROKEN}}; 1,0 r0; pass {${EMOJI}}`,
    `U {${BACKWARDS}}; -1,0 r0; pass`,
    "",
    `chapter ${BACKWARDS}`,
    "carcassonne players=2",
    "",
    `chapter ${UNBROKEN.slice(0, 120)}`,
    "carcassonne players=2",
  ].join("\n");
  await page.goto(await made(page, text, "shared"));
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.getByText(/A tile is drawn for/).waitFor();
  for (const words of [SCRIPT, UNBROKEN, BACKWARDS, EMOJI]) {
    await moves(page).getByText(words, { exact: true }).first().waitFor();
  }
  for (const words of [SCRIPT, BACKWARDS, UNBROKEN.slice(0, 120)]) {
    await chapters(page).getByRole("link").filter({ hasText: words }).waitFor();
  }
  // What is said of a move stands in a field, and in the dialogs, as it was written.
  await turnRow(page, "N13, no meeple").click();
  expect(await page.getByLabel("Comment", { exact: true }).inputValue()).toBe(EMOJI);
  await page.getByRole("button", { name: "Change this chapter" }).click();
  expect(await page.getByLabel("Title of the chapter").last().inputValue()).toBe(SCRIPT);
  await expectWithin(page, width);
  await page.keyboard.press("Escape");
  await expectWithin(page, width);
  await expectAccessible(page, "a study with hostile words");
  await page.goto("/studies");
  await page.getByText(title, { exact: true }).waitFor();
  await expectWithin(page, width);
  expect(await page.title()).not.toBe("taken");
  expect(await page.locator("img[src=x], script:not([src])").count()).toBe(0);
  await reader.close();
}

/** Nothing is wider than the screen, and no hostile word did anything. */
async function expectWithin(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  // What stands beside the board scrolls in itself, and not sideways either.
  const sideways = await page
    .locator("aside, dialog[open]")
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length);
  expect(sideways).toBe(0);
}

async function putBack(options: BrowserContextOptions): Promise<void> {
  const owner = await visit(NO_PAGE, options);
  const { page } = owner;
  const text = "study Ours\ncarcassonne players=2\nV; 1,0 r0; pass {Much work.}\nU; -1,0 r0; pass";
  const address = await made(page, text, "shared");
  await page.goto(address);
  await turnRow(page, "N13, no meeple").waitFor();
  await page.getByRole("button", { name: "Earlier versions" }).click();
  await page.getByText("Nothing was taken away in this chapter, and nobody else has changed it.").waitFor();
  await page.keyboard.press("Escape");

  // Whoever has the address empties the chapter; the chapters themselves are not theirs.
  const stranger = await visit(NO_PAGE, DESKTOP);
  await stranger.page.goto(address);
  await stranger.page.getByRole("button", { name: "Change it too" }).click();
  await stranger.page.getByRole("button", { name: "Add a chapter" }).waitFor();
  for (const name of ["Change this chapter", "Earlier versions", "Title and sharing"])
    expect(await stranger.page.getByRole("button", { name }).count(), name).toBe(0);
  const drawn = moves(stranger.page).getByRole("button").first();
  await drawn.click();
  await stranger.page.getByText("Player 1 to move").waitFor();
  await stranger.page.getByRole("button", { name: "Delete from here" }).click();
  await moves(stranger.page).getByText("Nothing has been played yet.").waitFor();
  await moves(page).getByText("Nothing has been played yet.").waitFor();

  // By keyboard alone: the list, its one text, back.
  await page.getByRole("button", { name: "Earlier versions" }).press("Enter");
  const back = page.getByRole("button", { name: /^Put back/ });
  await back.waitFor();
  expect(await back.count()).toBe(1);
  await page.getByText(/^before a change by /).waitFor();
  await page.getByText("6 moves · 1 comment").waitFor();
  await page.getByText("“Much work.”").waitFor();
  await page.getByText("As you left it", { exact: true }).waitFor();
  await page
    .getByText(/\d:\d\d:\d\d/)
    .first()
    .waitFor();
  await expectAccessible(page, "the earlier versions of a chapter");
  await expectWithin(page, options.viewport!.width);
  await back.press("Enter");
  await page.getByText(/^The chapter is as it was/).waitFor();
  await moves(page).getByText("Much work.").waitFor();
  // The other sees it too, and it can be undone.
  await moves(stranger.page).getByText("Much work.").waitFor();
  await page.getByRole("button", { name: "Earlier versions" }).click();
  await expect.poll(() => page.getByRole("button", { name: /^Put back/ }).count()).toBe(2);
  // The other one is the stranger's work, not the owner's.
  expect(await page.getByText("As you left it", { exact: true }).count()).toBe(1);
  await page.keyboard.press("Escape");
  // What the stranger only adds to leaves the owner's text behind too.
  await stranger.page.getByLabel(/^Comment/).fill("Not mine.");
  await stranger.page.getByLabel(/^Comment/).press("Tab");
  await page.getByText("Not mine.").first().waitFor();
  await page.getByRole("button", { name: "Earlier versions" }).click();
  await expect.poll(() => page.getByText("As you left it", { exact: true }).count()).toBe(2);
  await stranger.close();
  await owner.close();
}
