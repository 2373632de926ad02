// How the page is built and tested.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Where `make dev` finds the server. */
const SERVER = process.env["BASTIDE_SERVER"] ?? "http://127.0.0.1:8080";

/** What pages share: the frame of every page, the art, what still boards need, and what a move needs. */
const SHARED = [
  {
    name: "core",
    priority: 2,
    test: /preload-helper|node_modules(?!.*(bindings\/(select|input|size)|clone|svelte-element))|src\/(i18n\/(?!amounts)[a-z.]+\.ts|api\/(?!load)|session\/(?!kept)|router\/|design\/(Icon\.|icons|toasts|Logo)|shell\/(Header|ErrorPage|frame))/,
  },
  { name: "art", test: /src\/art\/(?!grain|grid|outline|sets)/ },
  {
    name: "scene",
    priority: 1,
    test: /src\/(design\/(Figure|Mark|Meeple|Meeples)\.|board\/(cells|features)\.|game\/(events|seats|view)\.)/,
  },
  {
    name: "game",
    test: /src\/(board\/(?!Coordinates|EdgeMarks|Effects|Field|Highlight|Marks|Mini|extras|gestures|hands|joined|shapes|steering)|game\/(GamePage|api|controls|log|model|part|player_actions|table|table_socket|words)\.|design\/LateAvatar\.)/,
  },
];

/** Ways of Svelte that this page never goes: it mounts, it does not take over a page drawn by a server. */
const NEVER = /^export let (hydrating|async_mode_flag|legacy_mode_flag|tracing_mode_flag) = false;$/gm;

/** An import as Vite wraps it: plainly, or to name what is taken from it. */
const WRAPPED =
  /__vitePreload\((?:async )?\(\) => (?:\{\s*const \{[^}]*\} = await )?(import\("[^"]+"\))(?:;\s*return \{[^}]*\};\s*\})?, __VITE_PRELOAD__\)/g;

/** Chunks are imported as they are: one style sheet holds everything, so nothing is to be fetched before them. */
const plainImports: Plugin = {
  name: "plain-imports",
  apply: "build",
  enforce: "pre",
  load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null),
  // Without the call around each of them: a hundred calls are some 0.3 kB, packed.
  renderChunk: (code) => code.replace(WRAPPED, "$1"),
};

/** Says so to the bundler, which then leaves out what would follow (about 2 kB packed). */
const withoutHydration: Plugin = {
  name: "without-hydration",
  apply: "build",
  transform(code, id) {
    if (!/svelte\/src\/internal\/(client\/dom\/hydration|flags\/index)\.js/.test(id)) return null;
    if (code.search(NEVER) < 0)
      this.error(`${id} is no longer written as this plugin expects: look again, or leave the plugin out`);
    return code.replace(NEVER, "export const $1 = false;").replace(/^\t(\w+) = (value|true|false);$/gm, "");
  },
};

/** Writes the service worker with the names of the files that it keeps. */
const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  generateBundle(_, bundle) {
    const built = Object.keys(bundle).filter((file) => /\.(js|css|woff2)$/.test(file));
    const files = [...built, "mark.svg", "manifest.webmanifest"].map((file) => `/${file}`).sort();
    const engine = Object.keys(bundle).find((file) => file.endsWith(".wasm"));
    const build = createHash("sha256")
      .update([...files, engine].join())
      .digest("hex")
      .slice(0, 12);
    const source = readFileSync(new URL("src/service-worker.js", import.meta.url), "utf8")
      .replace("__FILES__;", `${JSON.stringify(files)};`)
      .replace("__ENGINE__;", `${JSON.stringify(engine ? `/${engine}` : null)};`)
      .replace('"page-__BUILD__"', `"page-${build}"`);
    this.emitFile({ type: "asset", fileName: "worker.js", source });
  },
};

/** Packs what packs well, as the server sends it: `FILE.br` beside each file. */
const packed: Plugin = {
  name: "packed",
  apply: "build",
  writeBundle({ dir = "dist" }) {
    for (const file of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
      if (!/\.(js|css|html|svg|wasm|webmanifest|json)$/.test(file)) continue;
      writeFileSync(join(dir, `${file}.br`), brotliCompressSync(readFileSync(join(dir, file))));
    }
  },
};

export default defineConfig({
  plugins: [svelte(), plainImports, withoutHydration, serviceWorker, packed],
  build: {
    target: "es2023",
    sourcemap: false,
    // `scripts/sizes.mjs` reads from it what each page loads.
    manifest: "manifest.json",
    // Fonts and pictures stay files of their own, so that a strict content policy can name them.
    assetsInlineLimit: 0,
    // One style sheet, and no list of what to load ahead but in the HTML: less script for every page.
    cssCodeSplit: false,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === "html" ? files : []),
    },
    // Few large files pack better than many small ones (84 against 76 kB for the page of a game).
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /node_modules\/svelte/, sideEffects: false }] },
      // Short hashes: every chunk names others, and hashes do not pack.
      output: {
        chunkFileNames: "assets/[name]-[hash:7].js",
        codeSplitting: { groups: SHARED, includeDependenciesRecursively: false },
      },
    },
  },
  server: {
    fs: { allow: [".."] },
    // `make dev`: the page from here, everything else from the server.
    proxy: { "/api": { target: SERVER, ws: true }, "/healthz": SERVER, "/engine": SERVER },
  },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
  },
});
