// Our bots: their names, portraits and strength, as lists and pages show them.
import { get } from "../api/request";
import type { BotInfo } from "../wire/BotInfo";
import type { BotProfile } from "../wire/BotProfile";

/** The server calls them in small letters. */
export const botName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export const botProfile = (name: string, signal?: AbortSignal): Promise<BotProfile> =>
  get<BotProfile>(`/api/bots/${encodeURIComponent(name)}`, signal);

/** The rating in games of two, where the bot has one. */
export const ratingOf = (bots: readonly BotInfo[], name: string): number | null =>
  bots.find((bot) => bot.name === name)?.rating ?? null;
