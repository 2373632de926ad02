// Loading ahead what will be wanted, once the page has nothing more urgent to do.

/** Calls when the browser is idle, or soon after where it does not tell. */
export function later<T>(load: () => Promise<T>): Promise<T> {
  return new Promise((done, failed) => {
    const run = () => void load().then(done, failed);
    if ("requestIdleCallback" in globalThis) requestIdleCallback(run, { timeout: 1000 });
    else setTimeout(run, 1);
  });
}
