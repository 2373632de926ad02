// What decided a game: the winner's margin, told apart into skill, luck, the start and what is not explained.
import type { ReviewedPlayer } from "../wire/ReviewedPlayer";

export type PartName = "skill" | "luck" | "start" | "rest";

export interface Part {
  name: PartName;
  /** For the winner if above 0, against them if below; in tenths of a point, exactly. */
  points: number;
}

export interface Decided {
  seat: number;
  /** The sum of the parts as they are shown. */
  margin: number;
  parts: Part[];
}

/** A worth of the start below this is told with the rest. */
const TINY = 0.5;

/** Whose margin is told: the winner's; among equals the first. */
export function decidedBy(players: readonly ReviewedPlayer[]): Decided | null {
  const seat = players.reduce((best, { result }, at) => (result.margin > players[best]!.result.margin ? at : best), 0);
  const player = players[seat];
  if (!player) return null;
  const { skill, luck, start, rest, result } = player;
  const names: PartName[] =
    Math.abs(start.margin) < TINY ? ["skill", "luck", "rest"] : ["skill", "luck", "start", "rest"];
  const exact = { skill: skill.margin, luck: luck.margin, start: start.margin, rest: rest.margin };
  if (names.length === 3) exact.rest += exact.start;
  const tenths = roundedTo(
    names.map((name) => exact[name] * 10),
    Math.round(result.margin * 10),
  );
  return { seat, margin: sum(tenths) / 10, parts: names.map((name, at) => ({ name, points: tenths[at]! / 10 })) };
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

/** Whole numbers near the values that add up to the whole: those that were cut most are raised. */
export function roundedTo(values: readonly number[], whole: number): number[] {
  const floors = values.map(Math.floor);
  const missing = whole - sum(floors);
  const byCut = values.map((value, at) => ({ at, cut: value - floors[at]! })).sort((a, b) => b.cut - a.cut);
  // What does not add up by more than rounding is shown in the last part, which is what is not explained.
  if (missing < 0 || missing > values.length) {
    const rounded = values.map(Math.round);
    rounded[rounded.length - 1]! += whole - sum(rounded);
    return rounded;
  }
  for (const { at } of byCut.slice(0, missing)) floors[at]! += 1;
  return floors;
}
