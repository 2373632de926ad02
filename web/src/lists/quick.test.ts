import { describe, expect, it } from "vitest";
import { suitableLevel } from "./quick";

const against = (label: string, won: number, lost: number) => ({ label, balance: { won, tied: 0, lost } });

describe("suitableLevel", () => {
  it("is gentle to newcomers", () => expect(suitableLevel([])).toBe("pilgrim"));
  it("goes down for who loses to that one", () => expect(suitableLevel([against("pilgrim", 0, 2)])).toBe("shepherd"));
  it("goes up past every level that is beaten", () => {
    expect(suitableLevel([against("pilgrim", 2, 1)])).toBe("peddler");
    expect(suitableLevel([against("mason", 3, 1), against("steward", 1, 4)])).toBe("steward");
  });
  it("ends at the best there is", () => expect(suitableLevel([against("master", 9, 1)])).toBe("master"));
  it("knows nothing of others than the levels", () => expect(suitableLevel([against("random", 9, 0)])).toBe("pilgrim"));
});
