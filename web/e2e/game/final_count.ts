// The count at the end of a game, as somebody sees it who looks at every step.
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Waits for the count that plays by itself, then steps through it: each step adds its points to one player. */
export async function expectFinalCount(page: Page, scores: number[]): Promise<void> {
  const shown = async () =>
    (await page.locator("[data-seat] .points b").allInnerTexts()).map((text) => Number.parseInt(text, 10));
  await expect.poll(shown, { timeout: 120_000 }).toEqual(scores);

  const result = page.getByRole("region", { name: "The game is over" });
  await result.getByRole("button", { name: "Before the count" }).click();
  await result.getByText("Before the final count.").waitFor();
  const sums = async () => (await result.locator(".sums span").allInnerTexts()).map(Number);
  const before = await sums();
  expect(before.every((sum, seat) => sum <= scores[seat]!)).toBe(true);
  const next = result.getByRole("button", { name: "Next step" });
  const all = (points: number[]) => points.reduce((sum, one) => sum + one, 0);
  while (await next.isEnabled()) {
    const was = all(await sums());
    await next.click();
    const step = await result.locator(".step b").innerText();
    expect(all(await sums())).toBe(was + Number(step));
  }
  expect(await sums()).toEqual(scores);
}
