// How the page is built and tested.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** Where `make dev` finds the server. */
const SERVER = process.env["BASTIDE_SERVER"] ?? "http://127.0.0.1:8080";

/** Few larger scripts pack better than many small ones: what every page needs, what draws land, and
 *  what plays on it. */
const GROUPS = [
  { name: "core", test: /node_modules|\/src\/(shell|router|api|session)\/|\/src\/(ui\/Button|design\/Icon|design\/icons|i18n\/[a-z.]+ts$)/, priority: 3 },
  { name: "land", test: /\/src\/art\/|\/src\/design\/Figure|\/src\/board\/(cells|features|MiniBoard)|\/src\/game\/(view|seats|events)\./, priority: 2 },
  { name: "board", test: /\/src\/board\//, priority: 1 },
];

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: "es2023",
    sourcemap: false,
    // `scripts/sizes.mjs` reads from it what each page loads.
    manifest: "manifest.json",
    // Fonts and pictures stay files of their own, so that a strict content policy can name them.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: "index.html", gallery: "gallery.html" },
      output: { codeSplitting: { groups: GROUPS, includeDependenciesRecursively: false } },
    },
  },
  server: {
    fs: { allow: [".."] },
    // `make dev`: the page from here, everything else from the server.
    proxy: { "/api": { target: SERVER, ws: true }, "/healthz": SERVER },
  },
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 180_000, maxWorkers: 2 },
});
