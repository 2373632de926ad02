// The page's own keys; those of a turn are the board's.

export type KeyDeed = "fields" | "hint" | "tiles" | "help" | "play" | "on" | "back" | "first" | "last";

/** What a key means here; nothing while somebody types or a dialog is open. */
export function keyDeed(event: KeyboardEvent, replaying: boolean): KeyDeed | null {
  const { target } = event;
  const inField = target instanceof Element && target.closest("input, textarea, select, dialog[open]");
  if (inField || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  const onControl = target instanceof Element && target.closest("button, a, [role=tab], [role=button]") !== null;
  switch (event.key) {
    case "f":
    case "F":
      return "fields";
    case "t":
    case "T":
      return "tiles";
    case "h":
    case "H":
      return "hint";
    case "?":
      return "help";
  }
  if (!replaying) return null;
  switch (event.key) {
    case "ArrowRight":
      return "on";
    case "ArrowLeft":
      return "back";
    case "Home":
      return "first";
    case "End":
      return "last";
    case " ":
      return onControl ? null : "play";
    default:
      return null;
  }
}
