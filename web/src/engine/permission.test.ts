// The page does not start the engine while its user plays a game in which help is not allowed.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Engine } from "./client";

let started = 0;
/** How often the server was asked for running games. */
let asked = 0;

/** A server with these running games; `null` is away, a number an error, "nobody" knows no one. Nothing else is asked of it. */
function server(games: { status: string; help_allowed: boolean }[] | number | "nobody" | null): void {
  vi.stubGlobal("fetch", async (address: string) => {
    if (games === null || address === "/healthz") throw new TypeError("gone");
    if (address === "/api/session") return Response.json(games === "nobody" ? null : { id: "1", name: "Mira" });
    expect(address).toBe("/api/lobby/mine");
    asked += 1;
    if (games === "nobody") throw new Error("nobody has games");
    if (typeof games === "number") return Response.json({ code: "no", message: "no" }, { status: games });
    return Response.json({ games: games.map((info) => ({ info })), next: null });
  });
}

beforeEach(() => {
  vi.resetModules();
  vi.doMock("./files", () => ({ hasEngine: () => true, MODULE: "/engine.wasm", netFile: String }));
  [started, asked] = [0, 0];
  // The page would look for a server that is away again and again, after the test too.
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  // What the page listens to while the server is away.
  const listens = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal("document", listens);
  vi.stubGlobal("addEventListener", listens.addEventListener);
  vi.stubGlobal("removeEventListener", listens.removeEventListener);
  vi.stubGlobal(
    "Worker",
    class {
      constructor() {
        started += 1;
      }
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** An answer of the server holds no longer. */
const later = () => vi.setSystemTime(Date.now() + 1_001);

const PLAYING = { status: "playing", help_allowed: false };
const fresh = async (): Promise<{ engine: Engine; refuse: () => Promise<void> }> => ({
  engine: new (await import("./client")).Engine(),
  refuse: (await import("./permission")).refuseEngine,
});

it("is not started while its user plays without help", async () => {
  const { engine } = await fresh();
  server([{ status: "waiting", help_allowed: true }, PLAYING]);
  await expect(engine.view("carcassonne")).rejects.toThrow("playing a game without help");
  await expect(engine.analyse({ record: "carcassonne", nodes: 1 })).rejects.toThrow("playing a game");
  await expect(engine.review("carcassonne", () => undefined)).rejects.toThrow("playing a game");
  expect(started).toBe(0);
});

it("may think beside games with help, for who has no game, and for who is nobody", async () => {
  const { refuse } = await fresh();
  for (const games of ["nobody" as const, [], [{ status: "playing", help_allowed: true }], 401]) {
    server(games);
    later();
    await expect(refuse()).resolves.toBeUndefined();
  }
});

it("goes by the server's last word while it is away, and does not think without one", async () => {
  const { refuse } = await fresh();
  server(null);
  await expect(refuse()).rejects.toThrow();
  server([]);
  await refuse();
  server(null);
  later();
  await expect(refuse()).resolves.toBeUndefined();
  server([PLAYING]);
  later();
  await expect(refuse()).rejects.toThrow();
  server(null);
  later();
  await expect(refuse(), "the game may go on").rejects.toThrow();
});

it("asks once for what is wanted within a second, and again after it", async () => {
  const { refuse } = await fresh();
  server([]);
  await Promise.all([refuse(), refuse(), refuse()]);
  await refuse();
  expect(asked).toBe(1);
  // A game that begins is known a second later at most.
  server([PLAYING]);
  later();
  await expect(refuse()).rejects.toThrow("playing a game");
  await expect(refuse()).rejects.toThrow("playing a game");
  expect(asked).toBe(2);
  server([]);
  later();
  await refuse();
  expect(asked).toBe(3);
});

it("asks again at once after an answer that was none", async () => {
  const { refuse } = await fresh();
  server(500);
  await expect(refuse()).rejects.toThrow();
  server([PLAYING]);
  await expect(refuse()).rejects.toThrow("playing a game");
});
