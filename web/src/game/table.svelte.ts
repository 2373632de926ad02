// A table as the page knows it: what the server said last, kept up to date over the line.
import { later } from "../api/later";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { ChatLine } from "../wire/ChatLine";
import type { Clocks } from "../wire/Clocks";
import type { FromServer } from "../wire/FromServer";
import type { GameInfo } from "../wire/GameInfo";
import type { Update } from "../wire/Update";
import type * as SetsModule from "../sets";
import { history, paths } from "./api";
import type { Stamped } from "./clock";
import type { GameEvent } from "./events";
import type { Pace } from "./pace";
import { TableSocket, type SocketStatus, type OutgoingMessage } from "./table_socket";
import { EMPTY_LOG, type Log, agrees, extended } from "./log";

export type Sets = typeof SetsModule;

/** An update of a game of Carcassonne; what happened since the one before is given with it. */
export type GameUpdate = Omit<Update, "view" | "events"> & { view: CarcassonneView; events: GameEvent[] };

/** A game that is played in this browser alone tells its own past (`local/table.svelte.ts`). */
export interface LocalGame {
  /** The id by which the server has it by now; nothing if it does not. */
  readonly stored: string | null;
  events(): Promise<GameEvent[]>;
  boardAt(ply: number): Promise<CarcassonneView>;
}

/** What the game page asks of a table, on the server or in the browser. */
export type AnyTable = Pick<Table, keyof Table>;

export class Table {
  /** There if the game is played in this browser alone. */
  declare readonly local?: LocalGame;
  info = $state.raw<GameInfo | null>(null);
  update = $state.raw<GameUpdate | null>(null);
  chat = $state.raw<ChatLine[]>([]);
  log = $state.raw<Log>(EMPTY_LOG);
  status = $state.raw<SocketStatus>({ state: "connecting", retryAt: null, problem: null });
  clocks = $state.raw<Stamped<Clocks>>({ at: 0, value: { left_ms: [], running: null } });
  /** When `info` came: its countdowns run from there. */
  infoAt = $state.raw(0);
  /** Whether the log is as complete as it gets: what is shown from it no longer grows by itself. */
  settled = $state(false);
  /** What games with sets need beside the rest, once it is there. */
  sets = $state.raw<Sets | null>(null);
  /** Called with each update that brings something new. */
  onchange: (update: GameUpdate, info: GameInfo) => void = () => {};
  onchat: (line: ChatLine) => void = () => {};
  #line: TableSocket;
  /** It comes after the first view, which waits for nothing. */
  #pace: Pace | null = null;
  /** How long a turn is seen before the next one: 1 as usual, 0 if nobody looks. */
  pace: () => number = () => 1;

  constructor(readonly id: string) {
    this.#line = this.#open();
    void later(() => import("./pace")).then(({ Pace }) => {
      this.#pace = new Pace({
        show: (message) => this.#show(message),
        speed: () => this.pace(),
        clocked: () => this.info?.clock.kind !== "none",
      });
    });
  }

  #open(): TableSocket {
    return new TableSocket({
      open: () => new WebSocket(socketAddress(this.id, this.update?.version ?? null)),
      // A game that answers beside the line is shown meanwhile, to be looked at.
      probe: async () =>
        (await import("./why_not")).whyNot(this.id, (info, update) => {
          if (this.update) return;
          this.#inform(info);
          this.#renew(update);
        }),
      onmessage: (message) => this.#hear(message),
      onstatus: (status) => (this.status = status),
    });
  }

  say(saying: OutgoingMessage) {
    return this.#line.say(saying);
  }

  /** Opens a new line: the server now knows somebody else here. */
  again(): void {
    this.#line.close();
    this.#line = this.#open();
  }

  hurry(): void {
    this.#line.hurry();
  }

  close(): void {
    this.#pace?.close();
    this.#line.close();
  }

  #hear(message: FromServer): void {
    switch (message.type) {
      case "welcome":
        // What the server tells now holds whatever waited to be shown.
        this.#pace?.flush();
        this.#inform(message.info);
        this.chat = message.chat;
        this.clocks = { at: Date.now(), value: message.update.clocks };
        this.#renew(message.update as GameUpdate);
        break;
      case "update":
        // Clocks are right at once, whatever is still shown.
        this.clocks = { at: Date.now(), value: message.update.clocks };
        this.#take(message);
        break;
      case "info":
        this.#take(message);
        break;
      case "chat":
        this.chat = [...this.chat, message.line];
        this.onchat(message.line);
        break;
    }
  }

  #take(message: FromServer): void {
    if (this.#pace) this.#pace.take(message);
    else this.#show(message);
  }

  /** What the page has time for now. */
  #show(message: FromServer): void {
    if (message.type === "update") this.#renew(message.update as GameUpdate);
    else if (message.type === "info") this.#inform(message.info);
  }

  #inform(info: GameInfo): void {
    this.info = info;
    this.infoAt = Date.now();
  }

  #renew(update: GameUpdate): void {
    const before = this.update;
    // The same state again, after a reconnect: what the player has put down stays.
    const same = before?.version === update.version && before.seats.join() === update.seats.join();
    if (same) return;
    if (update.view.sets && !this.sets) void this.#loadSets();
    this.update = update;
    this.log = extended(this.log, update.events);
    if (agrees(this.log, update.view)) this.settled = true;
    else void this.#reload(update.version);
    if (this.info) this.onchange(update, this.info);
  }

  /** The board is not shown before; a failure is tried again with the next update. */
  async #loadSets(): Promise<void> {
    const sets = await import("../sets").catch(() => null);
    await sets?.ready();
    this.sets = sets;
  }

  /** Reads the log from its beginning: the page has just opened, or missed something. */
  async #reload(version: number): Promise<void> {
    const events = await history(this.id).catch(() => null);
    if (this.update?.version !== version) return;
    if (events) this.log = extended(EMPTY_LOG, events);
    this.settled = true;
  }
}

/** With the last version seen the server tells what happened since. */
function socketAddress(id: string, seen: number | null): string {
  const url = new URL(paths.socket(id), location.href);
  if (seen !== null) url.searchParams.set("from", String(seen));
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
