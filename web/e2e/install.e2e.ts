// The page as an installed program: it opens without a network, and says what needs one.
import { describe, expect, inject, it } from "vitest";
import { type Visit, DESKTOP, useBrowser, visit } from "./browser";

useBrowser();

const WITH_WORKER = { ...DESKTOP, serviceWorkers: "allow" } as const;

/** Waits until the page of this build is kept. */
async function kept({ page }: Visit): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!(await caches.keys()).some((name) => name.startsWith("page-"))) await new Promise((done) => setTimeout(done, 50));
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
});
