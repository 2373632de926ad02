// What puzzles are about, in words.
import { optional } from "../i18n/index.svelte";

/** The name of a theme; one that this page does not know is called as the server calls it. */
export const themeWords = (theme: string): string => optional("puzzles", `theme_${theme}`) ?? theme;
