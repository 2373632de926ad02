// Numbers, dates and spans of time as the reader's language writes them; no move waits for them.
import { language } from "./index.svelte";

/** A whole or short number as it is written in the language; four digits, such as a rating's, are not parted. */
export function number(value: number, digits = 0): string {
  const text = new Intl.NumberFormat(language(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: "min2",
  }).format(value);
  // A minus as wide as a figure, so that columns stay straight.
  return text.replace("-", "−");
}

export function percent(share: number): string {
  return new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 0 }).format(share);
}

/** A number that says whether it is more or less: "+4.1", "−2.0"; what rounds to nothing has no sign. */
export function signed(value: number, digits = 0): string {
  const text = number(value, digits);
  if (Number(value.toFixed(digits)) === 0) return text.replace("−", "");
  return value > 0 ? `+${text}` : text;
}

/** The same for a share: "−13 %". */
export function signedPercent(share: number): string {
  const text = percent(Math.abs(share));
  if (Math.round(share * 100) === 0) return text;
  return `${share > 0 ? "+" : "−"}${text}`;
}

export function date(at: number, style: "day" | "month" | "minute" | "second" = "day"): string {
  const styles: Record<typeof style, Intl.DateTimeFormatOptions> = {
    day: { dateStyle: "medium" },
    month: { year: "numeric", month: "long" },
    minute: { dateStyle: "medium", timeStyle: "short" },
    second: { dateStyle: "medium", timeStyle: "medium" },
  };
  return new Intl.DateTimeFormat(language(), styles[style]).format(at);
}

/** "3 minutes ago", in the language's own words. */
export function ago(at: number, now = Date.now()): string {
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ["year", 31_557_600_000],
    ["month", 2_629_800_000],
    ["day", 86_400_000],
    ["hour", 3_600_000],
    ["minute", 60_000],
  ];
  const words = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  const [unit, length] = units.find(([, length]) => now - at >= length) ?? ["second", 1000];
  return words.format(-Math.floor(Math.max(0, now - at) / length), unit);
}
