// The page's own keys; those of a turn are the board's. They come right after the page.
import type { GameControls } from "./controls.svelte";

/** Does what a key means; answers with how to stop. */
export function listenToKeys(now: () => GameControls | null): () => void {
  const pressed = (event: KeyboardEvent) => {
    const controls = now();
    const deed = controls && keyDeed(event, controls.replaying);
    if (!deed) return;
    event.preventDefault();
    // The board listens too; an arrow means one thing at a time.
    event.stopImmediatePropagation();
    act(controls, deed);
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

function act(controls: GameControls, deed: KeyDeed): void {
  const { game } = controls;
  switch (deed) {
    case "fields":
      controls.fields = !controls.fields;
      break;
    case "tiles":
      controls.showTiles();
      break;
    case "hint":
      void controls.hint();
      break;
    case "help":
      controls.help = true;
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
