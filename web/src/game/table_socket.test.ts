// The line against a server that answers late, twice, or not at all.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FromServer } from "../wire/FromServer";
import type { Problem } from "../wire/Problem";
import { TableSocket, type SocketStatus, MessageRefused, type SocketLike } from "./table_socket";

class FakeSocket implements SocketLike {
  sent: { type: string; id?: number }[] = [];
  closed = false;
  onopen: SocketLike["onopen"] = null;
  onclose: SocketLike["onclose"] = null;
  onmessage: SocketLike["onmessage"] = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string; id?: number });
  }
  close(): void {
    this.closed = true;
  }
  hear(message: object): void {
    (this.onmessage as ((event: object) => void) | null)?.({ data: JSON.stringify(message) });
  }
  break(): void {
    (this.onclose as (() => void) | null)?.();
  }
  plays(): number[] {
    return this.sent.filter((m) => m.type === "play").map((m) => m.id!);
  }
}

let sockets: FakeSocket[];
let heard: FromServer[];
let states: SocketStatus[];
let problem: Problem | null;

function line(): TableSocket {
  return new TableSocket({
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    probe: () => Promise.resolve(problem),
    onmessage: (message) => heard.push(message),
    onstatus: (status) => states.push(status),
  });
}
const last = () => sockets.at(-1)!;
const state = () => states.at(-1)?.state;
const WELCOME = { type: "welcome" };

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, heard, states, problem] = [[], [], [], null];
});
afterEach(() => {
  vi.useRealTimers();
});

test("a message is answered by its number", async () => {
  const table = line();
  last().hear(WELCOME);
  expect(state()).toBe("open");
  const first = table.say({ type: "play", version: 3, moves: ["1,0 r0", "pass"] });
  const second = table.say({ type: "resign" });
  const [one, two] = last().sent.map((m) => m.id);
  last().hear({ type: "refused", id: two, problem: { code: "over", message: "The game is over." } });
  last().hear({ type: "done", id: one, played: { version: 4 } });
  await expect(first).resolves.toEqual({ version: 4 });
  await expect(second).rejects.toThrow("The game is over.");
  await expect(second).rejects.toBeInstanceOf(MessageRefused);
  table.close();
});

test("what was not answered is sent again under the same number", async () => {
  const table = line();
  const early = table.say({ type: "play", version: 1, moves: ["pass"] });
  expect(last().sent).toEqual([]);
  last().hear(WELCOME);
  const number = last().plays()[0]!;
  last().break();
  expect(state()).toBe("lost");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sockets).toHaveLength(2);
  expect(last().sent).toEqual([]);
  last().hear(WELCOME);
  expect(last().plays()).toEqual([number]);
  last().hear({ type: "done", id: number });
  await expect(early).resolves.toBeNull();
  last().break();
  await vi.advanceTimersByTimeAsync(1_000);
  last().hear(WELCOME);
  expect(last().plays()).toEqual([]);
  table.close();
});

test("numbers do not come back in another line", () => {
  const numbers = [line(), line()].map((table, i) => {
    vi.setSystemTime(Date.now() + 5 * i);
    sockets[i]!.hear(WELCOME);
    void table.say({ type: "resign" });
    return sockets[i]!.sent[0]!.id!;
  });
  const later = (vi.setSystemTime(Date.now() + 10), line());
  last().hear(WELCOME);
  void later.say({ type: "resign" });
  expect(numbers).not.toContain(last().sent[0]!.id);
});

test("attempts come further apart, to 30 s, and at once when the tab is back", async () => {
  const table = line();
  const waits: number[] = [];
  for (let i = 0; i < 7; i++) {
    last().break();
    const status = states.at(-1)!;
    waits.push(status.retryAt! - Date.now());
    if (i < 6) await vi.advanceTimersByTimeAsync(waits.at(-1)!);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  const before = sockets.length;
  table.hurry();
  expect(sockets).toHaveLength(before + 1);
  last().hear(WELCOME);
  last().break();
  expect(states.at(-1)!.retryAt! - Date.now()).toBe(1_000);
  table.close();
});

test("a silent server is noticed, then given up", async () => {
  const table = line();
  const first = last();
  first.hear(WELCOME);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(first.sent).toEqual([{ type: "ping" }]);
  first.hear({ type: "pong" });
  await vi.advanceTimersByTimeAsync(2_500);
  expect(first.sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(state()).toBe("shaky");
  first.hear({ type: "pong" });
  expect(state()).toBe("open");
  await vi.advanceTimersByTimeAsync(15_000);
  expect(first.closed).toBe(true);
  expect(sockets.length).toBeGreaterThan(1);
  table.close();
});

test("a socket that never welcomes is given up", async () => {
  const table = line();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state()).toBe("lost");
  table.close();
});

test("a table that does not exist is said so, and not asked for again", async () => {
  problem = { code: "not_found", message: "There is no game 'x'." };
  const table = line();
  last().break();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(states.at(-1)).toEqual({ state: "refused", retryAt: null, problem });
  expect(sockets).toHaveLength(1);
  table.close();
});

test("a closed line stays closed", async () => {
  const table = line();
  last().hear(WELCOME);
  table.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toHaveLength(1);
  expect(last().closed).toBe(true);
});
