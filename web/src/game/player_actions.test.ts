import { expect, it } from "vitest";
import type { GameInfo } from "../wire/GameInfo";
import type { SeatInfo } from "../wire/SeatInfo";
import { possible } from "./player_actions";

const person = (seat: number, user: string): SeatInfo => ({
  seat,
  sitter: { kind: "user", user, name: user, bot_account: false },
  rating: null,
  rating_change: null,
  online: true,
  leaves_in_ms: null,
  claim_in_ms: null,
  out: null,
});
const bot = (seat: number): SeatInfo => ({ ...person(seat, ""), sitter: { kind: "bot", bot: "mason" } });
const game = (seats: SeatInfo[], more: Partial<GameInfo>) =>
  ({
    status: "playing",
    seats,
    rated: false,
    pass_and_play: false,
    help_allowed: true,
    help_agreed: false,
    result: null,
    ...more,
  }) as GameInfo;

it("offers the engine where it helps, and nowhere else", () => {
  const two = [person(0, "ada"), person(1, "bob")];
  const closed = game(two, { help_allowed: false });
  for (const mine of [[], [0]]) expect(possible(closed, mine, 5)).toMatchObject({ help: false, hint: false });
  expect(possible(closed, [0], 5).agreeOnHelp).toBe(true);
  expect(possible(closed, [], 5).agreeOnHelp).toBe(false);
  const open = game(two, { help_agreed: true });
  expect(possible(open, [0], 5)).toMatchObject({ help: true, hint: true });
  expect(possible(open, [], 5)).toMatchObject({ help: true, hint: false });
  expect(possible(game(two, { rated: true, help_allowed: false }), [0], 5).agreeOnHelp).toBe(false);
  const alone = game([person(0, "ada"), bot(1)], {});
  expect(possible(alone, [0], 5)).toMatchObject({ help: true, hint: true, agreeOnHelp: false });
  expect(possible(alone, [], 5).help).toBe(false);
  expect(possible({ ...closed, status: "over", help_allowed: true }, [], 5).help).toBe(true);
});
