import { describe, expect, it } from "vitest";
import { allowed, choices, chosen, defaults } from "./options";
import type { JsonSchema } from "./schema";

const schema = {
  type: "object",
  properties: {
    farmers: { type: "boolean", default: true },
    start: {
      type: "string",
      enum: ["tile", "empty"],
      oneOf: [
        { const: "tile", title: "A tile" },
        { const: "empty", title: "Nothing" },
      ],
      default: "tile",
    },
    board: { type: "string", pattern: "^(unlimited|\\d+x\\d+)$", examples: ["unlimited", "9x9"], default: "unlimited" },
    rows: { type: "integer", minimum: 1, maximum: 25 },
    expansions: { type: "array", items: { type: "string", enum: ["inns", "river"] }, default: [] },
  },
} satisfies JsonSchema;

describe("options", () => {
  it("start at their defaults, or at the least that is allowed; lists have forms of their own", () => {
    expect(defaults(schema)).toEqual({ farmers: true, start: "tile", board: "unlimited", rows: 1 });
  });
  it("lists choices with their titles", () => {
    expect(choices(schema.properties.start)).toEqual([
      { value: "tile", title: "A tile" },
      { value: "empty", title: "Nothing" },
    ]);
    expect(choices(schema.properties.board)).toEqual([]);
  });
  it("knows what the schema allows", () => {
    const { start, board, rows } = schema.properties;
    expect(allowed(start, "empty")).toBe(true);
    expect(allowed(start, "full")).toBe(false);
    expect(allowed(board, "9x9")).toBe(true);
    expect(allowed(board, "big")).toBe(false);
    expect([0, 1, 25, 26, 2.5, NaN].map((n) => allowed(rows, n))).toEqual([false, true, true, false, false, false]);
  });
  it("sends only what differs", () => {
    expect(chosen(schema, { ...defaults(schema), farmers: false })).toEqual({ farmers: false });
  });
});
