// Every text of the design can be read in both themes: at least 4.5 to 1 against what it lies on.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const CSS = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const THEMES = ["light", "dark"] as const;

/** The colour of a token in a theme, as three channels. */
function colour(token: string, theme: (typeof THEMES)[number]): number[] {
  const value = new RegExp(`${token}: ([^;]+);`).exec(CSS)?.[1];
  if (!value) throw new Error(`there is no token ${token}`);
  const found = value.match(/#[0-9a-f]{6}/gi) ?? [];
  const hex = found[theme === "dark" ? found.length - 1 : 0];
  if (!hex) throw new Error(`${token} is no plain colour: ${value}`);
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

function luminance(channels: number[]): number {
  const [r, g, b] = channels.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: number[], b: number[]): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

const players = [1, 2, 3, 4, 5, 6];
const PAIRS: [text: string, ground: string][] = [
  ...["--page", "--surface", "--surface-2", "--surface-3", "--table"].flatMap(
    (ground) =>
      [
        ["--ink", ground],
        ["--ink-2", ground],
      ] as [string, string][],
  ),
  ["--ink-3", "--surface"],
  ["--ink-3", "--page"],
  ["--ink-on", "--wine"],
  ["--ink-on", "--wine-hi"],
  ["--ink-on", "--wine-lo"],
  ["--wine-text", "--surface"],
  ["--wine-text", "--page"],
  ["--wine-text", "--wine-soft"],
  ["--gold", "--surface"],
  ["--gold", "--gold-soft"],
  ["--page", "--ink"],
  ...["best", "good", "inacc", "mistake", "blunder"].map((tone) => [`--${tone}`, "--surface"] as [string, string]),
  ...["best", "inacc", "mistake", "blunder"].map((tone) => [`--${tone}`, `--${tone}-soft`] as [string, string]),
  ...players.map((p) => [`--p${p}-text`, "--surface"] as [string, string]),
  ...players.map((p) => [`--p${p}-on`, `--p${p}-fill`] as [string, string]),
];

describe.each(THEMES)("in the %s theme", (theme) => {
  it.each(PAIRS)("%s is readable on %s", (text, ground) => {
    expect(contrast(colour(text, theme), colour(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });
});
