// The whole site walked, on a phone and on a desk, in both themes, on a server with forty games: the
// header is there, nothing overlaps, no text is cut, nothing jumps, axe is content, no error is written.
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { DESKTOP, PHONE, useBrowser, violations, visit } from "./browser";
import { register } from "./people";

useBrowser();

/** What may move while a page loads, added up over all that moves. */
const MOST_SHIFT = 0.02;

function pages(name: string): string[] {
  const { finished, running, waiting, ended } = inject("games");
  return [
    "/",
    "/play",
    "/play?match",
    "/local",
    "/watch",
    "/games",
    "/games?mine",
    "/ranking",
    "/bots/shepherd",
    "/bots/master",
    `/u/${name}`,
    "/u/nobody-has-this",
    "/learn",
    "/learn/lesson",
    "/learn/lesson/traders",
    "/tinytown",
    "/analysis",
    "/studies",
    "/puzzles",
    "/account",
    "/settings",
    "/nowhere",
    `/fair/${finished[0]}`,
    `/g/${finished.at(-1)}`,
    `/g/${finished[4]}`,
    `/g/${running[2]}`,
    `/g/${waiting[0]}`,
    `/g/${ended[0]}`,
    `/g/${finished[1]}/review`,
    `/g/${finished[0]}/review`,
    `/g/${finished[0]}/review?practise=0`,
    `/analysis?game=${finished[0]}&ply=40`,
  ];
}

describe("the whole site", () => {
  for (const theme of ["light", "dark"] as const) {
    for (const [device, options] of [
      ["desk", DESKTOP],
      ["phone", PHONE],
    ] as const) {
      it(`stands on a ${device} in the ${theme} theme`, { timeout: 3_600_000, retry: 0 }, async () => {
        const reader = await visit("/account", { ...options, colorScheme: theme });
        const { page } = reader;
        await page.addInitScript(watchShifts);
        const name = await register(page);
        await page.getByRole("button", { name: "I have kept them" }).click();
        await played(page);
        await reviewed(page, inject("games").finished[0]!);
        const found: string[] = [];
        for (const path of pages(name)) {
          await page.goto(path);
          await page.locator("#content h1, #content h2, #content .world img").first().waitFor({ state: "attached" });
          await page.waitForLoadState("networkidle");
          await page.waitForTimeout(300);
          const game = path.startsWith("/g/") || path.startsWith("/learn/lesson");
          const faults = await page.evaluate(look, { board: game, bar: !game || device === "desk", most: MOST_SHIFT });
          const serious = await violations(page);
          const here = [...faults, ...serious].map((fault) => `${path}: ${fault}`);
          // Told at once: the whole way is long.
          for (const fault of here) console.error(`${device}, ${theme}: ${fault}`);
          found.push(...here);
        }
        expect(found).toEqual([]);
        // Pages about what is not there are answered with 404, and say so.
        await reader.close(/404/);
      });
    }
  }
});

/** Has a game reviewed; the second time it is there already. */
async function reviewed(page: Page, id: string): Promise<void> {
  await page.evaluate(async (id) => {
    const headers = { "content-type": "application/json" };
    await fetch(`/api/games/${id}/review`, { method: "POST", headers, body: "{}" });
    await (await fetch(`/api/games/${id}/review/stream`)).text();
  }, id);
}

/** A finished game of one's own, so that no list is empty. */
async function played(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const post = (path: string, body: unknown) =>
      fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const made = await post("/api/games", {
      game: "carcassonne",
      shuffle_seats: false,
      seats: [{ kind: "me" }, { kind: "bot", bot: "shepherd" }],
    });
    const { info } = await made.json();
    for (let turns = 0; turns < 4;) {
      const { update } = await (await fetch(`/api/games/${info.id}`)).json();
      if (!update.legal) continue;
      await post(`/api/games/${info.id}/play`, { version: update.version, moves: [update.legal[0].move, "pass"] });
      turns += 1;
    }
    await post(`/api/games/${info.id}/resign`, {});
  });
}

interface Shifts {
  shifted: number;
  moved: string[];
}

function watchShifts(): void {
  const seen = globalThis as unknown as Shifts;
  seen.shifted = 0;
  seen.moved = [];
  const watcher = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as {
      value: number;
      hadRecentInput: boolean;
      sources?: { node: Node | null }[];
    }[]) {
      if (entry.hadRecentInput) continue;
      seen.shifted += entry.value;
      for (const { node } of entry.sources ?? [])
        if (node instanceof Element) seen.moved.push(`${node.tagName.toLowerCase()}.${[...node.classList].join(".")}`);
    }
  });
  watcher.observe({ type: "layout-shift", buffered: true });
}

/** What is wrong with the page as it stands; runs in the browser. */
function look({ board, bar, most }: { board: boolean; bar: boolean; most: number }): string[] {
  const faults: string[] = [];
  const name = (element: Element) => {
    const text = (element.getAttribute("aria-label") ?? element.textContent ?? "")
      .trim()
      .replace(/\s+/g, " ")
      .slice(0, 40);
    return `${element.tagName.toLowerCase()}${[...element.classList]
      .filter((each) => !each.startsWith("svelte"))
      .map((each) => `.${each}`)
      .join("")} “${text}”`;
  };
  const isSeen = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest(".unseen, .skip, [aria-hidden=true]");

  /** The part of an element that no frame around it hides. */
  const seenBox = (element: Element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const box = { left, top, right, bottom };
    for (let around = element.parentElement; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const frame = around.getBoundingClientRect();
      if (overflowX !== "visible")
        [box.left, box.right] = [Math.max(box.left, frame.left), Math.min(box.right, frame.right)];
      if (overflowY !== "visible")
        [box.top, box.bottom] = [Math.max(box.top, frame.top), Math.min(box.bottom, frame.bottom)];
    }
    return box;
  };

  const header = document.querySelector("#app > header");
  const high = header?.getBoundingClientRect();
  if (bar && !(high && high.height >= 40 && high.top >= 0 && isSeen(header!))) faults.push("the header is not there");

  const over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) faults.push(`${over} px stick out to the side`);

  // Text that does not fit where it is hidden.
  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    const own = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== "",
    );
    if (!own || !(element instanceof HTMLElement) || !isSeen(element) || (board && element.closest(".stage"))) continue;
    const style = getComputedStyle(element);
    if (style.overflowX !== "visible" && style.overflowX !== "auto" && element.scrollWidth > element.clientWidth + 1)
      faults.push(`cut at the side: ${name(element)}`);
    if (style.overflowY !== "visible" && style.overflowY !== "auto" && element.scrollHeight > element.clientHeight + 2)
      faults.push(`cut below: ${name(element)}`);
  }

  // Controls and lines of text that lie over one another without belonging together.
  const parts = [
    ...document.body.querySelectorAll(
      "a, button, select, input:not([type=radio], [type=checkbox]), h1, h2, h3, p, td, th, dt, dd, legend, summary",
    ),
  ]
    .filter((element) => isSeen(element) && !(board && element.closest(".stage")))
    .map((element) => ({ element, box: seenBox(element) }))
    .filter(({ box }) => box.right - box.left > 1 && box.bottom - box.top > 1);
  for (const [at, one] of parts.entries()) {
    for (const other of parts.slice(at + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const tall = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (wide > 2 && tall > 2) faults.push(`${name(one.element)} overlaps ${name(other.element)}`);
    }
  }

  const { shifted, moved } = globalThis as unknown as { shifted: number; moved: string[] };
  if (shifted > most) faults.push(`moved by ${shifted.toFixed(3)} while loading: ${[...new Set(moved)].join(", ")}`);
  return faults;
}
