// The page's words: `t("play.start")` in the language chosen, from dictionaries loaded on need.
import { type Area, type Key, LANGUAGES, type Language } from "./areas";
import { type Values, format } from "./format";

export { type Area, type Key, LANGUAGES, LANGUAGE_NAMES, type Language } from "./areas";

type Dictionary = Record<string, string>;

const files = import.meta.glob<{ default: Dictionary }>("./*/*.ts", { base: "./words" });
const kept = "language";
const asked = new Set<Area>();

const state = $state<{ language: Language; words: Partial<Record<Area, Dictionary>> }>({
  language: preferred(),
  words: {},
});

/** The language the page speaks now. */
export function language(): Language {
  return state.language;
}

/** The message of a key with its gaps filled. */
export function t(key: Key, values?: Values): string {
  const [area, name] = key.split(".") as [Area, string];
  const message = state.words[area]?.[name];
  return message === undefined ? key : format(message, values, state.language);
}

/** The message of a key that may not be there, such as the words for a game's own option. */
export function optional(area: Area, name: string): string | undefined {
  return state.words[area]?.[name];
}

/** Loads areas in the present language; pages are shown when theirs are there. */
export async function need(...areas: Area[]): Promise<void> {
  for (const area of areas) asked.add(area);
  const { language } = state;
  const missing = areas.filter((area) => !state.words[area]);
  const loaded = await Promise.all(missing.map((area) => dictionary(language, area)));
  if (language !== state.language) return need(...areas);
  for (const [index, area] of missing.entries()) state.words[area] = loaded[index]!;
}

/** Changes the language: everything on the screen at once, once the words are there. */
export async function speak(language: Language): Promise<void> {
  const areas = [...asked];
  const loaded = await Promise.all(areas.map((area) => dictionary(language, area)));
  state.words = Object.fromEntries(areas.map((area, index) => [area, loaded[index]!]));
  state.language = language;
  document.documentElement.lang = language;
  localStorage.setItem(kept, language);
}

async function dictionary(language: Language, area: Area): Promise<Dictionary> {
  const load = files[`./${language}/${area}.ts`];
  if (!load) throw new Error(`no words for ${area} in ${language}`);
  return (await load()).default;
}

function preferred(): Language {
  const known = (wanted: string | null) => LANGUAGES.find((language) => wanted?.toLowerCase().startsWith(language));
  const stored = typeof localStorage === "undefined" ? null : localStorage.getItem(kept);
  const wanted = [stored, ...(typeof navigator === "undefined" ? [] : navigator.languages)];
  return wanted.map(known).find((language) => language !== undefined) ?? "en";
}
