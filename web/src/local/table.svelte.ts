// A table without a server: the engine in the page knows the rules and plays the other seat, the browser draws.
import { Engine, EngineStopped, type EngineView } from "../engine/client";
import type { GameEvent } from "../game/events";
import { EMPTY_LOG, type Log, extended } from "../game/log";
import type { AnyTable, GameUpdate, LocalGame, Sets } from "../game/table.svelte";
import { MessageRefused, type OutgoingMessage } from "../game/table_socket";
import type { ChatLine } from "../wire/ChatLine";
import type { Clocks } from "../wire/Clocks";
import type { GameInfo } from "../wire/GameInfo";
import type { CarcassonneView } from "../wire/CarcassonneView";
import { drawn } from "./draw";
import { infoOf, resultOf } from "./info";
import { type KeptGame, addFinished, keepGame, recordOf } from "./kept";

/** A turn of the level is seen before the next one; it is found sooner. */
const LEAST_THOUGHT = 700;
const NO_CLOCKS: Clocks = { left_ms: [], running: null };

export interface LocalEvents {
  /** The engine could not be had, or broke. */
  onfail: (error: unknown) => void;
  /** The game is over, and kept for the server. */
  onfinish: () => void;
  /** Another game is wanted. */
  onrematch: () => void;
}

export class LocalTable implements AnyTable, LocalGame {
  readonly local = this;
  readonly id: string;
  info = $state.raw<GameInfo | null>(null);
  update = $state.raw<GameUpdate | null>(null);
  chat: ChatLine[] = [];
  log = $state.raw<Log>(EMPTY_LOG);
  status = { state: "open" as const, retryAt: null, problem: null };
  clocks = { at: 0, value: NO_CLOCKS };
  infoAt = 0;
  settled = $state(false);
  sets: Sets | null = null;
  stored = $state.raw<string | null>(null);
  onchange: AnyTable["onchange"] = () => {};
  onchat: AnyTable["onchat"] = () => {};
  pace: () => number = () => 1;
  // It plays, and does not advise: nobody's other game gets help from it (docs/fairplay.md).
  readonly #engine = new Engine(() => Promise.resolve());
  readonly #game: KeptGame;
  readonly #name: string;
  readonly #told: LocalEvents;
  /** Grows with each change, a takeback too. */
  #version = 0;
  #closed = false;

  constructor(game: KeptGame, name: string, told: LocalEvents) {
    this.id = game.key;
    this.stored = game.stored ?? null;
    this.#game = { ...game, moves: [...game.moves] };
    this.#name = name;
    this.#told = told;
    this.hurry();
  }

  /** Shows the game as it stands, and goes on with it; also after the engine failed. */
  hurry(): void {
    if (!this.update) void this.#try(() => this.#show(0, false));
    else if (this.#botIsToMove) void this.#try(() => this.#think());
  }

  again(): void {}

  close(): void {
    this.#closed = true;
    this.#engine.stop();
  }

  async events(): Promise<GameEvent[]> {
    return (await this.#engine.view(this.#record, undefined, 0)).events;
  }

  async boardAt(ply: number): Promise<CarcassonneView> {
    return (await this.#engine.view(this.#record, ply)).view;
  }

  async say(saying: OutgoingMessage): Promise<null> {
    const game = this.#game;
    switch (saying.type) {
      case "play":
        await this.#play(saying.moves);
        break;
      case "takeback":
        if (saying.accept) await this.#takeBack();
        break;
      case "resign":
      case "abort":
        game.gaveUp = saying.type;
        this.#engine.stop();
        await this.#show(game.moves.length, true);
        break;
      case "rematch":
        if (saying.accept) this.#told.onrematch();
        break;
    }
    return null;
  }

  get #record(): string {
    return recordOf(this.#game);
  }

  get #botIsToMove(): boolean {
    const turn = this.update?.turn ?? null;
    return turn !== null && turn !== this.#game.mine;
  }

  async #play(moves: readonly string[]): Promise<void> {
    const { length } = this.#game.moves;
    this.#game.moves.push(...moves);
    try {
      await this.#show(length, true);
    } catch (error) {
      // What the engine refuses was not played.
      this.#game.moves.length = length;
      if (error instanceof EngineStopped) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new MessageRefused({ code: "illegal_move", message });
    }
  }

  /** Back to where the player's last turn began; what is drawn after it is drawn anew. */
  async #takeBack(): Promise<void> {
    this.#engine.stop();
    const own = (await this.events()).findLast((e) => e.event === "tile_placed" && e.player === this.#game.mine);
    if (own?.ply === undefined) return;
    this.#game.moves.length = own.ply - 1;
    this.log = EMPTY_LOG;
    await this.#show(0, false);
  }

  /** Draws what is due, keeps the game, and shows it with what happened after a ply. */
  async #show(since: number, moving: boolean): Promise<void> {
    const game = this.#game;
    let seen = await this.#engine.view(this.#record, undefined, since);
    while (seen.turn === "chance" && !game.gaveUp) {
      game.moves.push(drawn(seen.draws));
      seen = await this.#engine.view(this.#record, undefined, since);
    }
    if (this.#closed) return;
    keepGame(game);
    const over = seen.turn === "over" || game.gaveUp !== undefined;
    const result = over ? resultOf(seen.view.scores, game) : null;
    this.info = infoOf(game, this.#name, result);
    this.#version += 1;
    this.log = extended(this.log, seen.events);
    this.settled = true;
    this.update = this.#updateOf(seen, result, moving);
    this.onchange(this.update, this.info);
    if (seen.turn === "over" && moving) {
      addFinished(game);
      this.#told.onfinish();
    }
    if (!over && seen.seat !== game.mine) void this.#try(() => this.#think());
  }

  #updateOf(seen: EngineView, result: GameUpdate["result"], moving: boolean): GameUpdate {
    const { mine, moves } = this.#game;
    return {
      version: this.#version,
      ply: moves.length,
      phase: seen.phase,
      turn: result ? null : seen.seat,
      seats: [mine],
      view: seen.view,
      legal: !result && seen.seat === mine ? seen.legal : null,
      // What was played before the page opened is not played again on the screen.
      events: moving ? seen.events : [],
      clocks: NO_CLOCKS,
      result,
    };
  }

  async #think(): Promise<void> {
    const [version, { level, moves }] = [this.#version, this.#game];
    const [seed = 1] = crypto.getRandomValues(new Uint32Array(1));
    const seen = new Promise((done) => setTimeout(done, LEAST_THOUGHT * this.pace()));
    const [turn] = await Promise.all([this.#engine.turn(this.#record, level, seed), seen]);
    if (this.#closed || version !== this.#version) return;
    const since = moves.length;
    moves.push(...turn);
    await this.#show(since, true);
  }

  async #try(what: () => Promise<void>): Promise<void> {
    try {
      await what();
    } catch (error) {
      if (!this.#closed && !(error instanceof EngineStopped)) this.#told.onfail(error);
    }
  }
}
