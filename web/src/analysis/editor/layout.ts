// A position laid by hand as text (docs/notation.md): a line a tile, with who stands on it. What is possible the rules say.
export interface LaidTile {
  kind: string;
  cell: string;
  rotation: number;
  /** Whose figure and where, as in the text: `0 road0`, `1 big city0`; nobody if it is empty. */
  figure: string;
}

export interface Layout {
  tiles: LaidTile[];
  scores: number[];
  player: number;
  /** Lines that the page has no fields for: tiles set aside, goods. */
  more: string[];
}

const TILE = /^tile (\S+) (-?\d+,-?\d+) r([0-3])(?: (.+))?$/;

/** Reads what `writeLayout` or the rules wrote; what it does not know stays as it is. */
export function readLayout(text: string, players: number): Layout {
  const layout: Layout = { tiles: [], scores: Array.from({ length: players }, () => 0), player: 0, more: [] };
  for (const line of text.split("\n").map((line) => line.trim().replace(/\s+/g, " "))) {
    const tile = TILE.exec(line);
    const numbers = line.split(" ").slice(1).map(Number);
    if (tile) layout.tiles.push({ kind: tile[1]!, cell: tile[2]!, rotation: Number(tile[3]), figure: tile[4] ?? "" });
    else if (line.startsWith("scores ") && numbers.length === players) layout.scores = numbers;
    else if (line.startsWith("player ")) layout.player = numbers[0] ?? 0;
    else if (line !== "") layout.more.push(line);
  }
  return layout;
}

export function writeLayout({ tiles, scores, player, more }: Layout): string {
  const laid = tiles.map(({ kind, cell, rotation, figure }) => `tile ${kind} ${cell} r${rotation} ${figure}`.trimEnd());
  return [...laid, `scores ${scores.join(" ")}`, ...more, `player ${player}`, ""].join("\n");
}

/** With one more tile: the moves of a turn as the board gives them, and whose turn it was. */
export function withTile(layout: Layout, kind: string, [place, figure]: readonly string[], seat: number): Layout {
  const [cell = "", rotation = "r0"] = (place ?? "").split(" ");
  const stands = figure === undefined || figure === "pass" || figure === "recall" ? "" : `${seat} ${figure}`;
  const tile = { kind, cell, rotation: Number(rotation.slice(1)), figure: stands };
  return { ...layout, tiles: [...layout.tiles, tile] };
}

export function withoutTile(layout: Layout, cell: string): Layout {
  return { ...layout, tiles: layout.tiles.filter((tile) => tile.cell !== cell) };
}

export function changedTile(layout: Layout, cell: string, change: Partial<LaidTile>): Layout {
  return { ...layout, tiles: layout.tiles.map((tile) => (tile.cell === cell ? { ...tile, ...change } : tile)) };
}
