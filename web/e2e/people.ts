// People that the tests need.
import type { Page } from "playwright-core";

export const PASSWORD = "correct horse battery";

let count = 0;

/** A name that nobody has yet. */
export function freshName(): string {
  count += 1;
  return `p${Date.now().toString(36)}${count}`;
}

/** Makes an account on the account page, with whoever is here; answers with its name. */
export async function register(page: Page, name = freshName()): Promise<string> {
  await page.goto("/account");
  await page.getByRole("button", { name: "Create an account" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.locator("form").getByRole("button", { name: "Create an account" }).click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  return name;
}
