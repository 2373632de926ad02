// Where the page begins: the theme and the words first, so that nothing is shown twice.
import { mount } from "svelte";
import { later } from "./api/later";
import App from "./App.svelte";
import "./design/base.css";
import "./design/site.css";
import { language, need } from "./i18n/index.svelte";
import { match } from "./router/match";
import { ROUTES } from "./routes";
import { applySettings } from "./session/settings.svelte";
import { applyTheme } from "./session/theme.svelte";

applyTheme();
applySettings();
document.documentElement.lang = language();
// The page of the address is fetched along with the words of its frame; who shows it tells if that fails.
const route = match(ROUTES, location.pathname)?.route;
if (route) Promise.all([route.page(), need(...route.words)]).catch(() => undefined);
await need("common");
mount(App, { target: document.getElementById("app")! });

// The page opens without a network from the second visit on; nothing waits for that.
if (import.meta.env.PROD && "serviceWorker" in navigator)
  later(() => navigator.serviceWorker.register("/worker.js")).catch(() => undefined);
