import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { createServer } from "vite";
const server = await createServer({ server: { port: 0, hmr: false }, logLevel: "error" });
await server.listen();
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--headless"] });
const page = await browser.newPage({ viewport: { width: 1400, height: 880 } });
await page.goto(`${server.resolvedUrls.local[0]}gallery.html?show=board&game=late`, { waitUntil: "networkidle" });
const pictures = () => page.locator(".tile img").evaluateAll((all) => all.map((p) => p.src).join());
for (let before = "", now = await pictures(); now !== before; ) { await page.waitForTimeout(3000); [before, now] = [now, await pictures()]; }
const session = await page.context().newCDPSession(page);
await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
async function traced(name, act) {
  await browser.startTracing(page, { categories: ["devtools.timeline", "cc", "viz", "disabled-by-default-devtools.timeline", "blink"] });
  const t0=Date.now(); await act(); const wall=Date.now()-t0;
  const ev = JSON.parse((await browser.stopTracing()).toString()).traceEvents;
  const threads = {}; for (const e of ev) if (e.name === "thread_name") threads[e.pid + ":" + e.tid] = e.args.name;
  const sum = {};
  for (const e of ev) if (e.ph === "X" && e.dur) { const k = `${threads[e.pid + ":" + e.tid] ?? "?"} ${e.name}`; const s = (sum[k] ??= [0, 0]); s[0] += e.dur; s[1]++; }
  const t1=Math.min(...ev.filter(e=>e.ts).map(e=>e.ts)); console.log(ev.filter(e=>e.name==="UpdateLayoutTree"&&e.ph==="X").map(e=>`${Math.round((e.ts-t1)/1000)}:${Math.round(e.dur/1000)}/${e.args?.elementCount}`).join(" ")); console.log("==", name, wall, "ms");
  for (const [k, [d, n]] of Object.entries(sum).sort((a, b) => b[1][0] - a[1][0]).slice(0, 3)) console.log((d / 1000).toFixed(0).padStart(7), String(n).padStart(6), k);
}
await traced("zoom", async () => { for (let i = 0; i < 60; i++) await page.mouse.wheel(0, i < 30 ? -60 : 60); });
await page.waitForTimeout(1000);
await traced("pan", async () => { await page.mouse.move(700, 440); await page.mouse.down(); for (let i = 0; i < 120; i++) await page.mouse.move(700 + 260 * Math.sin(i / 12), 440 + 160 * Math.sin(i / 9)); await page.mouse.up(); });
await browser.close(); await server.close();
