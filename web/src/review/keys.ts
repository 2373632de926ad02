// The keys of a review: from turn to turn, from mistake to mistake, the engine's turn and back.

export type ReviewKey = "on" | "back" | "first" | "last" | "nextMistake" | "lastMistake" | "best" | "played" | "play";

const KEYS: Record<string, ReviewKey> = {
  ArrowRight: "on",
  ArrowLeft: "back",
  Home: "first",
  End: "last",
  n: "nextMistake",
  p: "lastMistake",
  b: "best",
  Escape: "played",
  " ": "play",
};

/** What a key means here; nothing while somebody types or a dialog is open. */
export function reviewKey(event: KeyboardEvent): ReviewKey | null {
  const on = (selector: string) => event.target instanceof Element && event.target.closest(selector) !== null;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  if (on("input, textarea, select, dialog[open], [role=menu]")) return null;
  const key = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? null;
  // Space presses the button that has the focus.
  return key === "play" && on("button, a, [role=button]") ? null : key;
}
