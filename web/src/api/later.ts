// Loading ahead what will be wanted, once the page has nothing more urgent to do.

/** Calls when the browser is idle, or soon after where it does not tell. */
export function later<T>(load: () => Promise<T>): Promise<T> {
  const idle = globalThis.requestIdleCallback ?? setTimeout;
  return new Promise((done, failed) => void idle(() => load().then(done, failed)));
}
