// The gallery: every tile and component on one page, for those who work on the look.
import { mount } from "svelte";
import { usableNow } from "../src/api/later";
import "../src/design/base.css";
import "../src/design/site.css";
import { need } from "../src/i18n/index.svelte";
import Gallery from "./Gallery.svelte";

const query = new URLSearchParams(location.search);
document.documentElement.dataset.theme = query.get("theme") ?? "light";
await need("common");
mount(Gallery, { target: document.getElementById("gallery")!, props: { query } });
usableNow();
