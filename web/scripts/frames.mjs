// Measures how smoothly a full board pans and zooms in headless Chromium, with the CPU slowed down:
//   node scripts/frames.mjs [SLOWDOWN, 4 unless told]
import { chromium } from "playwright-core";
import { createServer } from "vite";

const slowdown = Number(process.argv[2] ?? 4);
const server = await createServer({ server: { port: 0, hmr: false }, logLevel: "error" });
await server.listen();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--headless"],
});
const page = await browser.newPage({ viewport: { width: 1400, height: 880 } });
await page.goto(`${server.resolvedUrls.local[0]}gallery.html?show=board&game=late`, { waitUntil: "networkidle" });
// Measured once all bitmaps are made, as a player has it after the first seconds.
const pictures = () => page.locator(".tile img").evaluateAll((all) => all.map((picture) => picture.src).join());
for (let before = "", now = await pictures(); now !== before;) {
  await page.waitForTimeout(4000);
  [before, now] = [now, await pictures()];
}
const session = await page.context().newCDPSession(page);
await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });

const system = await browser.newBrowserCDPSession();
/** Processor seconds that the browser has spent so far, all its processes together. */
async function spent() {
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

await session.send("Performance.enable");
/** Seconds that the page's own thread has worked so far. */
async function busy() {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value;
}

/** Milliseconds between frames while something is done. */
async function framesDuring(act) {
  await page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const tick = (now) => {
      window.frames_.push(now - last);
      last = now;
      window.ticking = requestAnimationFrame(tick);
    };
    window.ticking = requestAnimationFrame(tick);
  });
  const [before, busyBefore] = [await spent(), await busy()];
  await act();
  const [work, task] = [(await spent()) - before, (await busy()) - busyBefore];
  const frames = await page.evaluate(() => (cancelAnimationFrame(window.ticking), window.frames_.slice(1)));
  const longest = frames.indexOf(Math.max(...frames)) + 1;
  frames.sort((a, b) => a - b);
  const at = (part) => frames[Math.min(frames.length - 1, Math.floor(part * frames.length))].toFixed(1);
  const each = (seconds) => `${((1000 * seconds) / frames.length).toFixed(1)} ms`;
  const cost = `each ${each(task)} of the page's thread, ${each(work)} of processor in all`;
  return `${frames.length} frames, ${cost}; ms between: median ${at(0.5)}, 95 % ${at(0.95)}, longest ${at(1)} (the ${longest}.)`;
}

const pan = await framesDuring(async () => {
  await page.mouse.move(700, 440);
  await page.mouse.down();
  for (let i = 0; i < 120; i++) await page.mouse.move(700 + 260 * Math.sin(i / 12), 440 + 160 * Math.sin(i / 9));
  await page.mouse.up();
});
const zoom = await framesDuring(async () => {
  for (let i = 0; i < 60; i++) await page.mouse.wheel(0, i < 30 ? -60 : 60);
});
console.log(`slowed down ${slowdown} times\n  pan:  ${pan}\n  zoom: ${zoom}`);
await browser.close();
await server.close();
