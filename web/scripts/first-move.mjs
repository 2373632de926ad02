// Measures how long the page of a game takes until the first move can be made, in headless Chromium,
// with nothing kept from before:
//   node scripts/first-move.mjs http://127.0.0.1:8080 [TIMES, 5 unless told]
import { chromium } from "playwright-core";

const [baseURL = "http://127.0.0.1:8080", times = "5"] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});

/** A guest's cookie, and a game where they are to move. */
async function newGame(context) {
  const post = (path, data) => context.request.post(path, { data });
  await post("/api/guest", {});
  const seats = [{ kind: "me" }, { kind: "bot", bot: "shepherd" }];
  const answer = await post("/api/games", { game: "carcassonne", seats, shuffle_seats: false });
  return (await answer.json()).info.id;
}

const found = [];
for (let i = 0; i < Number(times); i++) {
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } });
  const id = await newGame(context);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector("[data-cell]")) return;
      window.firstMove = performance.now();
      seen.disconnect();
    });
    seen.observe(document, { subtree: true, childList: true });
  });
  await page.goto(`/g/${id}`);
  await page.locator("[data-cell]").first().waitFor();
  // An answer is counted once it is there.
  await page.waitForLoadState("networkidle");
  // What was asked for until then; what follows the first view does not hold the player up.
  found.push(
    await page.evaluate(() => {
      const scripts = performance
        .getEntriesByType("resource")
        .filter((entry) => new URL(entry.name).pathname.endsWith(".js") && entry.startTime <= window.firstMove);
      const bytes = scripts.reduce((sum, entry) => sum + entry.encodedBodySize, 0);
      return { ms: window.firstMove, kB: bytes / 1000, files: scripts.length };
    }),
  );
  await context.close();
}
found.sort((a, b) => a.ms - b.ms);
console.log(`from navigation to the first spot, ms: ${found.map(({ ms }) => ms.toFixed(0)).join(" ")}`);
const most = found.reduce((a, b) => (b.kB > a.kB ? b : a));
console.log(`script asked for by then, at most: ${most.kB.toFixed(1)} kB packed, in ${most.files} files`);
await browser.close();
