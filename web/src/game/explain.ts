// What points are for, in the reader's language.
import { t } from "../i18n/index.svelte";
import type { Scored } from "./events";

/** "4 tiles + 2 pennants, unfinished", "3 finished cities". */
export function countWords({ type, tiles_counted, pennants, cities, is_complete, owners }: Scored): string {
  const shared = owners.length > 1 ? t("panel.countShared") : "";
  if (type === "field") return `${t("panel.countCities", { n: cities })}${shared}`;
  const shields = pennants > 0 ? ` + ${t("panel.countPennants", { n: pennants })}` : "";
  return `${t("panel.fieldTiles", { n: tiles_counted })}${shields}${is_complete ? "" : t("panel.countOpen")}${shared}`;
}
