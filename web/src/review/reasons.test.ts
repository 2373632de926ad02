// Reasons in words: facts first, then parts, and nothing that the numbers do not carry.
import { beforeAll, describe, expect, it } from "vitest";
import { need } from "../i18n/index.svelte";
import type { ReviewFact } from "../wire/ReviewFact";
import type { ReviewReason } from "../wire/ReviewReason";
import { reasonText, reasonWords, shortReason, supportingFacts, weighedReasons } from "./reasons";
import { decision } from "./sample";

const NAMES = ["Mira", "Ysolde"];
const part = (player: number, source: ReviewReason["source"], points: number) => ({
  player,
  source,
  points,
  error: 0.3,
});
const fact = (best: boolean, what: ReviewFact["what"], count: number | null = null): ReviewFact => ({
  best,
  what,
  source: "city",
  count,
});
const lost = (margin: number, reasons: ReviewReason[], facts: ReviewFact[] = []) =>
  decision({
    lost: [
      { margin, win: 0.1 },
      { margin: -margin, win: -0.1 },
    ],
    category: "mistake",
    reasons,
    facts,
  });

beforeAll(() => need("review"));

describe("parts", () => {
  it("are the mover's gains and the others' losses, the price told too", () => {
    const found = lost(4, [part(0, "field", -1.1), part(0, "city", 2.5), part(1, "road", -3)]);
    expect(reasonWords(found, NAMES)).toEqual(["Ysolde −3.0 in roads, +2.5 in cities, at the price of −1.1 in fields"]);
    expect(shortReason(found, NAMES)).toBe("Ysolde −3.0 in roads, +2.5 in cities");
  });

  it("say nothing if they explain less than half of the loss", () => {
    expect(weighedReasons(lost(8, [part(0, "city", 2)]))).toBeNull();
    expect(weighedReasons(lost(8, [part(0, "city", 6), part(1, "city", 3)]))).toBeNull();
    expect(reasonWords(lost(8, [part(0, "city", 2)]), NAMES)).toEqual([]);
    expect(shortReason(lost(8, [part(0, "city", 2)]), NAMES)).toBe("");
  });

  it("say nothing if all of them point the other way", () => {
    expect(weighedReasons(lost(0, [part(1, "city", 2)]))).toBeNull();
  });

  it("are told as what they are where all of it comes later", () => {
    const found = lost(4.7, [part(0, "later", 4.7)]);
    expect(reasonWords(found, NAMES)).toEqual([
      "The difference shows only later: +4.7 points expected after the next turns",
    ]);
    expect(shortReason(found, NAMES)).toBe("Shows only later: +4.7 points");
    const more = lost(4, [part(0, "later", 4), part(0, "city", 1)]);
    expect(reasonWords(more, NAMES)).toEqual(["+4.0 in later turns, +1.0 in cities"]);
  });

  it("name the price of what comes later, but not in the short words", () => {
    const found = lost(5.5, [part(0, "later", 7), part(1, "road", 1.5)]);
    expect(reasonWords(found, NAMES)).toEqual(["+7.0 in later turns, at the price of Ysolde +1.5 in roads"]);
    expect(shortReason(found, NAMES)).toBe("Shows only later: +7.0 points");
  });

  it("count meeples as meeples, not as points", () => {
    expect(weighedReasons(lost(2, [part(0, "meeples", 3)]))).toBeNull();
    const found = lost(2, [part(0, "city", 2), part(0, "meeples", 0.6)]);
    expect(reasonWords(found, NAMES)).toEqual(["+2.0 in cities, +0.6 meeples in hand"]);
  });
});

describe("facts", () => {
  it("come first, if they speak for the engine's turn", () => {
    const found = lost(4, [part(0, "later", 4)], [fact(true, "scores", 8), fact(false, "last_meeple")]);
    expect(reasonWords(found, NAMES)).toEqual([
      "the better turn scores 8 at once (city)",
      "the turn played takes the last meeple",
      "+4.0 in later turns",
    ]);
    expect(shortReason(found, NAMES)).toBe("The better turn scores 8 at once (city)");
  });

  it("say once whose turn does several things", () => {
    const found = lost(4, [], [fact(true, "scores", 8), fact(true, "frees", 1), fact(false, "gives", 3)]);
    expect(reasonText(found, NAMES)).toBe(
      "The better turn scores 8 at once (city), brings 1 meeple back; the turn played gives 3 away (city)",
    );
  });

  it("are left out where they speak for the turn that was played", () => {
    const found = lost(4, [], [fact(false, "scores", 8), fact(true, "last_meeple"), fact(true, "gives", 4)]);
    expect(supportingFacts(found)).toEqual([]);
  });

  it("tell of blocked spots only where points follow from it", () => {
    expect(supportingFacts(lost(4, [], [fact(true, "blocks", 1)]))).toEqual([]);
    expect(supportingFacts(lost(4, [part(1, "city", -3)], [fact(true, "blocks", 1)]))).toHaveLength(1);
    expect(supportingFacts(lost(4, [part(1, "city", -3)], [fact(false, "blocks", 1)]))).toEqual([]);
  });
});
