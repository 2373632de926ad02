// What `make lint` finds fault with in the page, beyond types and format.
import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["dist", "dist-shots", "src/wire"] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node, ...globals.serviceworker } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"] } },
  },
  {
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // State is replaced, never changed in place (`$state.raw`): plain maps, sets and addresses do.
      "svelte/prefer-svelte-reactivity": "off",
      // `{" "}` keeps a space, a string with `\n` keeps a line break.
      "svelte/no-useless-mustaches": "off",
    },
  },
);
