// What a game counts for, in a word or two.
import { t } from "../i18n/index.svelte";
import type { GameInfo } from "../wire/GameInfo";

type Counted = Pick<GameInfo, "rated" | "offline" | "from_ply" | "laid">;

export const countWords = ({ rated, offline, from_ply, laid }: Counted): string => {
  if (rated) return t("common.rated");
  if (offline) return t("lists.playedOffline");
  return from_ply > 0 || laid ? t("lists.fromPosition") : t("common.casual");
};
