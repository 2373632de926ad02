// The player's own colour and mark: their seat changes with the seat that has them by its place.
import { changeMarks } from "../art/seat_marks.svelte";
import type { OwnColour } from "../wire/OwnColour";

const COLOURS: readonly OwnColour[] = ["blue", "orange", "green", "yellow", "pink", "black"];
const SUFFIXES = ["", "-text", "-fill", "-on", "-mark"];

/** Shows a seat in a colour; answers with how to put it back. */
export function wear(seat: number, colour: OwnColour): () => void {
  const place = COLOURS.indexOf(colour);
  const { style } = document.documentElement;
  const tokens = SUFFIXES.flatMap((suffix) =>
    [
      [seat, place],
      [place, seat],
    ].map(([to, from]) => [`--p${to! + 1}${suffix}`, `--p${from! + 1}${suffix}`] as const),
  );
  const sheet = getComputedStyle(document.documentElement);
  const values = tokens.map(([name, from]) => [name, sheet.getPropertyValue(from)] as const);
  for (const [name, value] of values) style.setProperty(name, value);
  changeMarks(seat, place);
  return () => {
    for (const [name] of tokens) style.removeProperty(name);
    changeMarks(0, 0);
  };
}
