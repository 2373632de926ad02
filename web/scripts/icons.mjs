// Draws the icons of the installed page from public/mark.svg: `node scripts/icons.mjs`.
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";

const mark = readFileSync("public/mark.svg", "utf8");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});

/** A square picture with the mark on paper; `part` is how much of the side the mark takes. */
async function draw(file, side, part) {
  const page = await browser.newPage({ viewport: { width: side, height: side } });
  const size = Math.round(side * part);
  await page.setContent(
    `<body style="margin:0;height:100vh;display:grid;place-items:center;background:#fffdf8"><div style="width:${size}px;height:${size}px">${mark}</div>`,
  );
  writeFileSync(`public/icons/${file}`, await page.screenshot());
  await page.close();
}

await draw("192.png", 192, 0.78);
await draw("512.png", 512, 0.78);
// Systems cut a circle or another shape out of it: the mark stays within the safe inner part.
await draw("512-maskable.png", 512, 0.54);
await draw("apple-touch.png", 180, 0.7);
await browser.close();
