// Headless Chromium for the tests: Debian's, driven by playwright-core. A page that writes an error
// to the console fails its test.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";

/** Where the server answers without a page: for those who go on to a game of their own. */
export const NO_PAGE = "/healthz";

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
/** With all that moves, as most readers have it. */
export const MOVING: BrowserContextOptions = { ...DESKTOP, reducedMotion: "no-preference" };
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

/** Chromium's own words for an answer with an error status; tests of refusals allow them. */
const REFUSED = /Failed to load resource/;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function launch(): Promise<Browser> {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) throw new Error("chromium is missing; run: scripts/need chromium");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

let browser: Browser | undefined;

/** Call it in a file of tests: one browser for all of them. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    browser = undefined;
  });
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** The errors that the page wrote to its console so far. */
  errors: string[];
  /** Closes the page; fails if there was an error that is not allowed. */
  close(allowed?: RegExp): Promise<void>;
}

/** A new reader: own cookies, own storage. English and without motion, unless told otherwise. */
export async function visit(path: string, options: BrowserContextOptions = DESKTOP): Promise<Visit> {
  const context = await browser!.newContext({
    locale: "en-GB",
    // What moves costs half of a test's time, and is seen by the tests that ask for it.
    reducedMotion: "reduce",
    baseURL: inject("url"),
    serviceWorkers: "block",
    ...options,
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    const { url } = message.location();
    // Chromium looks for it beside what is no page.
    if (message.type() === "error" && !url.endsWith("/favicon.ico")) errors.push(`${message.text()} ${url}`);
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(path);
  return {
    page,
    context,
    errors,
    async close(allowed?: RegExp) {
      await context.close();
      expect(
        errors.filter((error) => !allowed?.test(error)),
        "errors in the console",
      ).toEqual([]);
    },
  };
}

export { REFUSED };

/** Fails if the page has a serious violation of the rules for accessible pages. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  expect(await violations(page), `axe on ${what}`).toEqual([]);
}

/** The serious violations of the rules for accessible pages, or of these of them. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  // By the debugger's door: the page's own policy does not let a script in.
  await page.evaluate(axe);
  return page.evaluate(async (rules) => {
    const run = (
      globalThis as unknown as {
        axe: {
          run(options: object): Promise<{
            violations: { id: string; impact: string; nodes: { target: unknown[]; failureSummary: string }[] }[];
          }>;
        };
      }
    ).axe;
    const { violations } = await run.run(rules ? { runOnly: { type: "rule", values: rules } } : {});
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) =>
            `${id}: ${target.join(" ")} — ${failureSummary.split("\n").slice(1).join(" ").trim()}`,
        ),
      );
  }, rules);
}
