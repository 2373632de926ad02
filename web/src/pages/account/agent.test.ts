import { expect, it } from "vitest";
import { browserName } from "./agent";

it("names browsers and systems", () => {
  expect(
    browserName("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"),
  ).toBe("Chrome · Linux");
  expect(
    browserName("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1"),
  ).toBe("Safari · iOS");
  expect(browserName("curl/8.5.0")).toBe("curl/8.5.0");
  expect(browserName("")).toBe("");
});
