// The page as an installed program: it opens without a network, and says what needs one.
import { describe, expect, inject, it } from "vitest";
import { type Visit, DESKTOP, useBrowser, visit } from "./browser";

useBrowser();

const WITH_WORKER = { ...DESKTOP, serviceWorkers: "allow" } as const;

/** Waits until the page of this build is kept. */
async function kept({ page }: Visit): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!(await caches.keys()).some((name) => name.startsWith("page-")))
      await new Promise((done) => setTimeout(done, 50));
  });
}

describe("the installed page", () => {
  it("can be installed: name, start and icons that are there", async () => {
    const manifest = (await (await fetch(`${inject("url")}/manifest.webmanifest`)).json()) as {
      name: string;
      start_url: string;
      display: string;
      icons: { src: string; sizes: string; type: string }[];
    };
    expect(manifest).toMatchObject({ name: "Bastide", start_url: "/", display: "standalone" });
    expect(manifest.icons.map((icon) => icon.sizes)).toEqual(expect.arrayContaining(["192x192", "512x512"]));
    for (const icon of manifest.icons) {
      const answer = await fetch(`${inject("url")}${icon.src}`);
      expect([icon.src, answer.status, answer.headers.get("content-type")]).toEqual([icon.src, 200, icon.type]);
    }
  });

  it("opens the rules and the lesson without a network, and says that the rest needs one", async () => {
    const reader = await visit("/", WITH_WORKER);
    await kept(reader);
    await reader.context.setOffline(true);
    await reader.page.goto("/learn");
    await reader.page.getByRole("heading", { level: 1 }).waitFor();
    await reader.page.goto("/learn/lesson");
    await reader.page.getByRole("heading", { level: 1 }).waitFor();
    await reader.page.locator("img[src^='blob:']").first().waitFor();
    await reader.page.goto("/play");
    await reader.page.getByText("The server cannot be reached").first().waitFor();
    await reader.context.setOffline(false);
    await reader.close(/Failed to load resource|WebSocket/);
  });

  it("shows a game that was looked at before, without a network", async () => {
    const id = inject("games").finished.at(-1)!;
    const reader = await visit("/", WITH_WORKER);
    const { page } = reader;
    await kept(reader);
    await page.goto(`/g/${id}`);
    await page.getByText("The game is over").first().waitFor();
    const [tiles, scores] = [
      await page.locator(".board .tile").count(),
      await page.locator("[data-seat] .points").allInnerTexts(),
    ];
    await expect
      .poll(() => page.evaluate(async (path) => (await caches.match(path)) !== undefined, `/api/games/${id}`))
      .toBe(true);
    await reader.context.setOffline(true);
    await page.goto("/learn");
    await page.goto(`/g/${id}`);
    await page
      .getByText(/No connection|cannot be reached|lost/i)
      .first()
      .waitFor();
    await expect.poll(() => page.locator(".board .tile").count()).toBe(tiles);
    expect(await page.locator("[data-seat] .points").allInnerTexts()).toEqual(scores);
    await page.getByRole("tab", { name: "Moves" }).click();
    expect(await page.getByRole("tabpanel").locator("ol button").count()).toBe(tiles - 1);
    // Another turn was not looked at: the page says that it needs the server.
    await page.getByRole("button", { name: "A turn back" }).click();
    await page
      .locator(".toast")
      .filter({ hasText: /cannot be reached/ })
      .waitFor();
    await reader.context.setOffline(false);
    await reader.close(/Failed to load resource|WebSocket/);
  });
});
