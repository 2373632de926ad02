// A tree as people read it: a draw is one step, a tile with its meeple another; rows of turns with variations among them.
import { type Path, type TreeNode, nodeAt } from "./tree";

/** A draw, or a whole turn; where it leads and what is said there. */
export interface Step {
  kind: "draw" | "turn";
  /** The moves of it: one, or a tile and a meeple. */
  moves: Path;
  /** The moves up to its end, and the same as a name. */
  path: Path;
  name: string;
  node: TreeNode;
  /** What is said of it, of the tile alone too. */
  comment: string;
}

/** A turn: what was drawn, what was played, and the comments on both. */
export interface Row {
  /** How many variations it lies within. */
  depth: number;
  /** Which turn of the game it is. */
  number: number;
  draws: Step[];
  turn: Step | null;
  /** The tile in hand; nothing if the row begins in the middle of a turn. */
  kind: string | null;
  /** Whether a variation begins here. */
  begins: boolean;
}

/** A move that puts a tile down, in either form of a cell. */
export const isPlacement = (move: string): boolean => / r[0-3]$/.test(move);

/** Whether only the meeple is missing. */
export const isInTurn = (path: Path): boolean => isPlacement(path.at(-1) ?? "");

/** A place as a name that no other has. */
export const nameOf = (path: Path): string => path.join(";");

/** What may follow, the main line first. */
export function stepsAfter(tree: TreeNode, path: Path): Step[] {
  const node = nodeAt(tree, path);
  return node ? stepsFrom(node, path) : [];
}

function stepsFrom(node: TreeNode, path: Path): Step[] {
  if (isInTurn(path)) return node.children.map((child) => step("turn", path, [child]));
  return node.children.flatMap((child) => {
    if (!isPlacement(child.move)) return [step("draw", path, [child])];
    return child.children.length === 0
      ? [step("turn", path, [child])]
      : child.children.map((last) => step("turn", path, [child, last]));
  });
}

function step(kind: Step["kind"], before: Path, nodes: readonly TreeNode[]): Step {
  const moves = nodes.map(({ move }) => move);
  const comment = nodes
    .map(({ comment }) => comment)
    .filter((words) => words !== "")
    .join("\n");
  const path = [...before, ...moves];
  return { kind, moves, path, name: nameOf(path), node: nodes.at(-1)!, comment };
}

/** The place before the last step. */
export function stepBack(path: Path): Path {
  const turn = path.length > 1 && !isInTurn(path) && isInTurn(path.slice(0, -1));
  return path.slice(0, turn ? -2 : -1);
}

/** How many turns are over, or being played. */
export const turnsIn = (path: Path): number => path.filter(isPlacement).length;

/** The tile that was drawn last. */
export function drawnIn(path: Path): string | null {
  return path.findLast((move, at) => !isPlacement(move) && !isPlacement(path[at - 1] ?? "")) ?? null;
}

/** The whole tree as rows: a line, and after each row what might have been in its place. */
export function rowsOf(tree: TreeNode): Row[] {
  const rows: Row[] = [];
  walk(tree, [], 0, null, rows);
  return rows;
}

/** The rows after a place: of its main line, or of a variation that begins with a step. */
function walk(after: TreeNode, from: Path, depth: number, first: Step | null, rows: Row[]): void {
  let [node, path] = [after, from];
  let row: Row | null = null;
  let others: Step[] = [];
  const flush = () => {
    const before = others;
    others = [];
    for (const other of before) walk(other.node, stepBack(other.path), depth + 1, other, rows);
  };
  const open = (begins: boolean): Row => {
    const now: Row = { depth, number: turnsIn(path) + 1, draws: [], turn: null, kind: drawnIn(path), begins };
    rows.push(now);
    return now;
  };
  for (let next = first ? [first] : stepsFrom(node, path); next.length > 0; next = stepsFrom(node, path)) {
    const [main, ...rest] = next as [Step, ...Step[]];
    if (row === null || row.turn !== null) {
      flush();
      row = open(path === from && first !== null);
    }
    if (main.kind === "draw") [row.draws, row.kind] = [[...row.draws, main], main.moves[0]!];
    else row.turn = main;
    [node, path] = [main.node, main.path];
    others.push(...rest);
  }
  flush();
}
