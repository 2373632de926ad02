// Addresses of a review.
import { expect, it } from "vitest";
import { reviewAddress, seatOf } from "./address";

it("writes addresses that say no more than they must", () => {
  expect(reviewAddress("a b")).toBe("/g/a%20b/review");
  expect(reviewAddress("x", { depth: "quick", ply: 86 })).toBe("/g/x/review?ply=86");
  expect(reviewAddress("x", { depth: "deep", practise: 0 })).toBe("/g/x/review?depth=deep&practise=0");
});

it("reads the seat to practise, if the game has it", () => {
  expect(seatOf(new URLSearchParams("practise=1"), 2)).toBe(1);
  expect(seatOf(new URLSearchParams("practise=2"), 2)).toBeNull();
  expect(seatOf(new URLSearchParams("practise=x"), 2)).toBeNull();
  expect(seatOf(new URLSearchParams(""), 2)).toBeNull();
});
