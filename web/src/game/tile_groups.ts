// The tiles left by set: the base game's, then those of each set that is played.
import { KINDS, TABLE } from "../art";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { SetName } from "../wire/SetName";
import { type KindLeft, kindsLeft } from "./odds";

export interface TileGroup {
  name: SetName | "base";
  left: number;
  kinds: KindLeft[];
}

/** What the next tile is drawn from: the river's while there are any, its lake last. */
export function nextFrom({ bag, sets }: CarcassonneView): Record<string, number> {
  if (!sets || sets.river_remaining === 0) return bag;
  const river = Object.entries(bag).filter(([kind, left]) => kind.startsWith("RI/") && left > 0);
  const before = river.filter(([kind]) => kind !== LAKE);
  return Object.fromEntries(before.length > 0 ? before : river);
}

const LAKE = "RI/I.e";

const kindsOf = (set: SetName) => Object.keys(TABLE).filter((kind) => TABLE[kind]!.set === set);

export function groupsOf(view: CarcassonneView): TileGroup[] {
  const { bag, discards, sets } = view;
  const next = nextFrom(view);
  const group = (name: TileGroup["name"], kinds: readonly string[]): TileGroup => {
    const rows = kindsLeft(bag, discards, kinds, next);
    return { name, left: rows.reduce((sum, row) => sum + row.left, 0), kinds: rows };
  };
  const base = group("base", KINDS);
  // A tile with a garden lies in the place of the one with the same letter.
  if (sets?.names.includes("gardens"))
    for (const row of base.kinds)
      row.all -= kindsOf("gardens").filter((kind) => kind.startsWith(`${row.kind}-`)).length;
  return [base, ...(sets?.names ?? []).map((name) => group(name, kindsOf(name)))];
}
