// How somebody likes to play: kept in the browser, and with the account by `kept_settings`.
import type { Settings } from "../wire/Settings";

export const DEFAULTS: Settings = {
  confirm: true,
  one_click_meeple: false,
  premove_rotation: false,
  animation: "normal",
  coordinates: true,
  colours: "standard",
  own_colour: "seat",
  large_marks: false,
  volume: 100,
  board: "limestone",
};

const kept = "settings";
const state = $state<{ settings: Settings }>({ settings: stored() });

export const settings = (): Settings => state.settings;

/** How long things take: 1 as usual, 0 without motion. */
export const slowness = (): number => ({ off: 0, fast: 0.5, normal: 1, slow: 2 })[state.settings.animation];

/** Takes over settings: for this page at once, for this browser from now on. */
export function useSettings(settings: Settings): void {
  state.settings = settings;
  localStorage.setItem(kept, JSON.stringify(settings));
  applySettings();
}

/** Puts what the style sheets look for on the root element. */
export function applySettings(): void {
  const { animation, colours, board, large_marks } = state.settings;
  Object.assign(document.documentElement.dataset, {
    motion: animation,
    colours,
    table: board,
    marks: large_marks ? "large" : "plain",
  });
}

/** What was kept here; a value that is not known gives way to the default. */
function stored(): Settings {
  try {
    const found = JSON.parse(localStorage.getItem(kept) ?? "{}") as Partial<Settings>;
    const known = Object.entries(DEFAULTS).map(([key, value]) => {
      const own = found[key as keyof Settings];
      return [key, typeof own === typeof value ? own : value];
    });
    return Object.fromEntries(known) as Settings;
  } catch {
    return DEFAULTS;
  }
}
