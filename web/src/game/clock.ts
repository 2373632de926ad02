// Clocks between two messages: what the server said, less the time since.
import type { ClockRule } from "../wire/ClockRule";
import type { Clocks } from "../wire/Clocks";

/** A number of milliseconds that was true at a moment of `Date.now()`. */
export interface Stamped<T> {
  at: number;
  value: T;
}

/** What a seat has left now; nothing without clocks. */
export function timeLeft(clocks: Stamped<Clocks>, seat: number, now: number): number | null {
  const left = clocks.value.left_ms[seat];
  if (left === undefined) return null;
  const gone = clocks.value.running === seat ? Math.max(0, now - clocks.at) : 0;
  return Math.max(0, left - gone);
}

/** What is left of a countdown now, in whole seconds upwards. */
export function secondsLeft(ms: Stamped<number | null>, now: number): number | null {
  return ms.value === null ? null : Math.max(0, Math.ceil((ms.value - (now - ms.at)) / 1_000));
}

/** `4:12`, `1:02:03`; tenths below ten seconds. */
export function clockText(ms: number): string {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const all = Math.floor(ms / 1_000);
  const [hours, minutes, seconds] = [Math.floor(all / 3_600), Math.floor(all / 60) % 60, all % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** Whether a clock should alarm its player. */
export function isLow(ms: number, rule: ClockRule): boolean {
  if (rule.kind === "none") return false;
  const whole = rule.kind === "game" ? rule.initial_ms : rule.per_move_ms;
  return ms < Math.min(30_000, whole / 4);
}

/** How often a running clock must be redrawn. */
export function redrawEvery(ms: number): number {
  return ms < 11_000 ? 100 : 250;
}
