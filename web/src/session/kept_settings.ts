// Settings with the account: brought when somebody comes in, sent when they change.
import { get, request } from "../api/request";
import { showError } from "../design/toasts.svelte";
import type { Settings } from "../wire/Settings";
import { me } from "./session.svelte";
import { settings, useSettings } from "./settings.svelte";

const PATH = "/api/me/settings";
/** A slider that is drawn sends once. */
const PAUSE = 400;
let timer: ReturnType<typeof setTimeout> | undefined;
/** What was changed here since the account was asked: newer than its answer. */
let changed: Partial<Settings> = {};

/** Takes over what the account keeps, except what was changed here meanwhile. */
export async function bringSettings(): Promise<void> {
  if (timer === undefined) changed = {};
  const answer = await get<Settings>(PATH);
  useSettings({ ...answer, ...changed });
}

/** Changes some settings, here and with the account; a guest's stay here. */
export function changeSettings(change: Partial<Settings>): void {
  useSettings({ ...settings(), ...change });
  if (!me() || me()!.guest) return;
  changed = { ...changed, ...change };
  clearTimeout(timer);
  timer = setTimeout(send, PAUSE);
}

function send(): void {
  timer = undefined;
  request("PUT", PATH, { body: settings() }).catch(showError);
}
