// What a browser keeps of games without a server, and how they come to it: each once.
import { beforeEach, expect, it, vi } from "vitest";
import { resultOf } from "./info";
import { addFinished, finishedGames, keepGame, keptGame, newGame, recordOf } from "./kept";

const store = new Map<string, string>();
/** What the server was asked to take, and how it answers: an id, a status, or not at all. */
let handed: { offline_key: string; names: string[] }[] = [];
let answers: (string | number | null)[] = [];

beforeEach(() => {
  vi.resetModules();
  store.clear();
  handed = [];
  answers = [];
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => store.get(name) ?? null,
    setItem: (name: string, value: string) => void store.set(name, value),
    removeItem: (name: string) => void store.delete(name),
  });
  const listens = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal("document", { ...listens, visibilityState: "hidden" });
  vi.stubGlobal("addEventListener", listens.addEventListener);
  vi.stubGlobal("removeEventListener", listens.removeEventListener);
  vi.stubGlobal("fetch", async (path: string, { body }: { body?: string } = {}) => {
    if (path === "/api/session") return Response.json({ id: "u", name: "Ada", guest: true });
    if (path !== "/api/import") throw new TypeError("gone");
    const answer = answers.shift() ?? null;
    if (answer === null) throw new TypeError("gone");
    handed.push(JSON.parse(body ?? "{}"));
    if (typeof answer === "number") return Response.json({ code: "bad", message: "no" }, { status: answer });
    return Response.json({ id: answer, plies: 1, finished: true }, { status: 201 });
  });
});

const game = (level: string, mine: number) => ({
  ...newGame(level, mine, "carcassonne players=2"),
  moves: ["U", "1,0 r0"],
});
const handIn = async () => (await import("./hand_in")).handIn();

it("goes on with the game that was played last, as far as it was kept", () => {
  expect(keptGame()).toBeNull();
  const played = game("mason", 1);
  keepGame(played);
  expect(keptGame()).toEqual(played);
  expect(recordOf(played)).toBe("carcassonne players=2\nU\n1,0 r0\n");
  store.set("local-game", "{ broken");
  expect(keptGame(), "what cannot be read is no game").toBeNull();
});

it("hands a finished game in once, under its own key, and remembers where it is", async () => {
  const played = game("mason", 1);
  keepGame(played);
  addFinished(played);
  addFinished(played);
  answers = ["g1"];
  expect(await handIn()).toEqual(["g1"]);
  expect(handed).toMatchObject([{ offline_key: played.key, names: ["Mason", "Ada"] }]);
  expect([finishedGames(), keptGame()?.stored]).toEqual([[], "g1"]);
  expect(await handIn()).toEqual([]);
  expect(handed).toHaveLength(1);
});

it("keeps what the server could not be asked about, and drops what it refuses", async () => {
  const [first, second] = [game("mason", 0), game("master", 0)];
  addFinished(first);
  addFinished(second);
  expect(await handIn()).toEqual([]);
  expect(finishedGames()).toHaveLength(2);
  answers = [503, "never"];
  await handIn();
  expect(finishedGames(), "busy: later").toHaveLength(2);
  answers = [422, "g2"];
  expect(await handIn()).toEqual(["g2"]);
  expect(finishedGames()).toEqual([]);
});

it("counts a result as the server does: most points, shared at a tie; who gives up has lost", () => {
  expect(resultOf([30, 21], { mine: 0 })).toMatchObject({ winners: [0], places: [1, 2], reason: "normal" });
  expect(resultOf([21, 21], { mine: 0 })).toMatchObject({ winners: [0, 1], places: [1, 1] });
  expect(resultOf([30, 21], { mine: 0, gaveUp: "resign" })).toMatchObject({ winners: [1], places: [2, 1] });
  expect(resultOf([0, 0], { mine: 0, gaveUp: "abort" })).toMatchObject({ winners: [], places: [], reason: "abort" });
});
