// How much script each page loads before it can be used, compressed as the server sends it to browsers on a
// secure line or on this machine (brotli; others get gzip, about a seventh more); fails beyond the budgets. For the page of a game that is whole moves, meeples among them.
// `npm run build` first.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const DIST = join(dirname(fileURLToPath(import.meta.url)), "../dist");
const manifest = JSON.parse(readFileSync(join(DIST, "manifest.json"), "utf8"));

/** In kB of a thousand bytes. */
const BUDGETS = {
  "/g/:id (play, desk)": 60,
  "/g/:id (play, phone)": 60,
  "tile generator and table": 25,
  "engine with its largest net": 500,
};

const PAGES = {
  "/ (landing)": ["src/pages/landing/Landing.svelte", words("landing"), words("lists"), "src/samples/showcase.json"],
  "/play (lobby)": ["src/pages/play/Play.svelte", words("create"), words("lists")],
  "/g/:id (play, desk)": ["src/game/GamePage.svelte", "src/game/Desk.svelte", words("game")],
  "/g/:id (play, phone)": ["src/game/GamePage.svelte", "src/game/Phone.svelte", words("game")],
  "/learn (rules)": ["src/pages/learn/Learn.svelte", words("learn")],
  "/tinytown": ["src/pages/tinytown/Tinytown.svelte", words("tinytown"), words("create")],
};

function words(area) {
  return `src/i18n/words/en/${area}.ts`;
}

/** Every script that a module needs before it runs. */
function closure(keys, found = new Set()) {
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`${key} is not in the build`);
    if (found.has(chunk.file)) continue;
    found.add(chunk.file);
    closure(chunk.imports ?? [], found);
  }
  return found;
}

/** The page's build packs its files (`FILE.br`); what comes from elsewhere the server packs itself. */
function packed(file) {
  const path = join(DIST, file);
  return existsSync(`${path}.br`) ? statSync(`${path}.br`).size : gzipSync(readFileSync(path), { level: 9 }).length;
}

const weight = (files) => [...files].reduce((sum, file) => sum + packed(file), 0) / 1000;

const art = Object.values(manifest).filter((chunk) => /assets\/art-/.test(chunk.file));
if (art.length === 0) throw new Error("the drawing of tiles is not in the build");
const sizes = Object.entries(PAGES).map(([page, keys]) => [
  page,
  weight(closure(["index.html", words("common"), ...keys])),
]);
sizes.push(["tile generator and table", weight(new Set(art.map((chunk) => chunk.file)))]);

// The engine is there where the compiler has WebAssembly; the server has the nets.
const NETS = join(DIST, "../../crates/bots/nets");
const module = readdirSync(join(DIST, "assets")).filter((file) => file.endsWith(".wasm"));
if (module.length > 0) {
  const nets = readdirSync(NETS).filter((file) => file.endsWith(".net"));
  const largest = Math.max(...nets.map((file) => weight([join("../../crates/bots/nets", file)])));
  sizes.push(["engine with its largest net", weight(module.map((file) => join("assets", file))) + largest]);
} else console.log("the page was built without the engine");

let over = false;
for (const [page, size] of sizes) {
  const budget = BUDGETS[page];
  const verdict = budget === undefined ? "" : size <= budget ? `of ${budget}` : `OVER ${budget}`;
  over ||= budget !== undefined && size > budget;
  console.log(`${page.padEnd(27)} ${size.toFixed(1).padStart(6)} kB  ${verdict}`);
}
process.exitCode = over ? 1 : 0;
