// Where the page begins: the theme and the words first, so that nothing is shown twice.
import { mount } from "svelte";
import App from "./App.svelte";
import "./design/base.css";
import "./design/site.css";
import { language, need } from "./i18n/index.svelte";
import { applyTheme } from "./session/theme.svelte";

applyTheme();
document.documentElement.lang = language();
await need("common");
mount(App, { target: document.getElementById("app")! });
