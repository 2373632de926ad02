// A review while it is made, with a server that is not there: growing, broken off, done, stopped.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Review } from "../wire/Review";
import type { ReviewJob } from "../wire/ReviewJob";
import type { ReviewLine } from "../wire/ReviewLine";
import type { ReviewHere } from "./here";
import { Making } from "./making.svelte";
import { SAMPLE_STEPS } from "./sample";

const REVIEW: Review = { depth: "quick", net: "", finished: true, steps: SAMPLE_STEPS, players: [] };
const job = (of: Partial<ReviewJob>): ReviewJob => ({
  depth: "quick",
  state: "running",
  done: 0,
  plies: 9,
  ahead: 0,
  review: null,
  ...of,
});
const steps = (count: number): ReviewLine[] =>
  SAMPLE_STEPS.slice(0, count).map((step) => ({ type: "step", step, done: step.ply, plies: 9 }));

let asked: string[] = [];

/** A server that answers with a job, and with one stream after the other; `null` breaks off, `gone` is refused. */
function server(answer: ReviewJob, ...streams: ((ReviewLine | null)[] | "gone")[]): void {
  asked = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET" }: RequestInit = {}) => {
    asked.push(`${method} ${address}`);
    if (method === "DELETE") return new Response(null, { status: 204 });
    if (!address.includes("/stream")) return Response.json(answer);
    const lines = streams.shift() ?? [];
    if (lines === "gone") return Response.json({ code: "not_found", message: "POST asks for one" }, { status: 404 });
    const bytes = new TextEncoder();
    const body = new ReadableStream<Uint8Array>(
      {
        // A line when it is wanted: what was sent before the connection breaks is read.
        pull(controller) {
          const line = lines.shift();
          if (line === null) controller.error(new TypeError("gone"));
          else if (line) controller.enqueue(bytes.encode(`${JSON.stringify(line)}\n\n`));
          if (line?.type === "done") controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body);
  });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("shows one that is there, without a stream", async () => {
  server(job({ state: "done", review: REVIEW }));
  const making = new Making("x", "quick");
  await making.look();
  expect(making.state).toBe("done");
  expect(making.course.turns).toHaveLength(3);
  expect(asked).toEqual(["GET /api/games/x/review?depth=quick"]);
});

it("asks for nothing where there is none", async () => {
  server(job({ state: "absent", plies: 0 }));
  const making = new Making("x", "deep");
  await making.look();
  expect(making.state).toBe("absent");
  expect(asked).toEqual(["GET /api/games/x/review?depth=deep"]);
});

it("grows step by step", async () => {
  server(job({ state: "waiting", ahead: 2 }), [{ type: "state", state: "running", ahead: 0 }, ...steps(4)]);
  const making = new Making("x", "quick");
  await making.look();
  expect([making.state, making.ahead]).toEqual(["waiting", 2]);
  await vi.advanceTimersByTimeAsync(200);
  expect(making.state).toBe("running");
  expect(making.course.turns).toHaveLength(2);
  expect([making.done, making.plies]).toEqual([5, 9]);
  making.close();
});

it("reads on after a broken connection, and takes nothing off the screen meanwhile", async () => {
  server(job({}), [...steps(4), null], [...steps(2), null], [...steps(7), { type: "done", review: REVIEW }]);
  const making = new Making("x", "quick");
  await making.look();
  await vi.advanceTimersByTimeAsync(200);
  expect(making.course.turns).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(making.course.turns, "fewer steps came").toHaveLength(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(making.state).toBe("done");
  expect(making.course.turns).toHaveLength(3);
});

it("tells when it was interrupted, and when it cannot be made", async () => {
  server(job({}), [...steps(4), { type: "failed", error: "no" }]);
  const making = new Making("x", "quick");
  await making.look();
  await vi.advanceTimersByTimeAsync(200);
  expect(making.state).toBe("interrupted");
  expect(making.course.turns, "what was reviewed stays").toHaveLength(2);
  server(job({}), [{ type: "failed", error: "no" }]);
  await making.look();
  await vi.advanceTimersByTimeAsync(200);
  expect(making.state).toBe("failed");
});

it("was interrupted if the server knows nothing of it any more", async () => {
  server(job({}), [...steps(4), null], "gone");
  const making = new Making("x", "quick");
  await making.look();
  await vi.advanceTimersByTimeAsync(200);
  expect([making.state, making.lost]).toEqual(["running", true]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(making.state).toBe("interrupted");
  expect(making.course.turns).toHaveLength(2);
});

it("stops, and keeps what is there", async () => {
  server(job({}), steps(4));
  const making = new Making("x", "quick");
  await making.look();
  await vi.advanceTimersByTimeAsync(200);
  await making.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(making.state).toBe("absent");
  expect(making.course.turns).toHaveLength(2);
  expect(asked.filter((request) => request.startsWith("DELETE"))).toHaveLength(1);
  expect(asked.filter((request) => request.includes("/stream"))).toHaveLength(1);
});

/** This page's own engine: tells some steps, then the review, or fails. */
function engine(count = 7): ReviewHere & { asked: number } {
  const own = {
    asked: 0,
    prepare: async () => undefined,
    stop: () => undefined,
    async review(told: (line: ReviewLine) => void) {
      own.asked += 1;
      if (count === 0) throw new Error("refused");
      steps(count).forEach(told);
      return REVIEW;
    },
  };
  return own;
}

it("is made here while others are before it in the server's line", async () => {
  server(job({ state: "waiting", ahead: 3 }), []);
  const own = engine();
  const making = new Making("x", "quick", own);
  await making.look();
  expect(own.asked, "looking makes nothing").toBe(0);
  await making.start();
  await vi.advanceTimersByTimeAsync(10);
  expect([making.state, making.here, own.asked]).toEqual(["done", true, 1]);
  making.close();
});

it("is made here where the server is too busy to take it, and only where the page may", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ code: "unavailable", message: "busy" }, { status: 503 }));
  const making = new Making("x", "quick", engine());
  await making.start();
  expect([making.state, making.here]).toEqual(["done", true]);
  for (const own of [engine(0), null]) {
    const refused = new Making("x", "quick", own);
    await refused.start();
    expect([refused.state, refused.here]).toEqual(["unknown", false]);
  }
});
