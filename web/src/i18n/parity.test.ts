// Every language has every key, with the same gaps.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "./areas";

const files = import.meta.glob<{ default: Record<string, string> }>("./words/*/*.ts", { eager: true });

function words(language: string, area: string): Record<string, string> {
  return files[`./words/${language}/${area}.ts`]?.default ?? {};
}

const areas = Object.keys(files)
  .filter((path) => path.startsWith("./words/en/"))
  .map((path) => path.slice("./words/en/".length, -".ts".length));

const gaps = (message: string) => [...new Set(message.match(/\{\w+\}/g) ?? [])].sort();

describe("the dictionaries", () => {
  it("have areas", () => expect(areas).toContain("common"));

  it("have words for every code of a refusal", () => {
    const source = readFileSync(new URL("../../../crates/server/src/wire/socket.rs", import.meta.url), "utf8");
    const [, variants = ""] = /pub enum ProblemCode \{(.*?)\n\}/s.exec(source) ?? [];
    const codes = [...variants.matchAll(/^ {4}([A-Z]\w+),$/gm)].map(([, name]) =>
      name!.replace(/(?!^)[A-Z]/g, "_$&").toLowerCase(),
    );
    expect(codes).toContain("stale_version");
    expect(Object.keys(words("en", "refusal")).sort()).toEqual(codes.sort());
  });

  for (const language of LANGUAGES.filter((language) => language !== "en")) {
    it(`${language} has the files of English and no others`, () => {
      const own = Object.keys(files).filter((path) => path.startsWith(`./words/${language}/`));
      expect(own.map((path) => path.split("/").at(-1)).sort()).toEqual(areas.map((area) => `${area}.ts`).sort());
    });
    for (const area of areas) {
      it(`${language} says all of ${area}, with the same gaps and in its own words`, () => {
        const english = words("en", area);
        const other = words(language, area);
        expect(Object.keys(other).sort()).toEqual(Object.keys(english).sort());
        for (const [key, message] of Object.entries(english)) {
          expect(other[key], key).not.toBe("");
          expect(gaps(other[key]!), `${area}.${key}`).toEqual(gaps(message));
        }
        const same = Object.keys(english).filter(
          (key) => english[key]!.split(" ").length > 3 && english[key] === other[key] && !english[key]!.includes(" | "),
        );
        expect(same, "left in English").toEqual([]);
      });
    }
  }
});
