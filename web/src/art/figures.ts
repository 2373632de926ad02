// Our villager, standing or lying, and the mark that tells players apart without colour.
import { markPlaceOf } from "./seat_marks.svelte";

/** Players have a colour and a mark each; the same order as `--p1 … --p6`. */
export const MARKS = ["disc", "triangle", "square", "diamond", "cross", "star"] as const;
export type Mark = (typeof MARKS)[number];

export const MOST_PLAYERS = MARKS.length;

export function markOf(player: number): Mark {
  const mark = MARKS[markPlaceOf(player)];
  if (!mark) throw new Error(`no player ${player}; there are 0 to ${MOST_PLAYERS - 1}`);
  return mark;
}

/** The marks as path data around (0, 0), about 10 units wide. */
export const MARK_PATHS: Record<Mark, string> = {
  disc: "M-4.4 0a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0-8.8 0Z",
  triangle: "M0-4.9L5 3.9H-5Z",
  square: "M-4-4H4V4H-4Z",
  diamond: "M0-5.4L5 0L0 5.4L-5 0Z",
  cross: "M-1.7-5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7Z",
  star: "M0-5.4L1.5-1.8 5.3-1.6 2.3.9 3.3 4.7 0 2.5-3.3 4.7-2.3.9-5.3-1.6-1.5-1.8Z",
};

/** A figure as it is drawn. */
export interface Body {
  cloak: string;
  light: string;
  hem: string;
  mark: { y: number; scale: number };
  /** What it is seen in alone. */
  box: string;
}

/** The villager around (0, 0), 24 units high and wide: a hood over a bell-shaped cloak. */
export const FIGURE: Body & { width: number } = {
  width: 21.8,
  box: "-15 -15 30 30",
  cloak:
    "M0-12.2C3.2-12.2 5.2-9.7 5.1-6.8C5-4.8 4.2-3.5 3.2-2.6C6.6-1.4 9.6 1.6 10.9 5.2C11.3 6.4 10.6 7.3 9.5 7.2L7.6 7C8.3 8.4 8.8 9.7 9.1 10.7C9.4 11.6 8.9 12.2 8 12.2H-8C-8.9 12.2-9.4 11.6-9.1 10.7C-8.8 9.7-8.3 8.4-7.6 7L-9.5 7.2C-10.6 7.3-11.3 6.4-10.9 5.2C-9.6 1.6-6.6-1.4-3.2-2.6C-4.2-3.5-5-4.8-5.1-6.8C-5.2-9.7-3.2-12.2 0-12.2Z",
  light:
    "M-.6-11.4C-3-11.1-4.4-9.1-4.3-6.8C-4.2-5.6-3.7-4.5-2.9-3.6C-2.6-6.6-1.8-9.4-.6-11.4ZM-4-1.4C-6.9-.2-9.2 2.4-10.1 5.3C-8 3.4-5.6 1.6-4-1.4Z",
  hem: "M-8.6 10.2H8.6L9.1 11.2C9.2 11.8 8.7 12.2 8 12.2H-8C-8.7 12.2-9.2 11.8-9.1 11.2Z",
  mark: { y: 4.4, scale: 0.78 },
};

/** Figures by their name in moves; those of sets come with the games that have them. */
export const BODIES: Record<string, Body> = {};

/** The figure of a name, or of a whole move: `big city0`. */
export const bodyOf = (figure = ""): Body => BODIES[figure.split(" ")[0]!] ?? FIGURE;

/** A farmer lies on its side. */
export const LYING_TURN = -78;
