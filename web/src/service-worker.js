// The service worker: the page opens without a network. It keeps the files of the page, and what
// was looked at of games; everything else is asked of the server, as without it.
//
// The build (`vite.config.ts`) writes it to `/worker.js` with the names of its files in place of
// `__FILES__`, that of the engine in place of `__ENGINE__`, and a word that changes with them in place of `__BUILD__`.

/* global __FILES__, __ENGINE__ */
const FILES = __FILES__;
/** The engine of this build; null in a page without it. */
const ENGINE = __ENGINE__;
/** The files of this build. An older build's go when this one takes over. */
const PAGE = "page-__BUILD__";
/** What was looked at: games, replays, records and the list of game types. It goes with the session. */
const LOOKED_AT = "looked-at";
const MOST_LOOKED_AT = 200;
/** How long the server may take to send the page before the kept one is shown. */
const PATIENCE = 4000;

/** Answers of the API that may be shown again without the server. */
const REPEATABLE = /^\/api\/(games\/[A-Za-z0-9]+(\/(replay|record))?|game-types)$/;
/** The engine and its nets: kept once they were wanted, not before. */
const MODULE = /^\/assets\/[^/]+\.wasm$/;
const NET = /^\/engine\/[a-z-]+\.net$/;
/** Requests after which somebody else may be here: what was looked at is forgotten. */
const LEAVING = /^\/api\/(logout|login|register|recover|me)$/;

self.addEventListener("install", (event) => {
  event.waitUntil(keepPage().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(removeOldBuilds().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method !== "GET") {
    if (LEAVING.test(url.pathname)) event.waitUntil(caches.delete(LOOKED_AT));
  } else if (request.mode === "navigate" && !url.pathname.startsWith("/api/")) {
    event.respondWith(pageOrKept(request));
  } else if (FILES.includes(url.pathname)) {
    event.respondWith(keptOrFetched(request));
  } else if (MODULE.test(url.pathname)) {
    event.respondWith(keptOrFetched(request, true));
  } else if (NET.test(url.pathname)) {
    event.respondWith(fetchedOrKept(request, PAGE));
  } else if (REPEATABLE.test(url.pathname)) {
    event.respondWith(fetchedOrKept(request));
  }
});

/** The files of this build; the engine and its nets too, where an older build's were wanted. */
async function keepPage() {
  const wanted = await engineKept();
  const cache = await caches.open(PAGE);
  await cache.addAll(["/", ...FILES]);
  // The page is worth having without them: they come with the next game.
  await cache.addAll(wanted).catch(() => undefined);
}

async function engineKept() {
  const names = (await caches.keys()).filter((name) => name.startsWith("page-"));
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  const paths = kept.flat().map(({ url }) => new URL(url).pathname);
  const nets = paths.filter((path) => NET.test(path));
  return paths.some((path) => MODULE.test(path)) && ENGINE ? [ENGINE, ...new Set(nets)] : [];
}

async function removeOldBuilds() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith("page-") && name !== PAGE).map((name) => caches.delete(name)),
  );
}

/** The page from the server, so that a new one is seen at once; the kept one if it does not come. */
async function pageOrKept(request) {
  const kept = await caches.match("/", { cacheName: PAGE });
  if (!kept) return fetch(request);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    // A proxy without its server says so with an error of its own; the page has better words.
    return answer.status >= 500 ? kept : answer;
  } catch {
    return kept;
  }
}

/** Files of a build never change. */
async function keptOrFetched(request, keeps = false) {
  const kept = await caches.match(request, { cacheName: PAGE });
  if (kept) return kept;
  const answer = await fetch(request);
  if (keeps && answer.ok) await (await caches.open(PAGE)).put(request, answer.clone());
  return answer;
}

async function fetchedOrKept(request, cacheName = LOOKED_AT) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await keep(request, answer.clone(), cacheName);
    return answer;
  } catch (error) {
    const kept = await caches.match(request, { cacheName });
    if (!kept) throw error;
    const headers = new Headers(kept.headers);
    headers.set("x-kept", "1");
    return new Response(kept.body, { headers });
  }
}

async function keep(request, answer, cacheName) {
  const cache = await caches.open(cacheName);
  await cache.put(request, answer);
  if (cacheName !== LOOKED_AT) return;
  // The oldest come first.
  const surplus = (await cache.keys()).slice(0, -MOST_LOOKED_AT);
  await Promise.all(surplus.map((old) => cache.delete(old)));
}
