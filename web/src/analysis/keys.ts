// The keys of the analysis board: along the line, between variations, and what is done there.

export type AnalysisKey =
  "on" | "back" | "up" | "down" | "first" | "last" | "undo" | "remove" | "draw" | "engine" | "spots";

const KEYS: Record<string, AnalysisKey> = {
  ArrowRight: "on",
  ArrowLeft: "back",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
  u: "undo",
  Delete: "remove",
  d: "draw",
  e: "engine",
  Enter: "spots",
};

const TYPED_INTO = "input:not([type=checkbox]), textarea, select, dialog[open], [role=menu], [role=tablist]";
const PRESSED = "button, a, summary, [role=button], [role=radio], [role=tab]";

/** What a key means; nothing where it is typed, or where the board goes by it: something is put down, or has the focus there. */
export function analysisKey(event: KeyboardEvent, onBoard: boolean): AnalysisKey | null {
  const on = (selector: string) => event.target instanceof Element && event.target.closest(selector) !== null;
  if (event.defaultPrevented || event.metaKey || event.altKey) return null;
  if (on(TYPED_INTO)) return null;
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey) return letter === "z" && !event.shiftKey ? "undo" : null;
  const key = KEYS[letter] ?? null;
  if (onBoard && (key === "spots" || event.key.startsWith("Arrow"))) return null;
  return key === "spots" && on(PRESSED) ? null : key;
}
