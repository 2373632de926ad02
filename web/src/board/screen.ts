// How large the screen is, for what is laid out otherwise on a phone.
import { MediaQuery } from "svelte/reactivity";

const WIDE = new MediaQuery("(min-width: 900px)");

export const screen = {
  /** Whether a panel stands beside the board. */
  get wide(): boolean {
    return WIDE.current;
  },
};
