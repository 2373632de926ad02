// Several people at one table: two who play, one of them cut off for a while, one who watches.
import { connect, createServer, type Server, type Socket } from "node:net";
import { expect, inject, it } from "vitest";
import { DESKTOP, useBrowser, visit, NO_PAGE } from "../browser";
import { SMALL, TINY, makeGame, myTurn, standing, turnByMouse } from "./play";

useBrowser();

/** A way to the server that can be cut. */
class Wire {
  #server: Server;
  #sockets = new Set<Socket>();
  #cut = false;

  private constructor(
    readonly url: string,
    server: Server,
  ) {
    this.#server = server;
  }

  static async to(url: string): Promise<Wire> {
    const { port } = new URL(url);
    let wire: Wire;
    const server = createServer((near) => {
      if (wire.#cut) return void near.destroy();
      const far = connect(Number(port), "127.0.0.1");
      for (const socket of [near, far]) {
        wire.#sockets.add(socket);
        socket.on("error", () => socket.destroy());
        socket.on("close", () => (near.destroy(), far.destroy(), wire.#sockets.delete(socket)));
      }
      near.pipe(far);
      far.pipe(near);
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const address = server.address() as { port: number };
    return (wire = new Wire(`http://127.0.0.1:${address.port}`, server));
  }

  cut(): void {
    this.#cut = true;
    for (const socket of this.#sockets) socket.destroy();
  }
  mend(): void {
    this.#cut = false;
  }
  close(): void {
    this.cut();
    this.#server.close();
  }
}

/** What Chromium itself writes when there is no way to the server. */
const NO_WAY = /ERR_|WebSocket connection to/;

it("two people play each other; one is cut off and comes back without a reload", async () => {
  const wire = await Wire.to(inject("url"));
  const anna = await visit(NO_PAGE);
  const id = await makeGame(anna.page, { ...TINY, seats: [{ kind: "me" }, { kind: "open" }], shuffle_seats: false });
  await anna.page.goto(`/g/${id}`);
  await anna.page.getByText("Send this address to a friend").waitFor();

  const ben = await visit(`/g/${id}`, { ...DESKTOP, baseURL: wire.url });
  await ben.page.getByRole("button", { name: "Join" }).click();
  await anna.page.locator("[data-cell]").first().waitFor();
  await turnByMouse(anna.page, 1);
  await myTurn(ben.page);

  // Ben has put his tile down when the line breaks.
  await ben.page.locator("[data-cell]").first().click();
  await ben.page.locator(".ghost").waitFor();
  wire.cut();
  await ben.page
    .getByRole("alert")
    .getByText(/Connection lost|slow to answer/)
    .waitFor();
  await anna.page.locator('[data-seat="1"]').getByText(/^left/).waitFor();
  expect(await ben.page.locator(".ghost").count()).toBe(1);
  wire.mend();
  await ben.page
    .getByRole("button", { name: "Try now" })
    .click({ timeout: 5_000 })
    .catch(() => undefined);
  await ben.page.getByRole("alert").waitFor({ state: "detached" });
  await anna.page.locator('[data-seat="1"]').getByText(/^left/).waitFor({ state: "detached" });
  expect(await ben.page.locator(".ghost").count(), "what was put down stays").toBe(1);
  await ben.page.getByRole("button", { name: "Confirm" }).click();
  await ben.page.getByRole("radio", { name: /^No meeple/ }).click();
  await ben.page.getByRole("button", { name: "Confirm" }).click();
  await myTurn(anna.page);

  // A turn confirmed without a line is played when the line is back, once.
  await anna.page.locator("[data-cell]").first().waitFor();
  await turnByMouse(anna.page, 2);
  await myTurn(ben.page);
  const { turns } = await standing(anna.page, id);
  wire.cut();
  await ben.page.getByRole("alert").waitFor();
  await turnByMouse(ben.page, 2);
  wire.mend();
  await expect.poll(async () => (await standing(anna.page, id)).turns, { timeout: 60_000 }).toBe(turns + 1);
  await myTurn(anna.page);

  for (let number = 3; number < 60; number++) {
    const { status, turn } = await standing(anna.page, id);
    if (status === "over") break;
    const { page } = turn === 0 ? anna : ben;
    if (!(await myTurn(page))) break;
    await turnByMouse(page, number);
    await expect
      .poll(
        async () => {
          const now = await standing(anna.page, id);
          return now.status === "over" || now.turn !== turn;
        },
        { timeout: 60_000 },
      )
      .toBe(true);
  }
  await anna.page.getByRole("button", { name: "Rematch" }).click();
  await ben.page.getByText(/wants a rematch/).waitFor();
  await ben.page.getByRole("button", { name: "Accept" }).click();
  await Promise.all(
    [anna, ben].map(({ page }) =>
      page.waitForURL((url) => url.pathname.startsWith("/g/") && !url.pathname.endsWith(id)),
    ),
  );
  await ben.page.locator("[data-cell]").first().waitFor();
  await ben.close(NO_WAY);
  await anna.close();
  wire.close();
}, 400_000);

it("a spectator sees the moves as they are made, may not move, and talks apart", async () => {
  const anna = await visit(NO_PAGE);
  const id = await makeGame(anna.page, { ...SMALL, seats: [{ kind: "me" }, { kind: "me" }], shuffle_seats: false });
  await anna.page.goto(`/g/${id}`);
  await myTurn(anna.page);
  const carl = await visit(`/g/${id}`);
  const placed = carl.page.getByRole("tabpanel").locator("ol button");
  await carl.page.getByText("No tile has been placed yet").waitFor();
  for (const number of [1, 2, 3]) {
    await myTurn(anna.page);
    await turnByMouse(anna.page, number);
    await expect.poll(() => placed.count(), { timeout: 60_000 }).toBe(number);
  }
  expect(await carl.page.locator("[data-cell]").count()).toBe(0);
  expect(await carl.page.getByRole("button", { name: "Resign" }).count()).toBe(0);
  await anna.page.locator("footer").getByText("1 watching").waitFor({ state: "attached" });

  await anna.page.getByRole("tab", { name: "Chat" }).click();
  await anna.page.getByRole("textbox", { name: "Say something" }).fill("for players only");
  await anna.page.getByRole("textbox", { name: "Say something" }).press("Enter");
  await anna.page.getByText("for players only").waitFor();
  await carl.page.getByRole("tab", { name: "Chat" }).click();
  await carl.page.getByText("Only those who watch read this.").waitFor();
  expect(await carl.page.getByText("for players only").count()).toBe(0);
  await carl.close();
  await anna.close();
});

it("a game of bots alone can be watched", async () => {
  const reader = await visit(NO_PAGE);
  const seats = [
    { kind: "bot", bot: "shepherd" },
    { kind: "bot", bot: "shepherd" },
    { kind: "bot", bot: "pilgrim" },
  ];
  const id = await makeGame(reader.page, { ...SMALL, seats });
  await reader.page.goto(`/g/${id}`);
  await reader.page.getByRole("region", { name: "The game is over" }).waitFor({ timeout: 120_000 });
  expect(await reader.page.locator("[data-seat]").count()).toBe(3);
  await reader.close();
});

it("a game that does not exist is said so, with a way out", async () => {
  const reader = await visit("/g/nothing-here");
  await reader.page.getByRole("heading", { name: "This game cannot be shown" }).waitFor();
  await reader.page.getByRole("link", { name: "To the lobby" }).click();
  await reader.page.waitForURL("**/play");
  await reader.close(/404|WebSocket connection to/);
});
