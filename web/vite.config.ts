// How the page is built and tested.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** Where `make dev` finds the server. */
const SERVER = process.env["BASTIDE_SERVER"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: "es2023",
    sourcemap: false,
    // `scripts/sizes.mjs` reads from it what each page loads.
    manifest: "manifest.json",
    // Fonts and pictures stay files of their own, so that a strict content policy can name them.
    assetsInlineLimit: 0,
    rollupOptions: { input: { index: "index.html", gallery: "gallery.html" } },
  },
  server: {
    fs: { allow: [".."] },
    // `make dev`: the page from here, everything else from the server.
    proxy: { "/api": { target: SERVER, ws: true }, "/healthz": SERVER },
  },
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 180_000, maxWorkers: 2 },
});
