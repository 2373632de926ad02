// Whether the server answers. When it does not, it is asked again and again, and pages that
// watch `recovered()` load what they missed.

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;
/** A request that takes so long makes the page say that the server is slow. */
export const SLOW_AFTER = 4000;

export type ConnectionState = "fine" | "slow" | "gone";

const state = $state({ gone: false, slow: 0, recoveries: 0 });
let wait = FIRST_WAIT;
let timer: ReturnType<typeof setTimeout> | undefined;

/** How things stand, for the banner. */
export function connection(): ConnectionState {
  if (state.gone) return "gone";
  return state.slow > 0 ? "slow" : "fine";
}

/** Grows each time the server comes back. */
export function recovered(): number {
  return state.recoveries;
}

/** Says that a request got no answer. */
export function lost(): void {
  if (state.gone) return;
  state.gone = true;
  wait = FIRST_WAIT;
  schedule();
  addEventListener("online", askNow);
  document.addEventListener("visibilitychange", askNow);
}

/** Says that a request was answered, whatever the answer. */
export function answered(): void {
  if (!state.gone) return;
  clearTimeout(timer);
  removeEventListener("online", askNow);
  document.removeEventListener("visibilitychange", askNow);
  state.gone = false;
  state.recoveries += 1;
}

/** Asks whether the server answers at all; the banner tells if it does not. */
export async function reaches(): Promise<boolean> {
  const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(5000) }).catch(() => null);
  if (!answer?.ok) lost();
  return answer?.ok ?? false;
}

/** Marks the time a request is slow. Returns what to call when it is over. */
export function watchSlowness(): () => void {
  let slow = false;
  const late = setTimeout(() => {
    slow = true;
    state.slow += 1;
  }, SLOW_AFTER);
  return () => {
    clearTimeout(late);
    if (slow) state.slow -= 1;
  };
}

function schedule(): void {
  clearTimeout(timer);
  timer = setTimeout(askNow, wait);
  wait = Math.min(wait * 2, LONGEST_WAIT);
}

async function askNow(): Promise<void> {
  if (document.visibilityState === "hidden") return schedule();
  if (await reaches()) return answered();
  if (state.gone) schedule();
}
