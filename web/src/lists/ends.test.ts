import { beforeAll, describe, expect, it } from "vitest";
import { need } from "../i18n/index.svelte";
import type { GameInfo } from "../wire/GameInfo";
import type { Reason } from "../wire/Reason";
import { endWords } from "./ends";

beforeAll(() => need("lists"));

const game = (reason: Reason, ...out: (Reason | null)[]) =>
  ({
    result: { reason, winners: [], scores: [], places: [] },
    seats: ["Mira", "Tomas", "Odile"].map((name, seat) => ({
      sitter: { kind: "user", user: name, name, bot_account: false },
      out: out[seat] ?? null,
    })),
  }) as unknown as GameInfo;

describe("endWords", () => {
  it("names who resigned", () => expect(endWords(game("resign", null, "resign"))).toBe("Tomas resigned"));
  it("names all of them", () => expect(endWords(game("resign", "resign", "resign"))).toBe("Mira, Tomas resigned"));
  it("names whose time ran out", () => expect(endWords(game("time", "time"))).toBe("Mira ran out of time"));
  it("says what was agreed", () => expect(endWords(game("draw"))).toBe("agreed draw"));
  it("says nothing of a game that was counted", () => expect(endWords(game("normal"))).toBe(""));
});
