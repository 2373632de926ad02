// How the page is built and tested.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: "es2023",
    sourcemap: false,
    // Fonts and pictures stay files of their own, so that a strict content policy can name them.
    assetsInlineLimit: 0,
    rollupOptions: { input: { index: "index.html", gallery: "gallery.html" } },
  },
  server: { fs: { allow: [".."] } },
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 180_000, maxWorkers: 2 },
});
