// What points are for, in the reader's language.
import { t } from "../i18n/index.svelte";
import type { Scored } from "./events";
import type { Counted } from "./log";
import { terrainName } from "./words";

/** "4 tiles + 2 pennants, unfinished", "3 finished cities". */
export function countWords({ type, tiles_counted, pennants, cities, is_complete, owners, special }: Scored): string {
  const beside = special
    ? `, ${t(type === "field" ? "sets.countPig" : type === "road" ? "sets.countInn" : "sets.countCathedral")}`
    : "";
  const shared = beside + (owners.length > 1 ? t("panel.countShared") : "");
  if (type === "field") return `${t("panel.countCities", { n: cities })}${shared}`;
  const shields = pennants > 0 ? ` + ${t("panel.countPennants", { n: pennants })}` : "";
  return `${t("panel.fieldTiles", { n: tiles_counted })}${shields}${is_complete ? "" : t("panel.countOpen")}${shared}`;
}

/** A step of the final count: "City · 4 tiles, unfinished", "Goods · most wine: 5 tokens". */
export function stepWords(step: Counted): string {
  if (step.event !== "end_game_goods") return `${terrainName(step.type)} · ${countWords(step)}`;
  const { good, tokens } = step;
  return `${t("sets.goods")} · ${t("sets.countGoods", { good: t(`sets.${good}`).toLowerCase(), n: tokens })}`;
}
