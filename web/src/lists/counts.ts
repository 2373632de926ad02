// What a game counts for, in a word or two.
import { t } from "../i18n/index.svelte";
import type { GameInfo } from "../wire/GameInfo";

export const countWords = ({ rated, offline, from_ply }: Pick<GameInfo, "rated" | "offline" | "from_ply">): string => {
  if (rated) return t("common.rated");
  if (offline) return t("lists.playedOffline");
  return from_ply > 0 ? t("lists.fromPosition") : t("common.casual");
};
