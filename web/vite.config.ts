// How the page is built and tested.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** Where `make dev` finds the server. */
const SERVER = process.env["BASTIDE_SERVER"] ?? "http://127.0.0.1:8080";

/** What pages have in common: the frame of every page, and the board with its art. */
const SHARED = [
  {
    name: "core",
    priority: 2,
    test: /node_modules|src\/(i18n\/[a-z.]+\.ts|api\/|session\/|router\/|design\/([Ii]con(s|\.)|[Tt]oasts|Logo|Banner|Button)|shell\/(Header|ConnectionBanner|Broken))/,
  },
  { name: "art", priority: 1, test: /src\/art\// },
  { name: "board", test: /src\/board\/(?!Field|Marks|Mini)|src\/design\/(Figure|Arms|blazon|Mark|Meeples)/ },
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
    // One style sheet, and no list of what to load ahead: less script for every page.
    cssCodeSplit: false,
    modulePreload: false,
    // Few large files pack better than many small ones (84 against 76 kB for the page of a game).
    rolldownOptions: { output: { codeSplitting: { groups: SHARED } } },
  },
  server: {
    fs: { allow: [".."] },
    // `make dev`: the page from here, everything else from the server.
    proxy: { "/api": { target: SERVER, ws: true }, "/healthz": SERVER },
  },
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 180_000, maxWorkers: 2 },
});
