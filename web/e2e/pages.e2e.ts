// Every page: no serious violation, nothing wider than the window, no error in the console; in
// both themes, on a desk and on a phone, in each language.
import { readdirSync } from "node:fs";
import { describe, expect, inject, it } from "vitest";
import { DESKTOP, PHONE, expectAccessible, useBrowser, violations, visit } from "./browser";
import { register } from "./people";

useBrowser();

const PAGES = [
  "/",
  "/play",
  "/local",
  "/watch",
  "/games",
  "/ranking",
  "/bots/mason",
  "/learn",
  "/learn/lesson",
  "/learn/lesson/traders",
  "/tinytown",
  "/analysis",
  "/studies",
  "/puzzles",
  "/account",
  "/settings",
  "/nowhere",
];

/** With those that need a game: a review that nobody asked for yet, and the analysis board. */
const allPages = () => {
  const [game] = inject("games").finished;
  return [...PAGES, `/g/${game}/review`, `/analysis?game=${game}`];
};

/** A key without words, which would be seen as `area.key`. */
const AREAS = readdirSync(new URL("../src/i18n/words/en", import.meta.url)).map((file) => file.replace(".ts", ""));
const UNTRANSLATED = new RegExp(`\\b(${AREAS.join("|")})\\.[a-z]\\w+`, "g");

describe("every page", () => {
  it("is accessible in both themes, in English", async () => {
    const reader = await visit("/", { ...DESKTOP, colorScheme: "light" });
    const { page } = reader;
    const found: string[] = [];
    for (const path of allPages()) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      found.push(...(await violations(page)).map((violation) => `${path}: ${violation}`));
      expect((await page.locator("body").innerText()).match(UNTRANSLATED), path).toBeNull();
      // The themes differ in nothing but colours.
      await page.emulateMedia({ colorScheme: "dark" });
      found.push(...(await violations(page, ["color-contrast"])).map((violation) => `${path}, dark: ${violation}`));
    }
    expect(found).toEqual([]);
    await reader.close();
  });

  it("is accessible for who has an account: profile and account pages", async () => {
    const reader = await visit("/account");
    const name = await register(reader.page);
    await reader.page.getByRole("button", { name: "I have kept them" }).click();
    await expectAccessible(reader.page, "/account of a user");
    await reader.page.goto(`/u/${name}`);
    await reader.page.getByRole("heading", { level: 1, name }).waitFor();
    await expectAccessible(reader.page, "/u/name");
    await reader.close();
  });

  // French has the longest words, and Japanese lines break anywhere.
  for (const [locale, title, options] of [
    ["fr-FR", "Les règles", PHONE],
    ["ja-JP", "ルール", DESKTOP],
  ] as const) {
    it(`speaks ${locale}, and nothing sticks out to the side`, async () => {
      const reader = await visit("/learn", { ...options, locale });
      await reader.page.getByRole("heading", { level: 1, name: title }).waitFor();
      for (const path of allPages()) {
        await reader.page.goto(path);
        await reader.page.getByRole("heading", { level: 1 }).waitFor();
        const text = await reader.page.locator("body").innerText();
        expect(text.match(UNTRANSLATED), path).toBeNull();
        const over = await reader.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(over, path).toBeLessThanOrEqual(0);
      }
      await reader.close();
    });
  }

  it("changes language and theme at once, and remembers both", async () => {
    const reader = await visit("/learn");
    await reader.page.getByRole("button", { name: /Language/ }).click();
    await reader.page.getByRole("button", { name: "Français" }).click();
    await reader.page.getByRole("heading", { level: 1, name: "Les règles" }).waitFor();
    await reader.page.getByRole("button", { name: "Passer au thème sombre" }).click();
    await reader.page.reload();
    await reader.page.getByRole("heading", { level: 1, name: "Les règles" }).waitFor();
    expect(await reader.page.locator("html").getAttribute("data-theme")).toBe("dark");
    expect(await reader.page.locator("html").getAttribute("lang")).toBe("fr");
    await reader.close();
  });

  it("leads on without a reload, back with the browser's button, and by keyboard", async () => {
    const reader = await visit("/");
    await reader.page.evaluate(() => ((globalThis as { mark?: boolean }).mark = true));
    await reader.page.getByRole("link", { name: "Ranking" }).first().click();
    await reader.page.getByRole("heading", { level: 1, name: "Ranking" }).waitFor();
    await reader.page.goBack();
    await reader.page.getByRole("heading", { level: 1, name: /One tile/ }).waitFor();
    expect(await reader.page.evaluate(() => (globalThis as { mark?: boolean }).mark)).toBe(true);
    await reader.page.goto("/learn");
    await reader.page.getByRole("heading", { level: 1, name: "The rules" }).waitFor();
    await reader.page.keyboard.press("Tab");
    await reader.page.keyboard.press("Enter");
    expect(await reader.page.evaluate(() => document.activeElement?.id)).toBe("content");
    await reader.close();
  });
});
