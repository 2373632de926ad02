// The sets that a game is played with, as lists name them.
import { get } from "../api/request";
import { need, optional } from "../i18n/index.svelte";
import type { GameInfo } from "../wire/GameInfo";
import type { SetName } from "../wire/SetName";
import type { SetsInfo } from "../wire/SetsInfo";

/** The sets of a game; none for the base game. */
export function setsOf({ options }: Pick<GameInfo, "options">): SetName[] {
  const { expansions } = options as { expansions?: SetName[] };
  return expansions ?? [];
}

/** "inns, river"; nothing for the base game, and until the words are there. */
export function setWords(sets: readonly SetName[]): string {
  if (sets.length > 0 && optional("sets", "inns") === undefined) void need("sets");
  return sets.map((set) => optional("sets", `short_${set}`) ?? "").join(", ");
}

/** What a pool of games with sets is called: "inns, river · two players". */
export function poolWords(sets: readonly SetName[], many: boolean): string {
  const names = setWords(sets);
  const words = optional("sets", many ? "poolMany" : "pool") ?? "";
  return words.replace("{sets}", names);
}

let asked: Promise<SetsInfo> | undefined;

/** What the server tells of the sets: their tiles, and the bots that play with them; asked for once. */
export function setsInfo(): Promise<SetsInfo> {
  asked ??= get<SetsInfo>("/api/game-types/carcassonne/sets").catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}
