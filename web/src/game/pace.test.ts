// The page takes its time for turns, and none for anything else.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FromServer } from "../wire/FromServer";
import { Pace } from "./pace";

const turn = (version: number, ...more: string[]) =>
  ({
    type: "update",
    update: { version, events: ["tile_placed", ...more].map((event) => ({ event })) },
  }) as unknown as FromServer;
const quiet = (version: number) => ({ type: "update", update: { version, events: [] } }) as unknown as FromServer;

describe("the pace", () => {
  let shown: unknown[];
  let [speed, clocked] = [1, false];
  const pace = () =>
    new Pace({
      show: (m) => shown.push(m.type === "update" ? m.update.version : m.type),
      speed: () => speed,
      clocked: () => clocked,
    });
  beforeEach(() => {
    vi.useFakeTimers();
    [shown, speed, clocked] = [[], 1, false];
  });
  afterEach(() => vi.useRealTimers());

  it("shows a turn at once, and the answer after a breath", () => {
    const p = pace();
    p.take(turn(1));
    p.take(turn(2));
    expect(shown).toEqual([1]);
    vi.advanceTimersByTime(600);
    expect(shown).toEqual([1]);
    vi.advanceTimersByTime(100);
    expect(shown).toEqual([1, 2]);
  });

  it("lets points be seen to their end", () => {
    const p = pace();
    p.take(turn(1, "feature_scored"));
    p.take(turn(2));
    vi.advanceTimersByTime(1_550);
    expect(shown).toEqual([1]);
    vi.advanceTimersByTime(100);
    expect(shown).toEqual([1, 2]);
  });

  it("keeps the order: what follows a turn that waits, waits with it", () => {
    const p = pace();
    p.take(turn(1));
    p.take(turn(2));
    p.take({ type: "info" } as unknown as FromServer);
    expect(shown).toEqual([1]);
    vi.advanceTimersByTime(700);
    expect(shown).toEqual([1, 2, "info"]);
    p.take(quiet(3));
    expect(shown).toEqual([1, 2, "info", 3]);
  });

  it("waits less with clocks, not at all without animations, and never falls behind", () => {
    clocked = true;
    const p = pace();
    p.take(turn(1, "feature_scored"));
    p.take(turn(2));
    vi.advanceTimersByTime(700);
    expect(shown).toEqual([1, 2]);
    for (let version = 3; version < 10; version++) p.take(turn(version));
    expect(shown.length).toBeGreaterThanOrEqual(6);
    p.flush();
    expect(shown).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    speed = 0;
    p.take(turn(10));
    p.take(turn(11));
    expect(shown.slice(-2)).toEqual([10, 11]);
  });
});
