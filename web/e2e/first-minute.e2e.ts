// The first minute: somebody who never was here plays, learns, and stays.
import { describe, expect, it } from "vitest";
import { MOVING, PHONE, REFUSED, useBrowser, visit } from "./browser";
import { PASSWORD, register } from "./people";

useBrowser();

describe("a guest", () => {
  it("is in a game against a bot with one click, on a phone too", async () => {
    for (const device of [undefined, PHONE]) {
      const guest = await visit("/", device);
      await guest.page.getByRole("button", { name: "Play now" }).click();
      await guest.page.waitForURL(/\/g\/\w+/);
      // Something can be done: it is the guest's turn now, or after the bot's.
      await guest.page.locator("[data-cell]").first().waitFor();
      await guest.close();
    }
  });

  it("does the lesson: place, claim, finish, farm", async () => {
    const guest = await visit("/", MOVING);
    await guest.page.getByRole("link", { name: /Never played/ }).click();
    const { page } = guest;
    const turns = [
      { heading: "Place a tile", cell: "1,0", choice: null },
      { heading: "Claim a road", cell: "2,0", choice: "road0" },
      { heading: "Finish the city", cell: "-1,1", choice: "pass" },
      { heading: "Lay a farmer down", cell: null, choice: null },
    ];
    for (const { heading, cell, choice } of turns.slice(0, 3)) {
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await page.locator(`[data-cell="${cell}"]`).click();
      await page.getByRole("button", { name: "Confirm" }).click();
      if (choice) await choose(choice);
      await page.getByRole("button", { name: "Next" }).click();
    }
    await page.getByRole("heading", { level: 1, name: "Lay a farmer down" }).waitFor();
    // A turn that misses the goal is answered kindly and can be done again.
    await page.locator("[data-cell]").first().click();
    await page.getByRole("button", { name: "Confirm" }).click();
    await choose("pass");
    await page.getByText("That is allowed.").waitFor();
    await farm();
    await page.getByRole("button", { name: "Finish the lesson" }).click();
    await page.getByRole("heading", { level: 1, name: "That is the whole game" }).waitFor();
    await guest.close();

    async function choose(segment: string) {
      await page.locator(`[data-choice="${segment}"]`).click();
      await page.getByRole("button", { name: "Confirm" }).click();
    }
    /** Tries the spots one after the other until a field that touches the city is found. */
    async function farm() {
      const cells = await page
        .locator("[data-cell]")
        .evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset["cell"]!));
      for (const cell of [...new Set(cells)]) {
        await page.locator(`[data-cell="${cell}"]`).click();
        await page.getByRole("button", { name: "Confirm" }).click();
        const fields = await page
          .locator('[data-choice^="field"]')
          .evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset["choice"]!));
        for (const [index, field] of fields.entries()) {
          if (index > 0) {
            await page.locator(`[data-cell="${cell}"]`).click();
            await page.getByRole("button", { name: "Confirm" }).click();
          }
          await choose(field);
          const done = page.getByRole("button", { name: "Finish the lesson" });
          if (await done.isVisible().catch(() => false)) return;
          await page.waitForTimeout(200);
          if (await done.isVisible().catch(() => false)) return;
        }
        if (fields.length === 0) await page.keyboard.press("Escape").then(() => page.keyboard.press("Escape"));
      }
      throw new Error("no field touches the city");
    }
  });

  it("becomes a user and keeps the games", async () => {
    const guest = await visit("/");
    const { page } = guest;
    await page.getByRole("button", { name: "Play now" }).click();
    await page.waitForURL(/\/g\/\w+/);
    const game = new URL(page.url()).pathname;
    const name = await register(page);
    const codes = await page.locator("ol code").allInnerTexts();
    expect(codes.length).toBeGreaterThan(3);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.goto("/play");
    await page.locator(`a[href="${game}"]`).waitFor();

    // Out, in again with a wrong and with the right password, and by a code.
    await page.getByRole("button", { name: new RegExp(name) }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.locator("form").getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.locator("form").getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Where you are signed in" }).waitFor();

    // A token is shown once; a new name is seen in the header.
    await page.getByLabel("What it is for").fill("my program");
    await page.getByRole("button", { name: "Make a token" }).click();
    await page.getByText("Your new token, shown this once").waitFor();
    await page.getByLabel("New name").fill(`${name}x`);
    await page.getByLabel("Current password").first().fill(PASSWORD);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: new RegExp(`${name}x`) }).waitFor();

    await page.getByRole("button", { name: new RegExp(`${name}x`) }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Lost password" }).click();
    await page.getByLabel("Name", { exact: true }).fill(`${name}x`);
    await page.getByLabel("Recovery code").fill(codes[0]!);
    await page.getByLabel("New password").fill(`${PASSWORD}!`);
    await page.getByRole("button", { name: "Set the new password" }).click();
    await page.getByText(`${codes.length - 1} codes are left.`).waitFor();

    // And the end of the account, once its game is over.
    await page.evaluate((path) => fetch(`/api/games/${path.split("/").at(-1)}/resign`, { method: "POST" }), game);
    await page.getByRole("button", { name: "Delete the account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Current password").fill(`${PASSWORD}!`);
    await dialog.getByRole("button", { name: "Delete the account" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    await guest.close(REFUSED);
  });
});
