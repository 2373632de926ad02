// The tests in the browser: two files at a time, each test with as much time as a loaded machine needs.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    // `make screenshots` takes pictures with the same harness, `make walk` the long way through the site.
    include: [process.env["SHOTS"] ? "**/*.shots.ts" : process.env["WALK"] ? "**/*.long.ts" : "**/*.e2e.ts"],
    globalSetup: ["./setup.ts"],
    maxWorkers: 2,
    testTimeout: 420_000,
    hookTimeout: 120_000,
    // What a page shows soon may take long where much else runs; the default is one second.
    expect: { poll: { timeout: 60_000 } },
    // A real browser on a loaded machine loses a key or a frame now and then; a fault fails thrice.
    retry: 2,
  },
});
