// `make screenshots`: pictures of the pages, made like the tests in the browser.
import { defineConfig, mergeConfig } from "vitest/config";
import tests from "./vitest.config";

const config = mergeConfig(tests, defineConfig({ test: { testTimeout: 900_000 } }));
config.test!.include = ["**/*.shots.ts"];

export default config;
