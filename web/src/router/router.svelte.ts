// Where the reader is: the address as state, links followed without a reload.

interface Place {
  path: string;
  search: string;
  hash: string;
}

const place = $state<Place>(here());
/** How often the reader went to another page (not just to another turn of the same game). */
let visits = $state(0);

/** The address now. */
export function address(): Readonly<Place> {
  return place;
}

/** The part of the address after `?`. */
export function query(): URLSearchParams {
  return new URLSearchParams(place.search);
}

/** Goes to a page of ours. `replace` leaves no step to go back to. */
export function go(to: string, options: { replace?: boolean } = {}): void {
  const url = new URL(to, location.href);
  if (url.href === location.href) return;
  history[options.replace ? "replaceState" : "pushState"](null, "", url);
  arrive(true);
}

/** Keeps something with this step of the history: it is there again when the reader comes back to it, or loads it again. */
export function remember(name: string, what: unknown): void {
  history.replaceState({ ...(history.state as object | null), [name]: what }, "");
}

/** What was kept with this step of the history. */
export const remembered = (name: string): unknown => (history.state as Record<string, unknown> | null)?.[name];

/** Follows the browser's buttons and every plain click on a link of ours. Returns the way out. */
export function followLinks(): () => void {
  const onPop = () => arrive(false);
  document.addEventListener("click", onClick);
  addEventListener("popstate", onPop);
  return () => {
    document.removeEventListener("click", onClick);
    removeEventListener("popstate", onPop);
  };
}

/** Grows with every new page, so that focus and scrolling can follow. */
export function visitCount(): number {
  return visits;
}

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || !link.href || link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (url.pathname === location.pathname && url.search === location.search && url.hash) return;
  event.preventDefault();
  go(url.href);
}

function arrive(newPage: boolean): void {
  const before = place.path;
  Object.assign(place, here());
  if (before === place.path) return;
  visits += 1;
  if (newPage) scrollTo(0, 0);
}

function here(): Place {
  return { path: location.pathname, search: location.search, hash: location.hash };
}
