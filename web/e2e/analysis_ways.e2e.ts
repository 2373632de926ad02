// Ways into an analysis and back to it: wrong addresses, the browser's buttons; on a phone tile and choices are seen together.
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { DESKTOP, NO_PAGE, PHONE, expectAccessible, useBrowser, visit } from "./browser";

useBrowser();

const SIDEWAYS: BrowserContextOptions = { ...PHONE, viewport: { width: 844, height: 390 } };
const SMALL_PHONE: BrowserContextOptions = { ...PHONE, viewport: { width: 375, height: 667 } };

async function begin(page: Page, kind: string): Promise<void> {
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("button", { name: new RegExp(`^Tile ${kind} \\d`) }).click();
  await page.getByText("Player 1 to move").waitFor();
}

const laid = (setup: string, layout: string) => `/analysis?${new URLSearchParams({ setup, layout })}`;

describe.each([
  ["desk", DESKTOP],
  ["phone", PHONE],
])("an address on a %s", (_, options) => {
  it("that the rules refuse says what is wrong, keeps nothing, and leads on", async () => {
    const reader = await visit(NO_PAGE, options);
    const { page } = reader;
    const wrong = [
      [laid("players=99", "player 0"), /^players=99/m],
      [laid("players=2", "player 0 | lay"), /^part 2: 'lay'/m],
      [laid("players=2", "tile U 1,0 r0 0 road0 | tile U 2,0 r0 1 road0"), /nobody claims what is claimed/],
      [laid("players=2", "tile U 1,0 r1"), /U 1,0 r1: its edges are not like/],
      [laid("players=2 sets=nothing", "player 0"), /nothing/],
    ] as const;
    for (const [address, why] of wrong) {
      await page.goto(address);
      const alert = page.getByRole("alert").filter({ hasText: "This position cannot be shown." });
      await alert.waitFor();
      expect(await alert.innerText()).toMatch(why);
      expect(await page.getByRole("button", { name: "Keep as a study" }).isDisabled()).toBe(true);
      // There are neither players nor a position to think about.
      expect(await page.getByRole("region", { name: "Points and steps" }).count()).toBe(0);
      expect(await page.getByRole("region", { name: "Moves" }).count()).toBe(0);
      expect(await page.getByRole("switch").count()).toBe(0);
    }
    await expectAccessible(page, "an analysis that the rules refuse");
    await page.getByRole("alert").getByRole("button", { name: "Another analysis" }).click();
    await page.getByRole("button", { name: "Begin" }).waitFor();
    expect(await page.getByRole("link", { name: "Go on with the last analysis" }).count()).toBe(0);
    await reader.close();
  });
});

it("another analysis takes none away: the browser's button and the start page lead back, each to its own", async () => {
  const reader = await visit("/analysis");
  const { page } = reader;
  const moves = page.getByRole("region", { name: "Moves" });
  await begin(page, "V");
  const first = page.url();
  await page.getByRole("button", { name: "Another analysis" }).click();
  await begin(page, "U");
  expect(page.url()).not.toBe(first);
  await page.getByRole("button", { name: "Another analysis" }).click();
  await page.getByRole("link", { name: "Go on with the last analysis" }).waitFor();
  await page.goBack();
  await moves.getByAltText("Tile U is drawn").waitFor();
  // Past the start page, which lies between them.
  await page.goBack();
  await page.getByRole("button", { name: "Begin" }).waitFor();
  await page.goBack();
  await moves.getByAltText("Tile V is drawn").waitFor();
  await page.getByText("Player 1 to move").waitFor();
  await page.goto("/analysis");
  await page.getByRole("link", { name: "Go on with the last analysis" }).click();
  await expect.poll(() => page.url()).toBe(first);
  await page.getByText("Player 1 to move").waitFor();
  await reader.close();
});

it("a laid position has no last tile until one is played", async () => {
  const reader = await visit(laid("players=2", "tile U 1,0 r0 0 road0 | scores 4 12 | player 1"));
  const { page } = reader;
  await page.getByText("A tile is drawn for Player 2").waitFor();
  await page.locator(".board .tile").nth(1).waitFor();
  expect(await page.locator(".last.halo").count()).toBe(0);
  await page.getByRole("button", { name: /^Tile V \d/ }).click();
  await page.locator("[data-cell]").first().click();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("radio", { name: /^No meeple/ }).click();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("A tile is drawn for Player 1").waitFor();
  expect(await page.locator(".last.halo").count()).toBe(1);
  await reader.close();
});

it.each([
  ["upright", PHONE],
  ["on its side", SIDEWAYS],
  ["small", SMALL_PHONE],
])("on a phone, %s, the tile is seen beside the choices of its meeple", async (_, options) => {
  const reader = await visit("/analysis", options);
  const { page } = reader;
  await begin(page, "V");
  // Tiles at each edge of the board: what is put down there lies elsewhere on the screen.
  for (const cell of ["1,0", "-1,0"]) {
    await page.locator(`[data-cell="${cell}"]`).tap();
    for (const step of ["place", "meeple"]) {
      if (step === "meeple") await page.getByRole("button", { name: "Confirm" }).tap();
      await expect.poll(() => hidden(page), { message: `${cell}, ${step}` }).toEqual([]);
    }
    // All of them can be chosen.
    await page.getByRole("radio", { name: /^No meeple/ }).tap();
    await page.getByRole("button", { name: "Cancel" }).tap();
    await page.getByRole("button", { name: "Cancel" }).tap();
  }
  await reader.close();
});

/** What of the tile and the buttons of the turn is not wholly on the screen, or lies under the other. */
const hidden = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const [tile, buttons] = [".ghost", ".pill"].map((what) => document.querySelector(what)?.getBoundingClientRect());
    if (!tile || !buttons) return ["nothing is put down"];
    const inside = ({ left, top, right, bottom }: DOMRect) =>
      left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const apart =
      tile.right <= buttons.left ||
      tile.left >= buttons.right ||
      tile.bottom <= buttons.top ||
      tile.top >= buttons.bottom;
    return [
      inside(tile) ? "" : "the tile is not on the screen",
      inside(buttons) ? "" : "the buttons are not on the screen",
      apart ? "" : "the buttons lie over the tile",
    ].filter((words) => words !== "");
  });
