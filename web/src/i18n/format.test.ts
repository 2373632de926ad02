import { describe, expect, it } from "vitest";
import { format } from "./format";

describe("format", () => {
  it("fills gaps with values, numbers as the language writes them", () => {
    expect(format("Hello {name}", { name: "Mira" }, "en")).toBe("Hello Mira");
    expect(format("{n} games", { n: 1234.5 }, "en")).toBe("1,234.5 games");
    expect(format("{n} parties", { n: 1234 }, "fr")).toBe("1\u202f234 parties");
  });
  it("leaves a gap that has no value, so that it is seen", () => {
    expect(format("Hello {name}", {}, "en")).toBe("Hello {name}");
  });
  it("chooses the form for one or many by the language's own rule", () => {
    const message = "{n} tile | {n} tiles";
    expect(format(message, { n: 1 }, "en")).toBe("1 tile");
    expect(format(message, { n: 0 }, "en")).toBe("0 tiles");
    expect(format("{n} tuile | {n} tuiles", { n: 0 }, "fr")).toBe("0 tuile");
    expect(format("{n} 枚", { n: 5 }, "ja")).toBe("5 枚");
  });
});
