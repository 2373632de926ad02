// The keys of the board: what each does to the turn or to the view.
import type { BoardTurn, StagedTurn } from "./types";

export type BoardKey =
  | { do: "steer"; by: readonly [dx: number, dy: number] }
  | { do: "rotate"; steps: 1 | -1 }
  | { do: "zoom"; factor: number }
  | { do: "confirm" | "cancel" | "skip" | "fit" };

export interface Keyed {
  turn: BoardTurn | null;
  staged: StagedTurn | null;
  /** Whether the tile may be turned before its turn comes. */
  premoves: boolean;
}

const ARROWS: Record<string, readonly [dx: number, dy: number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};
const ZOOM = 1.25;
const TYPED_INTO = "input, textarea, select, [contenteditable], dialog";
const PRESSED_BY_ENTER = "button, a, [role=button], [role=radio], [role=tab]";

/** What a key means for the board now; nothing if it is not for it. */
export function boardKey(event: KeyboardEvent, { turn, staged, premoves }: Keyed): BoardKey | null {
  const on = (selector: string) => event.target instanceof Element && event.target.closest(selector) !== null;
  if (on(TYPED_INTO) || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  // Without a turn the arrows belong to the page, which may step through the game with them.
  const by = turn ? ARROWS[event.key] : undefined;
  if (by) return { do: "steer", by };
  switch (event.key) {
    case "r":
    case "R":
      return (turn || premoves) && staged?.step !== "meeple" ? { do: "rotate", steps: event.shiftKey ? -1 : 1 } : null;
    case "Enter":
      return staged && !on(PRESSED_BY_ENTER) ? { do: "confirm" } : null;
    case "Escape":
      return staged ? { do: "cancel" } : null;
    case "s":
    case "S":
      return staged?.step === "meeple" ? { do: "skip" } : null;
    case "+":
    case "=":
      return { do: "zoom", factor: ZOOM };
    case "-":
      return { do: "zoom", factor: 1 / ZOOM };
    case "0":
      return { do: "fit" };
    default:
      return null;
  }
}
