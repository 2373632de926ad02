// Takes pictures of the gallery with headless Chromium: node scripts/gallery.mjs [part …]
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";
import { createServer } from "vite";

const SHOTS = {
  tiles: { query: "show=tiles", width: 1440, height: 900, scale: 1.5, full: true },
  close: { query: "show=tiles&size=300", width: 1400, height: 1400, scale: 1 },
  closeRest: {
    query: "show=tiles&size=300",
    width: 1400,
    height: 1400,
    scale: 1,
    act: (page) => page.evaluate(() => scrollTo(0, 1420)),
  },
  phone: { query: "show=board", width: 390, height: 844, scale: 2, touch: true },
  fieldsLight: { query: "show=board&game=late&fields", width: 1400, height: 880, scale: 1 },
  hover: {
    query: "show=board",
    width: 1400,
    height: 880,
    scale: 1,
    act: (page) => page.locator(".meeple").nth(3).hover(),
  },
  components: { query: "show=components", width: 1440, height: 900, scale: 1, full: true },
  componentsDark: { query: "show=components&theme=dark", width: 1440, height: 900, scale: 1, full: true },
  componentsPhone: { query: "show=components", width: 390, height: 844, scale: 1, full: true },
  board: { query: "show=board", width: 1400, height: 880, scale: 1 },
  fields: { query: "show=board&game=late&fields&theme=dark", width: 1400, height: 880, scale: 1 },
  review: { query: "show=board&review", width: 1400, height: 880, scale: 1 },
  ghost: {
    query: "show=board",
    width: 1400,
    height: 880,
    scale: 1,
    act: (page) => page.locator("[data-cell]").nth(4).click(),
  },
  meeple: {
    query: "show=board",
    width: 390,
    height: 844,
    scale: 2,
    touch: true,
    act: async (page) => {
      await page.locator("[data-cell]").nth(4).tap();
      await page.waitForTimeout(300);
      await page.locator(".pill .ok").tap();
      await page.waitForTimeout(400);
      await page.locator("[data-choice]").first().tap();
    },
  },
  events: {
    query: "show=board&game=early",
    width: 1400,
    height: 880,
    scale: 1,
    act: (page) => page.evaluate(() => window.gallery.events()),
  },
};
const folder = process.env.SHOTS ?? "dist/shots";
const wanted = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
const server = await createServer({ server: { port: 0, hmr: false }, logLevel: "error" });
await server.listen();
const address = server.resolvedUrls.local[0];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--headless"],
});
let failed = false;
for (const [name, shot] of Object.entries(SHOTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const page = await browser.newPage({
    viewport: { width: shot.width, height: shot.height },
    deviceScaleFactor: shot.scale,
    hasTouch: shot.touch ?? false,
  });
  page.on("console", (message) => {
    if (message.type() === "error") failed = true;
    if (message.type() !== "debug") console.log(`${name}: ${message.text()}`);
  });
  page.on("pageerror", (error) => {
    failed = true;
    console.error(`${name}: ${error.stack}`);
  });
  await page.goto(`${address}gallery.html?${shot.query}`, { waitUntil: "networkidle" });
  await page.evaluate(() => document.fonts.ready);
  if (shot.act) await shot.act(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: shot.full ?? false });
  await page.close();
}
await browser.close();
await server.close();
process.exit(failed ? 1 : 0);
