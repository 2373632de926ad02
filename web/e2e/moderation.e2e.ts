// Somebody is insulted at a table, reports the line, and a moderator deals with it.
import { execFileSync } from "node:child_process";
import { expect, inject, it } from "vitest";
import { PHONE, expectAccessible, useBrowser, visit } from "./browser";
import { makeGame } from "./game/play";
import { register } from "./people";
import { program } from "./server";

useBrowser();

it("a line of chat is reported, and a moderator silences its author", async () => {
  const rude = await visit("/account");
  const rudeName = await register(rude.page);
  const id = await makeGame(rude.page, { seats: [{ kind: "me" }, { kind: "open" }], shuffle_seats: false });
  const victim = await visit(`/g/${id}`);
  await victim.page.getByRole("button", { name: "Join" }).click();
  await victim.page.getByRole("tab", { name: /Chat/ }).click();
  const say = (text: string) =>
    rude.page.evaluate(
      async ({ id, text }) =>
        (
          await fetch(`/api/games/${id}/chat`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ text }),
          })
        ).status,
      { id, text },
    );
  expect(await say("you play like an oaf")).toBe(204);
  const line = victim.page.locator("li", { hasText: "you play like an oaf" });
  await line.hover();
  await line.getByRole("button", { name: `Report what ${rudeName} says` }).click();
  const dialog = victim.page.getByRole("dialog");
  await dialog.getByText("Insults or threats").click();
  await dialog.getByLabel("What happened?").fill("He insults me.");
  await dialog.getByRole("button", { name: "Send the report" }).click();
  await victim.page.getByText("A moderator will look at it").waitFor();

  const moderator = await visit("/account");
  const name = await register(moderator.page);
  execFileSync(program(), ["admin", "role", name, "moderator", "--data", inject("data")]);
  await moderator.page.goto("/moderation");
  const card = moderator.page.getByRole("article", { name: `Report ${rudeName}` });
  await card.getByText("He insults me.").waitFor();
  expect(await card.locator(".reported").innerText()).toContain("you play like an oaf");
  await expectAccessible(moderator.page, "/moderation");
  await card.getByRole("button", { name: "Take it" }).click();
  await moderator.page.getByRole("button", { name: /^Mine/ }).click();
  await card.getByRole("link", { name: rudeName }).click();
  await moderator.page.getByRole("heading", { name: rudeName }).waitFor();
  await expectAccessible(moderator.page, "/moderation/:person");
  await moderator.page.getByLabel("Reason").fill("Insults at the table");
  await moderator.page.getByRole("button", { name: "Do it" }).click();
  await moderator.page.getByText("Silenced in chats").waitFor();
  expect(await say("again")).toBe(403);
  await moderator.page.getByLabel("Note for other moderators").fill("A day of silence.");
  await moderator.page.getByRole("button", { name: "Something was done" }).click();
  await moderator.page.getByText(`handled by ${name}`).waitFor();
  await moderator.page.getByRole("tab", { name: "Log" }).click();
  await moderator.page.getByText("chat_timeout").first().waitFor();

  const phone = await moderator.context
    .browser()!
    .newContext({ ...PHONE, baseURL: inject("url"), storageState: await moderator.context.storageState() });
  const small = await phone.newPage();
  for (const path of ["/moderation", `/moderation/${rudeName}`]) {
    await small.goto(path);
    await small.getByRole("heading", { level: 1, name: "Moderation" }).waitFor();
    await small.waitForLoadState("networkidle");
    expect(await small.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBeLessThanOrEqual(0);
  }
  await phone.close();
  await moderator.close();
  await victim.close();
  await rude.close(/403/);
});

it("is for moderators only", async () => {
  const reader = await visit("/account");
  await register(reader.page);
  await reader.page.goto("/moderation");
  await reader.page.getByText("This page is for moderators").waitFor();
  await reader.close();
});
