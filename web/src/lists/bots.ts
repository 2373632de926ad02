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

/** The share of games that one rating is expected to win against another: 400 points are ten to one. */
export const expectedShare = (one: number, other: number): number => 1 / (1 + 10 ** ((other - one) / 400));

/** The rated bots next above and next below one of them, the stronger first. */
export function neighbours(bots: readonly BotInfo[], name: string): { name: string; rating: number }[] {
  const ladder = bots
    .flatMap(({ name, rating }) => (rating === null ? [] : [{ name, rating }]))
    .sort((a, b) => b.rating - a.rating);
  const at = ladder.findIndex((bot) => bot.name === name);
  return at < 0 ? [] : [ladder[at - 1], ladder[at + 1]].flatMap((bot) => bot ?? []);
}
