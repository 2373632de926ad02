// Loading what nobody waits for: once the page can be used, and the browser has nothing more urgent to do.

/** A page that has not said by then that it can be used keeps nothing back any longer. */
const PATIENCE = 4000;

let open: () => void;
const usable = new Promise<void>((done) => (open = done));
setTimeout(() => open(), PATIENCE);

/** Says that the page shown can be used: what was kept back loads now. */
export function usableNow(): void {
  open();
}

/** Calls as soon as the page can be used: what hands and keys reach for next. */
export const soon = <T>(load: () => Promise<T>): Promise<T> => usable.then(load);

/** Calls when the page can be used and the browser is idle, or soon after where it does not tell. */
export async function later<T>(load: () => Promise<T>): Promise<T> {
  await usable;
  await new Promise<void>((done) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => done(), { timeout: 1000 });
    else setTimeout(done, 1);
  });
  return load();
}
