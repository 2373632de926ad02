import { describe, expect, it } from "vitest";
import { match } from "./match";

const routes = [{ path: "/" }, { path: "/learn" }, { path: "/learn/lesson" }, { path: "/u/:name" }, { path: "/g/:id" }];

describe("match", () => {
  it("finds the page of an address", () => {
    expect(match(routes, "/")?.route.path).toBe("/");
    expect(match(routes, "/learn/")?.route.path).toBe("/learn");
    expect(match(routes, "/learn/lesson")?.route.path).toBe("/learn/lesson");
  });
  it("reads what stands in the gaps, decoded", () => {
    expect(match(routes, "/u/Mira")?.params).toEqual({ name: "Mira" });
    expect(match(routes, "/u/%C3%89lo%C3%AFse")?.params).toEqual({ name: "Éloïse" });
  });
  it("knows nothing of other addresses, also of broken ones", () => {
    expect(match(routes, "/u")).toBeNull();
    expect(match(routes, "/u/a/b")).toBeNull();
    expect(match(routes, "/u/%E0%A4%A")).toBeNull();
    expect(match(routes, "/nowhere")).toBeNull();
  });
});
