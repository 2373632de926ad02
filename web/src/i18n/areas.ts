// The areas of the dictionary. Each is a file of its own per language, loaded with the pages that
// speak it; English is the one that says which keys there are.
import type common from "./words/en/common";
import type game from "./words/en/game";

export interface Areas {
  common: typeof common;
  game: typeof game;
}

export type Area = keyof Areas;

/** `area.key` for every key there is. */
export type Key = { [A in Area]: `${A}.${keyof Areas[A] & string}` }[Area];

/** What a translation of an area looks like: the keys of the English one, no more, no fewer. */
export type Translation<English> = Record<keyof English, string>;

export const LANGUAGES = ["en", "ja", "fr"] as const;

export type Language = (typeof LANGUAGES)[number];

/** How each language calls itself. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", ja: "日本語", fr: "Français" };
