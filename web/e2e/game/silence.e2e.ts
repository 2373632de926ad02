// A player who does not move: the other sees how long, then claims the win or calls the game off.
import { afterAll, beforeAll, expect, it } from "vitest";
import { DESKTOP, PHONE, useBrowser, visit, NO_PAGE } from "../browser";
import { Server } from "../server";
import { SMALL, makeGame } from "./play";

useBrowser();

let server: Server;
beforeAll(async () => {
  server = await Server.start(["--claim-silent-seconds", "12", "--claim-absent-seconds", "12"]);
});
afterAll(() => server?.stop());

const SEATS = { ...SMALL, seats: [{ kind: "me" }, { kind: "open" }], shuffle_seats: false };

for (const [device, view] of [
  ["desktop", DESKTOP],
  ["phone", PHONE],
] as const) {
  it(`on a ${device} a silent player loses the win, after a time that both see`, async () => {
    const anna = await visit(NO_PAGE, { ...DESKTOP, baseURL: server.url });
    const id = await makeGame(anna.page, SEATS);
    await anna.page.goto(`/g/${id}`);
    const ben = await visit(`/g/${id}`, { ...view, baseURL: server.url });
    await ben.page.getByRole("button", { name: "Join" }).click();
    // Anna is there and does not move.
    await anna.page.locator("[data-cell]").first().waitFor();
    await ben.page
      .getByText(/has not moved for a while\. You may claim the win in\s+0:0\d/)
      .waitFor({ timeout: 60_000 });
    await ben.page.getByRole("button", { name: "Claim the win" }).click({ timeout: 60_000 });
    await ben.page.getByText("You won").first().waitFor();
    await ben.close();
    await anna.close();
  }, 200_000);
}

it("or the game is called off, which nobody has won", async () => {
  const anna = await visit(NO_PAGE, { ...DESKTOP, baseURL: server.url });
  const id = await makeGame(anna.page, SEATS);
  await anna.page.goto(`/g/${id}`);
  const ben = await visit(`/g/${id}`, { ...DESKTOP, baseURL: server.url });
  await ben.page.getByRole("button", { name: "Join" }).click();
  await ben.page.getByText(/has not moved for too long/).waitFor({ timeout: 60_000 });
  // The foot has a button of that name too while a game is young.
  await ben.page.locator(".silence").getByRole("button", { name: "Call off" }).click();
  await ben.page.getByText("The game was called off").waitFor();
  const { result } = (await (await fetch(`${server.url}/api/games/${id}`)).json()).info;
  expect(result).toMatchObject({ reason: "abort", winners: [] });
  await ben.close();
  await anna.close();
}, 200_000);
