// The engine's files: the module, where the page was built with it (`scripts/wasm`), and the server's nets.
const BUILT = import.meta.glob<string>("./built/engine.wasm", { query: "?url", import: "default", eager: true });

/** Where the module is; undefined in a page without it. */
export const MODULE: string | undefined = BUILT["./built/engine.wasm"];

/** Where a net is. */
export const netFile = (name: string): string => `/engine/${name}.net`;

/** Whether the page has an engine, and the browser can run it. */
export const hasEngine = (): boolean =>
  MODULE !== undefined && typeof WebAssembly === "object" && typeof Worker === "function";
