// The style of a component reaches that component alone: nothing is global but what is meant to be.
import { readFileSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const SRC = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(path, "utf8");
const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).map((name) => join(SRC, name));
const components = files.filter((name) => name.endsWith(".svelte"));

/** Every selector of a style sheet, without its comments. */
function selectors(css: string): string[] {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, "");
  return [...plain.matchAll(/([^{};]+)\{/g)]
    .flatMap(([, list]) => splitList(list!))
    .filter((s) => s !== "" && !s.startsWith("@"));
}

/** A list of selectors, cut at commas that lie in no brackets. */
function splitList(list: string): string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (const char of list) {
    depth += char === "(" ? 1 : char === ")" ? -1 : 0;
    if (char === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim());
}

const styleOf = (path: string) => /<style[^>]*>([\s\S]*?)<\/style>/.exec(read(path))?.[1] ?? "";
const classes = (selector: string) => [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map((match) => match[1]!);
const shared = new Set(
  ["design/base.css", "design/site.css"].flatMap((name) => selectors(read(join(SRC, name))).flatMap(classes)),
);
/** The players' colours: whoever says whose they are uses them, and may refine a stroke. */
for (let player = 1; player <= 6; player++) shared.delete(`p${player}`);

it("no component styles what lies outside of it", () => {
  const reaching = components.flatMap((path) =>
    selectors(styleOf(path))
      // `.own :global(svg)` stays within `.own`; `:global(body …)` and `:global(.name)` alone do not.
      .filter((selector) => /^:global/.test(selector))
      .map((selector) => `${relative(SRC, path)}: ${selector}`),
  );
  expect(reaching).toEqual(["App.svelte: :global(#app)"]);
});

it("no part of the game, the board or the design reaches for another one's classes", () => {
  const inside = components.filter((path) => !/^(pages|create)\//.test(relative(SRC, path)));
  const reaching = inside.flatMap((path) =>
    selectors(styleOf(path))
      .filter((selector) =>
        [...selector.matchAll(/:global\(([^)]*)\)/g)].some(([, inner]) => classes(inner!).length > 0),
      )
      .map((selector) => `${relative(SRC, path)}: ${selector}`),
  );
  expect(reaching).toEqual([]);
});

it("no part gives a shared class a meaning of its own", () => {
  // Pages lay out what they share, each in its way; parts that are used in many places must not.
  const parts = components.filter((path) => !relative(SRC, path).startsWith("pages/"));
  const doubled = parts.flatMap((path) =>
    selectors(styleOf(path))
      .map((selector) => selector.replace(/:global\([^)]*\)/g, ""))
      // A shared class may be refined together with an own one: `.card.game`.
      .filter((selector) =>
        selector
          .split(/[\s>+~]+/)
          .some((part) => classes(part).length > 0 && classes(part).every((name) => shared.has(name))),
      )
      .map((selector) => `${relative(SRC, path)}: ${selector}`),
  );
  expect(doubled).toEqual([]);
});

it("no style sheet but the shared ones is global", () => {
  const sheets = files
    .filter((name) => name.endsWith(".css"))
    .map((name) => relative(SRC, name))
    .sort();
  expect(sheets).toEqual([
    "design/base.css",
    "design/fonts.css",
    "design/settings.css",
    "design/site.css",
    "design/tokens.css",
  ]);
});
