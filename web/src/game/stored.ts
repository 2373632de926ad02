// Where the server has a game.
import type { AnyTable } from "./table.svelte";

/** The id by which the server has it; nothing for a game in this browser alone that was not handed in. */
export const storedAs = ({ local, id }: Pick<AnyTable, "local" | "id">): string | null => (local ? local.stored : id);
