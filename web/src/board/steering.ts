// Which spot lies in the direction of an arrow key.
import { placeOf } from "./cells";

/** The nearest of the cells in the arrow's direction, sideways steps counting double. */
export function nextCell(from: string, cells: readonly string[], arrow: readonly [number, number]): string | null {
  const here = placeOf(from);
  let [found, least]: [string | null, number] = [null, Infinity];
  for (const cell of cells) {
    const { x, y } = placeOf(cell);
    const [dx, dy] = [x - here.x, y - here.y];
    const ahead = dx * arrow[0] + dy * arrow[1];
    const aside = Math.abs(dx * arrow[1]) + Math.abs(dy * arrow[0]);
    if (ahead > 0 && ahead + 2 * aside < least) [found, least] = [cell, ahead + 2 * aside];
  }
  return found;
}

/** The cell nearest to a point of the table. */
export function nearestCell(cells: readonly string[], x: number, y: number): string | null {
  const far = (cell: string) => {
    const place = placeOf(cell);
    return Math.hypot(place.x + 50 - x, place.y + 50 - y);
  };
  return cells.reduce<string | null>((best, cell) => (best === null || far(cell) < far(best) ? cell : best), null);
}
