// The page's own keys; those of a turn are the board's. They come right after the page.
import type { Around } from "./around.svelte";

/** Does what a key means; answers with how to stop. */
export function listenToKeys(now: () => Around | null): () => void {
  const pressed = (event: KeyboardEvent) => {
    const around = now();
    const deed = around && keyDeed(event, around.replaying);
    if (!deed) return;
    event.preventDefault();
    // The board listens too; an arrow means one thing at a time.
    event.stopImmediatePropagation();
    act(around, deed);
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

function act(around: Around, deed: KeyDeed): void {
  const { game } = around;
  switch (deed) {
    case "fields":
      around.fields = !around.fields;
      break;
    case "tiles":
      around.showTiles();
      break;
    case "hint":
      void around.hint();
      break;
    case "help":
      around.help = true;
      break;
    case "play":
      if (game.playing) game.pause();
      else game.play();
      break;
    case "first":
    case "last":
      game.pause();
      void game.go(deed === "first" ? 0 : game.turns);
      break;
    case "on":
    case "back":
      game.pause();
      void game.step(deed === "on" ? 1 : -1);
  }
}

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
