// The engine in a worker: one request at a time. A search cannot be interrupted: who wants it no longer ends the worker.
import { EngineModule, type EngineRequest, WrongRequest } from "./module";

/** The compiled module comes first; then nets and requests. */
export type ToWorker =
  { module: WebAssembly.Module } | { net: string; file: Uint8Array } | { id: number; request: EngineRequest };

export type FromWorker = { id: number } & ({ told: unknown } | { answer: unknown } | { error: string; wrong: boolean });

let engine: EngineModule | undefined;
const tell = (message: FromWorker) => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if ("module" in data) engine = new EngineModule(data.module);
  else if ("net" in data) engine?.takeNet(data.net, data.file);
  else {
    const { id, request } = data;
    try {
      tell({ id, answer: engine?.ask(request, (told) => tell({ id, told })) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      tell({ id, error: message, wrong: error instanceof WrongRequest });
    }
  }
});
