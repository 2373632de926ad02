// Settings with the account: brought when somebody comes in, sent when they change.
import { get, request } from "../api/request";
import { sayTrouble } from "../design/toasts.svelte";
import type { Settings } from "../wire/Settings";
import { me } from "./session.svelte";
import { settings, useSettings } from "./settings.svelte";

const PATH = "/api/me/settings";
/** A slider that is drawn sends once. */
const PAUSE = 400;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Takes over what the account keeps. */
export async function bringSettings(): Promise<void> {
  useSettings(await get<Settings>(PATH));
}

/** Changes some settings, here and with the account; a guest's stay here. */
export function changeSettings(change: Partial<Settings>): void {
  useSettings({ ...settings(), ...change });
  if (!me() || me()!.guest) return;
  clearTimeout(timer);
  timer = setTimeout(() => request("PUT", PATH, { body: settings() }).catch(sayTrouble), PAUSE);
}
