// Cells on screen: names to numbers, numbers to places. The only file that turns y around.
import { SIZE } from "../art";

export interface CellPlace {
  x: number;
  y: number;
}

export function parseCell(name: string): CellPlace {
  const match = /^(-?\d+),(-?\d+)$/.exec(name);
  if (!match) throw new Error(`'${name}' is no cell; a cell is written "x,y", as in "3,-1"`);
  return { x: Number(match[1]), y: Number(match[2]) };
}

/** The top left corner of a cell on the table: y grows to the south there. */
export function placeOf(name: string): CellPlace {
  const { x, y } = parseCell(name);
  return { x: x * SIZE, y: -y * SIZE };
}

/** The cells beside those given that are not among them. */
export function neighbours(names: readonly string[]): string[] {
  const taken = new Set(names);
  const around = names.flatMap((name) => {
    const { x, y } = parseCell(name);
    return [`${x},${y + 1}`, `${x + 1},${y}`, `${x},${y - 1}`, `${x - 1},${y}`];
  });
  return [...new Set(around)].filter((name) => !taken.has(name));
}

/** The column and the row of the first tile, `M13`, counted from 0: as many lie before it. */
const FIRST = 12;
const LETTERS = 26;
/** Names of one letter and of two: a ring, so that `ZZ` lies west of `A`. */
const COLUMNS = LETTERS + LETTERS * LETTERS;
/** A ring too: `999` lies north of `1`. */
const ROWS = 999;

const around = (place: number, ring: number) => ((place % ring) + ring) % ring;
const letter = (index: number) => String.fromCharCode(65 + index);

/** The name of the column so many steps east of the first tile (docs/notation.md, "Names of cells"). */
export function columnName(x: number): string {
  const column = around(x + FIRST, COLUMNS);
  return (column >= LETTERS ? letter(Math.floor(column / LETTERS) - 1) : "") + letter(column % LETTERS);
}

/** The name of the row so many steps north of the first tile. */
export const rowName = (y: number): string => String(around(FIRST - y, ROWS) + 1);

/** A cell as people name it: `M13` is the first tile's, letters go east and numbers south. */
export function cellWords(name: string): string {
  const { x, y } = parseCell(name);
  return columnName(x) + rowName(y);
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The box around cells, on the table; a lone start tile's if there are none. */
export function boxOf(names: readonly string[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const name of names.length === 0 ? ["0,0"] : names) {
    const { x, y } = placeOf(name);
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x + SIZE);
    box.bottom = Math.max(box.bottom, y + SIZE);
  }
  return box;
}
