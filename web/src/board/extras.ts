// What no move waits for: numbers along the edges, points that float, the outline of a feature.
export { default as Coordinates } from "./Coordinates.svelte";
export { default as Effects } from "./Effects.svelte";
export { default as Highlight } from "./Highlight.svelte";
