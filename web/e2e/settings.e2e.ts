// Settings: at once, kept with the account or in the browser; and refusals in the reader's language.
import { expect, it } from "vitest";
import { DESKTOP, REFUSED, expectAccessible, useBrowser, visit } from "./browser";
import { AGAINST_A_BOT, makeGame, myTurn } from "./game/play";
import { PASSWORD, register } from "./people";

useBrowser();

it("a guest's settings stay in the browser and change how a turn is made", async () => {
  const guest = await visit("/settings");
  const { page } = guest;
  await page.getByText("Kept in this browser").waitFor();
  await expectAccessible(page, "settings");
  await page.getByRole("switch", { name: /Confirm each turn/ }).click({ force: true });
  await page.getByText("Oak").click();
  await page.reload();
  expect(await page.getByRole("switch", { name: /Confirm each turn/ }).isChecked()).toBe(false);
  expect(await page.locator("html").getAttribute("data-table")).toBe("oak");

  const id = await makeGame(page, AGAINST_A_BOT);
  await page.goto(`/g/${id}`);
  await myTurn(page);
  await page.locator("[data-cell]").first().click();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.locator('[data-choice="pass"]').click();
  await expect.poll(() => page.locator(".board .tile").count()).toBeGreaterThan(1);
  await guest.close();
});

it("one's own seat has the colour and the mark that one likes", async () => {
  const guest = await visit("/settings");
  const { page } = guest;
  await page.getByRole("radio", { name: "Green, a square" }).check({ force: true });
  const id = await makeGame(page, AGAINST_A_BOT);
  await page.goto(`/g/${id}`);
  await myTurn(page);
  const [own, third] = await page.evaluate(() =>
    ["--p1", "--p3"].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name)),
  );
  expect([own, third]).toEqual(["#009e73", "#0072b2"]);
  const mark = page.locator('[data-seat="0"] svg path[class*="mark"]').first();
  await expect.poll(() => mark.getAttribute("d")).toBe("M-4-4H4V4H-4Z");
  await page.getByRole("link", { name: "Watch" }).first().click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--p1"))).toBe(
    "#0072b2",
  );
  await guest.close();
});

it("an account's settings are the same on every device", async () => {
  const here = await visit("/account");
  const name = await register(here.page);
  await here.page.getByRole("button", { name: "I have kept them" }).click();
  // What the account keeps comes late, after something was changed here.
  const late = here.page.waitForResponse(
    (answer) => answer.url().endsWith("/api/me/settings") && answer.request().method() === "GET",
  );
  await here.page.route("**/api/me/settings", async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const response = await route.fetch();
    await new Promise((done) => setTimeout(done, 3000));
    await route.fulfill({ response });
  });
  await here.page.goto("/settings");
  await here.page.getByText("Kept with your account").waitFor();
  const saved = here.page.waitForResponse(
    (answer) => answer.url().endsWith("/api/me/settings") && answer.request().method() === "PUT",
  );
  await here.page.getByText("Slate").click();
  expect((await saved).status()).toBe(200);
  await (await late).finished();
  await here.page.waitForTimeout(300);
  expect(await here.page.locator("html").getAttribute("data-table")).toBe("slate");
  await here.close();

  const there = await visit("/account");
  await there.page.getByLabel("Name", { exact: true }).fill(name);
  await there.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await there.page.locator("form").getByRole("button", { name: "Sign in" }).click();
  await there.page.getByRole("heading", { name: "Where you are signed in" }).waitFor();
  await there.page.goto("/settings");
  await expect.poll(() => there.page.locator("html").getAttribute("data-table")).toBe("slate");
  await there.close();
});

it("a refusal is told in the reader's language", async () => {
  const reader = await visit("/play", { ...DESKTOP, locale: "fr-FR" });
  const { page } = reader;
  const refusal = {
    status: 409,
    contentType: "application/json",
    body: JSON.stringify({ code: "conflict", message: "you sit in too many games" }),
  };
  await page.route("**/api/games", (route) => route.fulfill(refusal));
  await page.getByRole("button", { name: "Commencer" }).click();
  await page.getByText("Cela ne va pas avec ce qui existe déjà").waitFor();
  expect(await page.getByText("you sit in too many games", { exact: false }).count()).toBe(0);
  await reader.close(REFUSED);
});

it("the account form tells in the reader's language what is wrong, until a field changes", async () => {
  const owner = await visit("/account");
  const name = await register(owner.page);
  await owner.close();

  const reader = await visit("/account", { ...DESKTOP, locale: "fr-FR" });
  const { page } = reader;
  const submit = (word: string) => page.locator("form").getByRole("button", { name: word }).click();
  const fill = async (who: string, password: string) => {
    await page.getByLabel("Nom", { exact: true }).fill(who);
    await page.getByLabel("Mot de passe", { exact: true }).fill(password);
  };
  await page.getByRole("button", { name: "Se connecter" }).first().click();
  await fill(name, "not the password");
  await submit("Se connecter");
  await page.getByText("ce n’est pas son mot de passe").waitFor();
  await page.getByRole("button", { name: "Créer un compte" }).first().click();
  expect(await page.getByRole("alert").count()).toBe(0);
  await fill(name, PASSWORD);
  await submit("Créer un compte");
  await page.getByText("Ce nom est déjà pris").waitFor();
  await fill("admin", PASSWORD);
  await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  await submit("Créer un compte");
  await page.getByText("Ce nom ne peut pas être utilisé").waitFor();
  await reader.close(REFUSED);
});
