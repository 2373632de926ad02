// What the page of a game needs for the sets: their tiles and figures, the choice between figures, goods in
// players' rows. It comes with the games that use it; the base game loads none of it.
import "../art/sets";
import { need } from "../i18n/index.svelte";

export { default as PhoneSets } from "./PhoneSets.svelte";
export { default as SeatSets } from "./SeatSets.svelte";
export { hasPieces, statusOf, withFigures } from "./turn";

/** Loads the words that go with it. */
export const ready = (): Promise<void> => need("sets");
