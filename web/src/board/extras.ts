// What no move waits for: names along the edges, points that float, outlines, what lies out of view.
export { default as Coordinates } from "./Coordinates.svelte";
export { default as Effects } from "./Effects.svelte";
export { default as EdgeMarks } from "./EdgeMarks.svelte";
export { joinedFeature } from "./joined";
export { default as Highlight } from "./Highlight.svelte";
