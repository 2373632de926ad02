import { beforeEach, expect, it, vi } from "vitest";
import { draftIn, forgetDraft, gameDraft, keepDraft, keptDraft, latestDraft, newDraft } from "./draft";
import { laidAddress } from "./text";
import { lineOf } from "./tree";

const draft = (...moves: string[]) => ({ setup: "players=2", tree: lineOf(moves), path: moves, layout: null });
const at = (address: string) => draftIn(new URL(address, "https://bastide.example").searchParams);

beforeEach(() => {
  const store = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => store.get(name) ?? null,
    setItem: (name: string, text: string) => void store.set(name, text),
    removeItem: (name: string) => void store.delete(name),
  });
});

it("each has an address of its own, at which it is found again", () => {
  const [first, second] = [newDraft(draft("V")), newDraft(draft("U"))];
  expect(first).not.toBe(second);
  expect(keptDraft(at(first)!)?.path).toEqual(["V"]);
  expect(keptDraft(at(second)!)?.path).toEqual(["U"]);
  expect(latestDraft()).toBe(second);
  keepDraft(first, draft("V", "1,0 r0"));
  expect(latestDraft()).toBe(first);
  forgetDraft(first);
  expect([keptDraft(first), latestDraft()]).toEqual([null, second]);
});

it("that of a game is the same at every ply, that of a laid position is its address; the start has none", () => {
  expect(at("/analysis?game=ab1&ply=3")).toBe(gameDraft("ab1"));
  expect(at("/analysis")).toBeNull();
  const layout = "tile U 1,0 r0 0 road0\nplayer 1";
  const laid = newDraft({ ...draft(), layout });
  expect(laid).toBe(laidAddress("players=2", layout));
  expect(keptDraft(at(laid)!)?.layout).toBe(layout);
});

it("a full store takes none, and they last as long as the page; the oldest go first", () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
    removeItem: () => undefined,
  });
  const first = newDraft(draft("V"));
  expect(keptDraft(first)?.path).toEqual(["V"]);
  for (let more = 0; more < 20; more++) newDraft(draft("U"));
  expect(keptDraft(first)).toBeNull();
});

it("what is no draft is taken for none", () => {
  sessionStorage.setItem("analysis /analysis?draft=x", "{");
  expect(keptDraft("/analysis?draft=x")).toBeNull();
});
