import { expect, it } from "vitest";
import { peopleMeet, whyNotRated, type TableToRate } from "./fairplay";

const TABLE: TableToRate = {
  account: true,
  seats: [{ kind: "me" }, { kind: "open" }],
  bots: [
    { name: "mason", rated: "offered" },
    { name: "master", rated: "busy" },
    { name: "greedy", rated: "never" },
  ],
  clock: { kind: "game", initial_ms: 600_000, increment_ms: 5_000 },
  seeded: false,
  help: false,
  wait: 0,
};

it("says what a rated table lacks, the first thing first", () => {
  expect(whyNotRated(TABLE)).toBeNull();
  expect(whyNotRated({ ...TABLE, account: false, clock: { kind: "none" } })).toBe("account");
  expect(whyNotRated({ ...TABLE, seats: [{ kind: "me" }, { kind: "me" }] })).toBe("table");
  expect(whyNotRated({ ...TABLE, seats: [{ kind: "bot", bot: "mason" }] })).toBe("table");
  expect(whyNotRated({ ...TABLE, seeded: true })).toBe("table");
  const against = (bot: string) => whyNotRated({ ...TABLE, seats: [{ kind: "me" }, { kind: "bot", bot }] });
  expect(["mason", "master", "greedy", "nobody"].map(against)).toEqual([null, "busy", "table", "table"]);
  expect(whyNotRated({ ...TABLE, clock: { kind: "none" } })).toBe("clock");
  expect(whyNotRated({ ...TABLE, help: true })).toBe("help");
  expect(whyNotRated({ ...TABLE, wait: 20 })).toBe("wait");
});

it("knows when people meet", () => {
  expect(peopleMeet(TABLE.seats)).toBe(true);
  expect(peopleMeet([{ kind: "me" }, { kind: "bot", bot: "mason" }])).toBe(false);
  expect(peopleMeet([{ kind: "me" }, { kind: "me" }])).toBe(false);
  expect(peopleMeet([{ kind: "open" }, { kind: "bot", bot: "mason" }])).toBe(false);
});
