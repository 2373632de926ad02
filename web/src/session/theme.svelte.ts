// Light, dark, or as the system says; remembered on this device.

export type Theme = "system" | "light" | "dark";

const kept = "theme";
const state = $state<{ theme: Theme }>({ theme: stored() });

export function theme(): Theme {
  return state.theme;
}

/** Whether the page is dark now. */
export function isDark(): boolean {
  return state.theme === "dark" || (state.theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
}

export function chooseTheme(theme: Theme): void {
  state.theme = theme;
  localStorage.setItem(kept, theme);
  applyTheme();
}

/** Puts the choice on the root element, where the tokens look for it. */
export function applyTheme(): void {
  if (state.theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = state.theme;
}

function stored(): Theme {
  const theme = localStorage.getItem(kept);
  return theme === "light" || theme === "dark" ? theme : "system";
}
