// What a turn did, in the reader's language.
import { optional, t } from "../i18n/index.svelte";
import type { Further, LogLine } from "./log";

/** "closes a city", "claims a road", "no meeple"; with sets also "takes the abbot back", "places the builder". */
export function deedWords({ scores, claimed, figure, more = [] }: LogLine): string {
  const closed = scores.find((score) => score.finished);
  const terrain = (closed?.terrain ?? claimed) as "city";
  // Only an abbot that is taken back scores in a turn what is not finished.
  const recalled = scores.some((score) => !score.finished);
  const deed = closed
    ? (optional("sets", `closes_${terrain}`) ?? t(`panel.closes_${terrain}`))
    : recalled
      ? t("sets.recalls")
      : figure
        ? t(`sets.places_${figure}`)
        : claimed
          ? (optional("sets", `claims_${terrain}`) ?? t(`panel.claims_${terrain}`))
          : t("panel.noMeepleLine");
  return [deed, ...more.map(furtherWords)].join(", ");
}

function furtherWords(event: Further): string {
  if (event.event === "turn_doubled") return t("sets.doubled");
  const { wine, grain, cloth } = event.goods;
  return t("sets.takesGoods", { n: wine + grain + cloth });
}
