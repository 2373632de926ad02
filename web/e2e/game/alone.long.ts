// A whole game of 72 tiles against a bot, with all that moves.
import { expect, it } from "vitest";
import { MOVING, expectAccessible, useBrowser, visit, NO_PAGE } from "../browser";
import { expectFinalCount } from "./final_count";
import { AGAINST_A_BOT, makeGame, myTurn, playToTheEnd, standing, turnByMouse } from "./play";

useBrowser();

it("a guest plays a whole game against a bot with the mouse, and sees the count", async () => {
  const { page, close } = await visit(NO_PAGE, MOVING);
  const id = await makeGame(page, AGAINST_A_BOT);
  await page.goto(`/g/${id}`);
  await myTurn(page);
  await expectAccessible(page, "a game");
  const own = await playToTheEnd(page, turnByMouse);
  const { status, scores, turns } = await standing(page, id);
  expect(status).toBe("over");
  // A tile that fits nowhere is set aside, which takes a turn away now and then.
  expect(turns).toBeGreaterThanOrEqual(68);
  expect(turns).toBeLessThanOrEqual(71);
  expect(own).toBe(Math.ceil(turns / 2));
  await expectFinalCount(page, scores);
  await expectAccessible(page, "a finished game");
  await close();
}, 600_000);
