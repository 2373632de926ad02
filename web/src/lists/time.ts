// How time is kept, in words: "10 + 5", "1 day a move".
import { t } from "../i18n/index.svelte";
import type { ClockRule } from "../wire/ClockRule";

export function clockWords(rule: ClockRule): string {
  switch (rule.kind) {
    case "none":
      return t("common.noClock");
    case "game":
      // Never broken between two lines.
      return `${short(rule.initial_ms / 60_000)}\u00a0+\u00a0${short(rule.increment_ms / 1000)}`;
    case "move":
      return t("common.perMove", { time: lengthWords(rule.per_move_ms) });
  }
}

export function lengthWords(ms: number): string {
  if (ms >= 86_400_000) return t("common.days", { n: Math.round(ms / 86_400_000) });
  if (ms >= 3_600_000) return t("common.hours", { n: Math.round(ms / 3_600_000) });
  if (ms >= 60_000) return t("common.minutes", { n: Math.round(ms / 60_000) });
  return t("common.seconds", { n: Math.round(ms / 1000) });
}

const short = (value: number): string => String(Math.round(value * 10) / 10);
