// The areas of the dictionary. Each is a file of its own per language, loaded with the pages that
// speak it; English is the one that says which keys there are.
import type account from "./words/en/account";
import type analysis from "./words/en/analysis";
import type common from "./words/en/common";
import type create from "./words/en/create";
import type editor from "./words/en/editor";
import type fair from "./words/en/fair";
import type foot from "./words/en/foot";
import type game from "./words/en/game";
import type landing from "./words/en/landing";
import type learn from "./words/en/learn";
import type lesson from "./words/en/lesson";
import type lists from "./words/en/lists";
import type moderation from "./words/en/moderation";
import type panel from "./words/en/panel";
import type profile from "./words/en/profile";
import type puzzles from "./words/en/puzzles";
import type refusal from "./words/en/refusal";
import type report from "./words/en/report";
import type review from "./words/en/review";
import type setlesson from "./words/en/setlesson";
import type sets from "./words/en/sets";
import type settings from "./words/en/settings";
import type tinytown from "./words/en/tinytown";

export interface Areas {
  account: typeof account;
  analysis: typeof analysis;
  common: typeof common;
  create: typeof create;
  editor: typeof editor;
  fair: typeof fair;
  foot: typeof foot;
  game: typeof game;
  landing: typeof landing;
  learn: typeof learn;
  lesson: typeof lesson;
  lists: typeof lists;
  moderation: typeof moderation;
  panel: typeof panel;
  profile: typeof profile;
  puzzles: typeof puzzles;
  refusal: typeof refusal;
  report: typeof report;
  review: typeof review;
  setlesson: typeof setlesson;
  sets: typeof sets;
  settings: typeof settings;
  tinytown: typeof tinytown;
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
