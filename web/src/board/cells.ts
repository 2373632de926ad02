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

/** The cell so many steps to the north. */
export function beside(name: string, north: number): string {
  const { x, y } = parseCell(name);
  return `${x},${y + north}`;
}

/** A cell as people read it: with a true minus. */
export const cellWords = (name: string): string => name.replaceAll("-", "−");

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
