// How a game ended, in words, where it was not by counting.
import { namesBySeat } from "../game/seats";
import { t } from "../i18n/index.svelte";
import type { GameInfo } from "../wire/GameInfo";

/** Who resigned or ran out of time, or what else ended the game early; empty if it was counted to its end. */
export function endWords(info: GameInfo): string {
  const reason = info.result?.reason ?? "normal";
  if (reason === "normal") return "";
  const names = namesBySeat(info)
    .filter((_, seat) => info.seats[seat]!.out === reason)
    .join(", ");
  return t(`lists.${reason}`, { names });
}
