// The line to a table: one socket that comes back by itself, and messages that take effect once.
import type { FromClient } from "../wire/FromClient";
import type { FromServer } from "../wire/FromServer";
import type { PlayResult } from "../wire/PlayResult";
import type { Problem } from "../wire/Problem";

/** `shaky`: an answer is overdue. `lost`: waiting for the next attempt. `refused`: no further one. */
export type SocketState = "connecting" | "open" | "shaky" | "lost" | "refused";

export interface SocketStatus {
  state: SocketState;
  /** When the next attempt is made, in milliseconds of `Date.now()`. */
  retryAt: number | null;
  /** Why the table cannot be seen. */
  problem: Problem | null;
}

/** What the line needs of a socket; the browser's own has it. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
}

export interface SocketOptions {
  open: () => SocketLike;
  /** Asks over HTTP why no socket opens: a problem that waiting does not cure, or nothing. */
  probe: () => Promise<Problem | null>;
  onmessage: (message: FromServer) => void;
  onstatus: (status: SocketStatus) => void;
}

/** A message without its number, which the line gives. */
export type OutgoingMessage = FromClient extends infer M ? (M extends { id: number } ? Omit<M, "id"> : never) : never;

/** What the server would not do. */
export class MessageRefused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

const PING_EVERY = 2_500;
const SHAKY_AFTER = 4_000;
const GIVE_UP_AFTER = 9_000;
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

interface Waiting {
  text: string;
  done: (played: PlayResult | null) => void;
  refused: (why: MessageRefused) => void;
}

export class TableSocket {
  #options: SocketOptions;
  #socket: SocketLike | null = null;
  #welcomed = false;
  #ended = false;
  #failures = 0;
  /** When the ping that waits for an answer was sent. */
  #pinged: number | null = null;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #waiting = new Map<number, Waiting>();
  // Numbers must not come back after a reload, or a new message would look like an old one.
  #number = Date.now() * 1_000;
  #status: SocketStatus = { state: "connecting", retryAt: null, problem: null };

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#connect();
  }

  /** Sends something until the server has answered it, over as many sockets as that takes. */
  say(saying: OutgoingMessage): Promise<PlayResult | null> {
    const id = this.#number++;
    const text = JSON.stringify({ ...saying, id });
    return new Promise((done, refused) => {
      this.#waiting.set(id, { text, done, refused });
      if (this.#welcomed) this.#socket?.send(text);
    });
  }

  /** Tries at once: the tab is back, or the network. */
  hurry(): void {
    if (this.#status.state === "lost") this.#connect();
    else if (this.#socket && this.#welcomed) this.#tick();
  }

  close(): void {
    this.#ended = true;
    this.#drop();
    clearTimeout(this.#retry);
  }

  #connect(): void {
    clearTimeout(this.#retry);
    this.#drop();
    if (this.#failures === 0) this.#sendMessage({ state: "connecting", retryAt: null, problem: null });
    const socket = this.#options.open();
    this.#socket = socket;
    const opened = Date.now();
    socket.onmessage = ((event: { data: unknown }) => this.#hear(event.data)) as SocketLike["onmessage"];
    socket.onclose = () => this.#lost();
    this.#ticker = setInterval(() => {
      if (this.#welcomed) this.#tick();
      else if (Date.now() - opened > GIVE_UP_AFTER) this.#lost();
    }, PING_EVERY);
  }

  #hear(data: unknown): void {
    if (typeof data !== "string") return;
    const message = JSON.parse(data) as FromServer;
    this.#pinged = null;
    if (message.type === "welcome") {
      this.#welcomed = true;
      this.#failures = 0;
      for (const { text } of this.#waiting.values()) this.#socket?.send(text);
    }
    if (this.#welcomed) this.#sendMessage({ state: "open", retryAt: null, problem: null });
    this.#answered(message);
    this.#options.onmessage(message);
  }

  #answered(message: FromServer): void {
    if (message.type !== "done" && message.type !== "refused") return;
    if (message.id === null) return;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === "done") waiting?.done(message.played ?? null);
    else waiting?.refused(new MessageRefused(message.problem));
  }

  #tick(): void {
    const now = Date.now();
    if (this.#pinged === null) {
      this.#pinged = now;
      this.#socket?.send('{"type":"ping"}');
    } else if (now - this.#pinged > GIVE_UP_AFTER) {
      this.#lost();
    } else if (now - this.#pinged > SHAKY_AFTER) {
      this.#sendMessage({ state: "shaky", retryAt: null, problem: null });
    }
  }

  #lost(): void {
    this.#drop();
    if (this.#ended) return;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures);
    this.#failures += 1;
    this.#sendMessage({ state: "lost", retryAt: Date.now() + wait, problem: null });
    this.#retry = setTimeout(() => this.#connect(), wait);
    void this.#ask();
  }

  /** A socket does not say why it did not open; plain HTTP does. */
  async #ask(): Promise<void> {
    const problem = await this.#options.probe().catch(() => null);
    if (!problem || this.#ended || this.#welcomed) return;
    clearTimeout(this.#retry);
    this.#drop();
    this.#sendMessage({ state: "refused", retryAt: null, problem });
  }

  #drop(): void {
    clearInterval(this.#ticker);
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    this.#pinged = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #sendMessage(status: SocketStatus): void {
    const before = this.#status;
    if (before.state === status.state && before.retryAt === status.retryAt && before.problem === status.problem) return;
    this.#status = status;
    this.#options.onstatus(status);
  }
}
