// The engine's module: the rules and bots of `crates`, compiled to WebAssembly. Text goes in and out by its memory.

interface Exports {
  memory: WebAssembly.Memory;
  /** Room for a request of so many bytes. */
  room(length: number): number;
  /** Answers what was written there; gives the length of the answer. */
  request(): number;
  /** Takes a net: its name of so many bytes, then its file. */
  net(nameLength: number): number;
  answer_at(): number;
}

/** What the engine may be asked; `crates/wasm/src/request.rs` says what each field means. */
export type EngineRequest =
  | { do: "net"; record: string }
  | { do: "view"; record: string; layout?: string; ply?: number; since?: number }
  | { do: "layout"; record: string; layout?: string; ply?: number }
  | {
      do: "analyse";
      record: string;
      layout?: string;
      ply?: number;
      bot?: string;
      nodes?: number;
      seed?: number;
      top?: number;
      deepen?: boolean;
    }
  | { do: "review"; record: string; depth?: "quick" | "deep" };

/** What the engine says is wrong with what it was asked: a record, a setup or a layout that the rules do not allow. */
export class WrongRequest extends Error {}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class EngineModule {
  #exports: Exports;
  #told: (line: unknown) => void = () => undefined;

  constructor(module: WebAssembly.Module) {
    const told = (at: number, length: number) => this.#told(JSON.parse(this.#text(at, length)));
    this.#exports = new WebAssembly.Instance(module, { page: { told } }).exports as unknown as Exports;
  }

  /** Answers a request; what comes on the way is told. */
  ask<T>(request: EngineRequest, told: (line: unknown) => void = () => undefined): T {
    this.#told = told;
    this.#write(encoder.encode(JSON.stringify(request)));
    return this.#answer<T>(this.#exports.request());
  }

  /** Hands a net in. */
  takeNet(name: string, file: Uint8Array): void {
    const called = encoder.encode(name);
    const bytes = new Uint8Array(called.length + file.length);
    bytes.set(called);
    bytes.set(file, called.length);
    this.#write(bytes);
    this.#answer(this.#exports.net(called.length));
  }

  #write(bytes: Uint8Array): void {
    const at = this.#exports.room(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
  }

  #answer<T>(length: number): T {
    const answer = JSON.parse(this.#text(this.#exports.answer_at(), length)) as T | { error: string };
    if (typeof answer === "object" && answer !== null && "error" in answer && typeof answer.error === "string")
      throw new WrongRequest(answer.error);
    return answer as T;
  }

  #text(at: number, length: number): string {
    return decoder.decode(new Uint8Array(this.#exports.memory.buffer, at >>> 0, length));
  }
}
