// What a game without a network needs, fetched so that the service worker keeps it: the engine and the net of the base
// game. Only who opened such a game, or installed the page, pays for it.
import { MODULE, hasEngine, netFile } from "../engine/files";

/** Resolves when both are kept; nothing happens where there is no service worker. */
export async function keepEngine(): Promise<boolean> {
  if (!hasEngine() || !("serviceWorker" in navigator)) return false;
  // A worker that does not rule this page yet would not see the requests.
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller)
    await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
  const files = [MODULE ?? "", netFile("two")];
  const missing = await Promise.all(files.map(async (file) => ((await caches.match(file)) ? null : file)));
  await Promise.all(missing.flatMap((file) => (file === null ? [] : fetch(file))));
  return true;
}
