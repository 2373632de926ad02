// A server as it looks after a busy day: about forty games, running, finished, left alone, waiting for
// players. All tests in the browser run against it: an empty server hides faults.

/** The ids of the games, by what became of them. */
export interface ManyGames {
  /** Somebody is to move, and may come back. */
  running: string[];
  /** Played to the end, by two to six players. */
  finished: string[];
  /** Ended before their end: resigned or called off. */
  ended: string[];
  /** Guests who made a few turns and went away for good. */
  abandoned: string[];
  /** Tables with an open seat. */
  waiting: string[];
}

interface Seen {
  info: { id: string; status: string };
  update: { version: number; turn: number | null; seats: number[]; legal: { move: string; then: string[] }[] | null };
}

/** The weakest players think least. */
const BOTS = ["shepherd", "pilgrim"] as const;
/** A board that is soon full. */
const SMALL = { board: "4x4" };

/** Somebody with a cookie of their own. */
export class Person {
  #cookie = "";
  constructor(readonly url: string) {}

  /** For a browser's context. */
  get cookie(): { name: string; value: string; url: string } {
    const at = this.#cookie.indexOf("=");
    return { name: this.#cookie.slice(0, at), value: this.#cookie.slice(at + 1), url: this.url };
  }

  async send<T>(method: "GET" | "POST", path: string, body?: object): Promise<T> {
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (this.#cookie) headers["cookie"] = this.#cookie;
    const answer = await fetch(this.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const cookie = answer.headers.get("set-cookie");
    if (cookie) this.#cookie = cookie.split(";")[0]!;
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }

  async open(game: object): Promise<string> {
    return (await this.send<Seen>("POST", "/api/games", { game: "carcassonne", shuffle_seats: false, ...game })).info
      .id;
  }

  look(id: string): Promise<Seen> {
    return this.send<Seen>("GET", `/api/games/${id}`);
  }

  /** Makes so many turns of one's own: the last that is legal, with a meeple where one may stand. */
  async play(id: string, turns: number): Promise<void> {
    for (let made = 0; made < turns;) {
      const { info, update } = await this.look(id);
      if (info.status !== "playing") return;
      const move = update.turn !== null && update.seats.includes(update.turn) ? update.legal?.at(-1) : undefined;
      if (!move) {
        await pause(50);
        continue;
      }
      await this.send("POST", `/api/games/${id}/play`, {
        version: update.version,
        moves: [move.move, move.then[0] ?? "pass"],
      });
      made += 1;
    }
  }
}

/** Fills a server; ends when the games that should be over are over. */
export async function fillWithGames(url: string): Promise<ManyGames> {
  const games: ManyGames = { running: [], finished: [], ended: [], abandoned: [], waiting: [] };
  const guest = async () => {
    const person = new Person(url);
    await person.send("POST", "/api/guest", {});
    return person;
  };
  const bots = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ kind: "bot", bot: BOTS[i % BOTS.length] }));
  const host = await guest();

  for (let i = 0; i < 18; i++) games.finished.push(await host.open({ seats: bots(2 + (i % 5)), options: SMALL }));
  games.finished.push(await host.open({ seats: bots(2) }));
  for (let i = 0; i < 8; i++) {
    const player = await guest();
    const id = await player.open({ seats: [{ kind: "me" }, ...bots(1 + (i % 3))] });
    await player.play(id, 1 + i);
    games.running.push(id);
  }
  for (let i = 0; i < 5; i++) {
    const player = await guest();
    const id = await player.open({ seats: [{ kind: "me" }, { kind: "bot", bot: "shepherd" }] });
    await player.play(id, i % 2);
    games.abandoned.push(id);
  }
  for (let i = 0; i < 4; i++) {
    const player = await guest();
    const id = await player.open({ seats: [{ kind: "me" }, { kind: "bot", bot: "shepherd" }] });
    await player.play(id, i < 2 ? 3 : 0);
    await player.send("POST", `/api/games/${id}/${i < 2 ? "resign" : "abort"}`, {});
    games.ended.push(id);
  }
  for (let i = 0; i < 3; i++)
    games.waiting.push(await (await guest()).open({ seats: [{ kind: "me" }, { kind: "open" }] }));

  for (const id of games.finished) {
    for (let tries = 0; (await host.look(id)).info.status !== "over"; tries++) {
      if (tries > 2_000) throw new Error(`the game ${id} of bots alone does not end`);
      await pause(100);
    }
  }
  return games;
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
