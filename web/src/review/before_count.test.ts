// Who led before the final count.
import { expect, it } from "vitest";
import type { GameEvent } from "../game/events";
import { leadBeforeCount } from "./before_count";

const counted = (player: number, points: number) => ({ event: "end_game_points", player, points }) as GameEvent;

it("takes off what was counted at the end, and nothing else", () => {
  const events = [{ event: "feature_scored", player: 1, points: 3 } as GameEvent, counted(1, 41), counted(0, 5)];
  expect(leadBeforeCount([93, 107], events)).toEqual({ seat: 0, points: 22 });
  expect(leadBeforeCount([10, 12], [counted(1, 2)])).toEqual({ seat: null, points: 0 });
});

it("says nothing where nothing was counted, or nobody could lead", () => {
  expect(leadBeforeCount([10, 12], [])).toBeNull();
  expect(leadBeforeCount([12], [counted(0, 2)])).toBeNull();
});
