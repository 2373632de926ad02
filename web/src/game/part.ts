// Parts of the page of a game that no move waits for.
import { untrack } from "svelte";
import { need } from "../i18n/index.svelte";

/** A part once its words are there too. */
export async function part<T>(loading: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([loading, untrack(() => need("panel"))]);
  return loaded;
}
