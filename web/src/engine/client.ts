// The engine for the page: starts the worker when it is first asked, fetches the nets that it needs, ends it when asked to.
import type { GameEvent } from "../game/events";
import type { Analysis } from "../wire/Analysis";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { LegalMove } from "../wire/LegalMove";
import type { Review } from "../wire/Review";
import type { ReviewLine } from "../wire/ReviewLine";
import { MODULE, hasEngine, netFile } from "./files";
import { type EngineRequest, WrongRequest } from "./module";
import { refuseEngine } from "./permission";
import type { FromWorker, ToWorker } from "./worker";

/** What a search found so far, and how many turns it looked ahead. */
export type Thoughts = Analysis & { depth: number };

/** A position as the server would send it, and what may be drawn: each kind with how many are left. */
export interface EngineView {
  view: CarcassonneView;
  phase: string;
  turn: "player" | "chance" | "over";
  seat: number | null;
  legal: LegalMove[];
  draws: [string, number][];
  events: GameEvent[];
}

interface Waiting {
  told: (line: unknown) => void;
  answer: (answer: unknown) => void;
  fail: (error: Error) => void;
}

/** It was ended before it answered. */
export class EngineStopped extends Error {}

/** The compiled module and the nets stay when a worker is ended: the next one begins at once. */
let compiled: Promise<WebAssembly.Module> | undefined;
const nets = new Map<string, Promise<Uint8Array>>();

/** Without what is not said. */
function given<T extends object>(all: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never;
}

async function fetched(address: string): Promise<Response> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

const module = (): Promise<WebAssembly.Module> =>
  (compiled ??= WebAssembly.compileStreaming(fetched(MODULE ?? "")).catch((error: unknown) => {
    compiled = undefined;
    throw error;
  }));

function net(name: string): Promise<Uint8Array> {
  const known = nets.get(name);
  if (known) return known;
  const file = fetched(netFile(name)).then(async (answer) => new Uint8Array(await answer.arrayBuffer()));
  nets.set(name, file);
  file.catch(() => nets.delete(name));
  return file;
}

export class Engine {
  #worker: Worker | undefined;
  #nets = new Set<string>();
  #waiting = new Map<number, Waiting>();
  #next = 0;
  readonly #refuse: () => Promise<void>;

  /** Asks before each request whether the engine may think; `docs/fairplay.md` says who need not ask. */
  constructor(refuse: () => Promise<void> = refuseEngine) {
    this.#refuse = refuse;
  }

  /** Fetches what a game needs, so that it can be thought about without the server. */
  async prepare(record: string): Promise<void> {
    await this.#withNet(record);
  }

  /** A position for the screen; `since` asks for what happened after so many plies too, `layout` is a start laid by hand. */
  view(record: string, ply?: number, since?: number, layout?: string): Promise<EngineView> {
    return this.#ask({ do: "view", record, ...given({ ply, since, layout }) });
  }

  /** A position as a layout, to be changed by hand. */
  layout(record: string, ply?: number, layout?: string): Promise<string> {
    return this.#ask({ do: "layout", record, ...given({ ply, layout }) });
  }

  /** Thinks about a position; what shorter searches found is told first. */
  async analyse(
    question: { record: string; layout?: string; ply?: number; bot?: string; nodes: number; top?: number },
    told: (thoughts: Thoughts) => void = () => undefined,
  ): Promise<Thoughts> {
    await this.#withNet(question.record);
    return this.#ask({ do: "analyse", deepen: true, ...question }, (line) => told(line as Thoughts));
  }

  /** A level's turn, played as in rated games on the server. */
  async turn(record: string, level: string, seed: number): Promise<string[]> {
    await this.#withNet(record);
    return (await this.#ask<Thoughts>({ do: "analyse", record, bot: level, seed, top: 1 })).best;
  }

  /** Reviews a game, told step by step as the server would. */
  async review(record: string, told: (line: ReviewLine) => void): Promise<Review> {
    await this.#withNet(record);
    const done = await this.#ask<{ review: Review }>({ do: "review", record }, (line) => told(line as ReviewLine));
    return done.review;
  }

  /** Ends what it does; the next request begins with a new worker. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#nets.clear();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { fail } of waiting) fail(new EngineStopped("stopped"));
  }

  async #withNet(record: string): Promise<void> {
    const name = await this.#ask<string>({ do: "net", record });
    if (this.#nets.has(name)) return;
    const file = await net(name);
    this.#nets.add(name);
    this.#send({ net: name, file });
  }

  async #ask<T>(request: EngineRequest, told: (line: unknown) => void = () => undefined): Promise<T> {
    await this.#start();
    const id = this.#next++;
    return new Promise<T>((done, fail) => {
      this.#waiting.set(id, { told, fail, answer: (answer) => done(answer as T) });
      this.#send({ id, request });
    });
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  async #start(): Promise<void> {
    if (!hasEngine()) throw new Error("this page has no engine");
    // Asked before anything is loaded, each time: a game may have begun since.
    await this.#refuse();
    if (this.#worker) return;
    const ready = await module();
    if (this.#worker) return;
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "engine" });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.stop();
    };
    this.#worker = worker;
    this.#send({ module: ready });
  }

  #hear(message: FromWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if ("told" in message) return waiting.told(message.told);
    this.#waiting.delete(message.id);
    if ("error" in message) waiting.fail(new (message.wrong ? WrongRequest : Error)(message.error));
    else waiting.answer(message.answer);
  }
}
