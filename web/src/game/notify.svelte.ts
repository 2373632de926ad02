// Telling a player that it is their turn: the tab's title, a sound, a browser notification if asked for.
import { t } from "../i18n/index.svelte";

const KEPT = "turn-notice";
const state = $state({ on: stored() });

/** Whether the browser can notify at all. */
export const canNotify = (): boolean => typeof Notification !== "undefined" && Notification.permission !== "denied";

export const notifies = (): boolean => state.on;

/** Turns notifications on or off; asks the browser for leave when they are turned on. */
export async function setNotices(on: boolean): Promise<void> {
  const allowed = on && (await Notification.requestPermission()) === "granted";
  state.on = allowed;
  localStorage.setItem(KEPT, allowed ? "on" : "off");
}

/** A notification, if it was asked for and the tab is not seen. */
export function noticeTurn(name: string): void {
  if (!state.on || document.visibilityState === "visible") return;
  const notice = new Notification(t("game.yourTurn"), { body: name, tag: "turn" });
  notice.onclick = () => {
    window.focus();
    notice.close();
  };
}

function stored(): boolean {
  return (
    typeof Notification !== "undefined" && Notification.permission === "granted" && localStorage.getItem(KEPT) === "on"
  );
}
