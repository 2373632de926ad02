// The engine's files, where the page was built with them (`scripts/wasm`): the module, and a net for each kind of setup.
const FILES = import.meta.glob<string>("./built/*.{wasm,net}", { query: "?url", import: "default", eager: true });

/** Where a file of the engine is; undefined in a page without it. */
export const engineFile = (name: string): string | undefined => FILES[`./built/${name}`];

/** Whether the page has an engine, and the browser can run it. */
export const hasEngine = (): boolean =>
  engineFile("engine.wasm") !== undefined && typeof WebAssembly === "object" && typeof Worker === "function";
