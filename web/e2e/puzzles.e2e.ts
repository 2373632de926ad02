// Puzzles in the browser: one solved, one missed, the day's with its row of days, one's own mistakes; on a desk, on a
// phone, and by keyboard.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { DESKTOP, NO_PAGE, PHONE, REFUSED, expectAccessible, useBrowser, visit } from "./browser";
import { mistakes, playedOut, reviewed } from "./reviewed";
import { program } from "./server";

useBrowser();

const FILE = new URL("./puzzles.txt", import.meta.url);
const SHIPPED = new URL("../../crates/bots/puzzles/shipped.txt", import.meta.url);

interface Known {
  id: string;
  answer: string[];
}

/** The puzzles of a file with their answers. */
function puzzlesIn(file: URL): Known[] {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return [...text.matchAll(/^puzzle (\w+)$[^]*?^answer (.*)$/gm)].map(([, id, answer]) => ({
    id: id!,
    answer: answer!.split("; "),
  }));
}

const OURS = puzzlesIn(FILE);
const answerTo = (id: string) => [...OURS, ...puzzlesIn(SHIPPED)].find((puzzle) => puzzle.id === id)!.answer;

beforeAll(() => {
  const said = execFileSync(program(), ["admin", "puzzles", FILE.pathname, "--data", inject("data")], {
    encoding: "utf8",
  });
  expect(said).toMatch(/^\d puzzles added, \d were there already\./);
});

interface Legal {
  move: string;
  then: string[];
}

const legalAt = (page: Page, address: string): Promise<Legal[]> =>
  page.evaluate(async (address) => (await (await fetch(address)).json()).legal as Legal[], address);

const legalTurns = (page: Page, id: string): Promise<Legal[]> => legalAt(page, `/api/puzzles/${id}`);

/** Puts a whole turn down and confirms it; by touch where there is one. */
async function play(page: Page, id: string, turn: readonly string[], touch = false): Promise<void> {
  await playOf(page, await legalTurns(page, id), turn, touch);
}

async function playOf(page: Page, legal: Legal[], [place, meeple]: readonly string[], touch = false): Promise<void> {
  const [cell, rotation] = place!.split(" r");
  const rotations = legal.flatMap(({ move }) => (move.startsWith(`${cell} r`) ? [Number(move.split(" r")[1])] : []));
  const spot = page.locator(`[data-cell="${cell}"]`);
  if (touch) await spot.tap();
  else await spot.click();
  const ghost = page.locator(".ghost");
  await ghost.waitFor();
  for (let turns = 0; turns < rotations.sort().indexOf(Number(rotation)); turns++) await page.keyboard.press("r");
  await page.locator(".pill .ok").click();
  const choices = page.locator("[data-choice]");
  if ((await choices.count()) === 0) return;
  await page.locator(`[data-choice="${meeple}"]`).click();
  await page.locator(".pill .ok").click();
}

/** A turn that is legal and not the answer. */
async function wrongTurn(page: Page, { id, answer }: Known): Promise<string[]> {
  const other = (await legalTurns(page, id)).find(({ move }) => move.split(" ")[0] !== answer[0]!.split(" ")[0])!;
  return [other.move, "pass"];
}

const rating = async (page: Page): Promise<{ rating: number; games: number }> =>
  page.evaluate(async () => (await (await fetch("/api/puzzles/mine")).json()).progress.rating);

it("is solved on the board, with reasons, ratings and the way to the next one", async () => {
  const solver = await visit(NO_PAGE, DESKTOP);
  const { page } = solver;
  const [known] = OURS;
  await page.goto(`/puzzles/${known!.id}`);
  await page.getByText("Find the best turn.").waitFor();
  await expectAccessible(page, "a puzzle");
  // Nothing on the page or in what it was sent tells the answer or what it is about.
  expect(await page.locator("body").innerText()).not.toMatch(/Best turn|Closing|Rating of the puzzle/);
  await play(page, known!.id, known!.answer);
  await page.getByRole("heading", { name: "Right", exact: true }).waitFor();
  await page.getByText(/^Best turn: [A-Z]+\d+/).waitFor();
  await page.getByText(/worth (exactly )?[\d.]+/).waitFor();
  await page.getByText(/Your rating 1[5-9]\d\d/).waitFor();
  expect((await rating(page)).rating).toBeGreaterThan(1500);
  await expectAccessible(page, "a puzzle that was solved");
  // What came of it is still there for who looks elsewhere and comes back.
  const outcome = await page.locator(".verdict").innerText();
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.getByText(/^Player \d to move/).waitFor();
  expect(await page.getByRole("region", { name: "Points and steps" }).innerText()).not.toMatch(/You|Rival/);
  await page.goBack();
  await page.getByRole("heading", { name: "Right", exact: true }).waitFor();
  expect(await page.locator(".verdict").innerText()).toBe(outcome);
  await page.reload();
  await page.getByRole("heading", { name: "Right", exact: true }).waitFor();
  await page.keyboard.press("n");
  await page.waitForURL((url) => /^\/puzzles\/[0-9a-f]{8}$/.test(url.pathname) && !url.pathname.endsWith(known!.id));
  await page.getByText("Find the best turn.").waitFor();
  await solver.close();
});

it("is missed on a phone: the best turn is shown, and a second try counts for nothing", async () => {
  const solver = await visit(NO_PAGE, PHONE);
  const { page } = solver;
  const known = OURS[1]!;
  await page.goto(`/puzzles/${known.id}`);
  await page.getByText("Find the best turn.").waitFor();
  await play(page, known.id, await wrongTurn(page, known), true);
  await page.getByRole("heading", { name: "Not the best" }).waitFor();
  await page.getByText(/^Best turn: [A-Z]+\d+/).waitFor();
  const after = await rating(page);
  expect(after.rating).toBeLessThan(1500);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page, "a puzzle that was missed, on a phone");
  const reasons = await page.locator(".verdict").innerText();
  await page.getByRole("button", { name: "Analyse" }).tap();
  await page.getByText(/^Player \d to move/).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Not the best" }).waitFor();
  expect(await page.locator(".verdict").innerText()).toBe(reasons);
  await page.getByRole("button", { name: "Try again" }).tap();
  await play(page, known.id, known.answer, true);
  await page.getByRole("heading", { name: "Right", exact: true }).waitFor();
  await page.getByText("Only a first answer is rated.").waitFor();
  expect(await rating(page)).toEqual(after);
  // The overview knows it.
  await page.getByRole("link", { name: "All puzzles" }).tap();
  await page.getByRole("heading", { level: 1, name: "Puzzles" }).waitFor();
  await page.getByRole("link", { name: `Puzzle ${known.id}, missed` }).waitFor();
  await expectAccessible(page, "the puzzles on a phone");
  await solver.close();
});

it("has one for the day, which counts days in a row, by keyboard alone", async () => {
  const solver = await visit("/puzzles", DESKTOP);
  const { page } = solver;
  await page.getByRole("link", { name: "Today’s puzzle" }).click();
  await page.getByRole("heading", { level: 1, name: "Puzzle of the day" }).waitFor();
  await page.waitForURL(/\/puzzles\/[0-9a-f]{8}$/);
  const id = new URL(page.url()).pathname.split("/").at(-1)!;
  const [place, meeple] = answerTo(id);
  const legal = await legalTurns(page, id);
  const [cell, rotation] = place!.split(" r");
  const rotations = legal.flatMap(({ move }) => (move.startsWith(`${cell} r`) ? [Number(move.split(" r")[1])] : []));
  await page.locator(`[data-cell="${cell}"]`).focus();
  await page.keyboard.press("Enter");
  await page.locator(".ghost").waitFor();
  for (let turns = 0; turns < rotations.sort().indexOf(Number(rotation)); turns++) await page.keyboard.press("r");
  await page.locator(".pill .ok:focus").waitFor();
  await page.keyboard.press("Enter");
  const choice = page.locator(`[data-choice="${meeple}"]`);
  if ((await page.locator("[data-choice]").count()) > 0) {
    await choice.press("Enter");
    await page.locator(".pill .ok").press("Enter");
  }
  await page.getByRole("heading", { name: "Right", exact: true }).waitFor();
  await page.getByText("1 day in a row").waitFor();
  await page.goto("/puzzles");
  await page.getByText("Solved today").waitFor();
  await page.getByText("Days in a row").waitFor();
  await expectAccessible(page, "the puzzles of somebody");
  await solver.close();
});

it("is not rated, in plain words, where the answer was shown to a guest", async () => {
  const known = OURS[2]!;
  const first = await visit(NO_PAGE, DESKTOP);
  await first.page.goto(`/puzzles/${known.id}`);
  await play(first.page, known.id, await wrongTurn(first.page, known));
  await first.page.getByRole("heading", { name: "Not the best" }).waitFor();
  await first.close();
  const member = await visit(NO_PAGE, PHONE);
  const { page } = member;
  await page.evaluate(async () => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ name: `Solver${Date.now() % 1_000_000}`, password: "a long password" });
    const answer = await fetch("/api/register", { method: "POST", headers, body });
    if (!answer.ok) throw new Error(await answer.text());
  });
  await page.goto(`/puzzles/${known.id}`);
  await page.getByText("Find the best turn.").waitFor();
  await play(page, known.id, known.answer, true);
  await page.getByRole("heading", { name: "Right", exact: true }).waitFor();
  await page.getByText(/^Not rated: the answer was shown at your address within a day/).waitFor();
  expect((await rating(page)).rating).toBe(1500);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page, "a puzzle that is not rated");
  await member.close();
});

it("shows one's own mistakes to their owner alone, who solves them as puzzles", async () => {
  const owner = await visit(NO_PAGE, PHONE);
  const { page } = owner;
  const seats = [{ kind: "me" }, { kind: "bot", bot: "shepherd" }];
  const id = await playedOut(page, { seats, shuffle_seats: false, options: { board: "4x4" } });
  await reviewed(page, id);
  const clear = (await mistakes(page, id)).filter((each) => each.player === 0 && each.category !== "inaccuracy");
  expect(clear, "who plays whatever is legal first makes mistakes").not.toEqual([]);
  await page.goto("/puzzles");
  await page.getByText("Against Shepherd").waitFor();
  const links = page.getByRole("link", { name: /^Solve the mistake at ply/ });
  expect(await links.count()).toBe(clear.length);
  await expectAccessible(page, "one's own mistakes");
  await links.first().tap();
  await page.getByRole("heading", { level: 1, name: "A mistake of yours" }).waitFor();
  const { ply, played, best } = clear[0]!;
  await page.waitForURL(new RegExp(`/puzzles/own/${id}/${ply}$`));
  const legal = await legalAt(page, `/api/puzzles/own/${id}?ply=${ply}`);
  await page.getByText("You lost points here in a game of yours.").waitFor();
  expect(await page.locator("body").innerText()).not.toMatch(/Best turn/);
  await expectAccessible(page, "a mistake of one's own");
  await playOf(page, legal, played, true);
  await page.getByRole("heading", { name: "Not the best" }).waitFor();
  await page.getByText(/^Best turn: [A-Z]+\d+/).waitFor();
  await page.getByRole("button", { name: "Try again" }).tap();
  await playOf(page, legal, best, true);
  await page.getByRole("heading", { name: "Right", exact: true }).waitFor();
  await page.getByText(/^In the game you played /).waitFor();
  await page.getByRole("button", { name: "Play on from here" }).waitFor();
  expect(await page.locator("body").innerText()).not.toMatch(/Your rating|Rating of the puzzle/);
  expect((await rating(page)).games).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page, "a mistake of one's own that was solved");
  const next = clear[1];
  if (next) {
    await page.keyboard.press("n");
    await page.waitForURL(new RegExp(`/puzzles/own/${id}/${next.ply}$`));
    await page.getByText("Find the best turn.").waitFor();
  }
  // Somebody else sees none of it.
  const stranger = await visit(NO_PAGE, DESKTOP);
  await stranger.page.evaluate(() =>
    fetch("/api/guest", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }),
  );
  await stranger.page.goto(`/puzzles/own/${id}/${ply}`);
  await stranger.page.getByText("There is no such mistake of yours.").waitFor();
  await stranger.page.goto("/puzzles");
  await stranger.page.getByRole("heading", { level: 1, name: "Puzzles" }).waitFor();
  expect(await stranger.page.getByText("Against Shepherd").count()).toBe(0);
  await stranger.close(REFUSED);
  await owner.close();
});
