import { describe, expect, it } from "vitest";
import { dockOf } from "./beside";

describe("the buttons of a turn in a narrow view", () => {
  it("lie at its foot where it is high, at its side where it is low", () => {
    expect(dockOf({ width: 390, height: 540 }, 4)).toBe("foot");
    expect(dockOf({ width: 390, height: 388 }, 4)).toBe("foot");
    expect(dockOf({ width: 375, height: 307 }, 4)).toBe("side");
    expect(dockOf({ width: 455, height: 334 }, 4)).toBe("side");
  });
  it("and at its side where there are many of them", () => {
    expect(dockOf({ width: 390, height: 388 }, 9)).toBe("side");
  });
});
