// A real browser for tests: Chromium without a window, and the gallery to look at.
import { type Browser, type Page, chromium } from "playwright-core";
import { type ViteDevServer, createServer } from "vite";

export interface Stage {
  /** Opens the gallery; errors of the page fail the test that asks for them. */
  open(
    query: string,
    options?: { width?: number; height?: number; touch?: boolean; stillness?: boolean },
  ): Promise<Page>;
  /** What pages have complained about so far. */
  complaints: string[];
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const server: ViteDevServer = await createServer({ server: { port: 0, hmr: false }, logLevel: "error" });
  await server.listen();
  const browser: Browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--headless"],
  });
  const complaints: string[] = [];
  return {
    complaints,
    async open(query, { width = 1400, height = 880, touch = false, stillness = false } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        hasTouch: touch,
        reducedMotion: stillness ? "reduce" : "no-preference",
      });
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      await page.goto(`${server.resolvedUrls!.local[0]}gallery.html?${query}`, { waitUntil: "networkidle" });
      return page;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
