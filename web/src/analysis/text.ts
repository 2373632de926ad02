// The text forms that the page writes and reads itself: records, and a chapter with its variations (docs/notation.md).
import { type Path, type TreeNode, lineOf } from "./tree";

const GAME = "carcassonne";

/** A game as a setup and its moves. */
export interface PlainRecord {
  setup: string;
  moves: string[];
  /** The lines of a position laid by hand, if the game begins with one. */
  layout: string | null;
}

/** How the lines of a position laid by hand begin. */
const LAID = /^(tile|scores|gone|goods|player) /;

/** The record of a line; with the position that was laid by hand, if it is to begin with that. */
export function recordOf(setup: string, path: Path, layout: string | null = null): string {
  const from = layout === null ? "" : `from ${onOneLine(layout)}\n`;
  return `${GAME} ${setup}\n${from}${path.join("; ")}`;
}

/** Whether a text has more than a record has: chapters, comments or variations. The server reads these. */
export const isStudy = (text: string): boolean =>
  /^\s*(study|chapter)\b/m.test(text) || /[{(]/.test(text.replace(/#.*/g, ""));

/** A record as it is written: the setup on the first line, then the moves. Whether they are legal is for the rules to say. */
export function readRecord(text: string): PlainRecord | null {
  const lines = text
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => line !== "");
  const [head = "", ...rest] = lines;
  const [name = "", ...setup] = head.split(/\s+/);
  if (name !== GAME) return null;
  // In a chapter the lines of a layout stand on one, behind `from`.
  const body = rest.flatMap((line) => (line.startsWith("from ") ? inLines(line.slice(5)).split("\n") : [line]));
  const laid = body.filter((line) => LAID.test(line));
  const moves = body
    .filter((line) => !LAID.test(line))
    .flatMap((line) => line.split(";"))
    .map((move) => withNumbers(move.trim().replace(/\s+/g, " ")))
    .filter((move) => move !== "");
  return { setup: setup.join(" "), moves, layout: laid.length > 0 ? laid.join("\n") : null };
}

/** Rings of names (docs/notation.md, "Names of cells"). */
const [COLUMNS, ROWS, FARTHEST] = [702, 999, 127];

/** A placement with the name of its cell (`P14 r2`) in the form that programs write (`3,-1 r2`); other moves as they are. */
function withNumbers(move: string): string {
  const [, letters, row, turned] = /^([A-Z]{1,2})(\d{1,3}) (r[0-3])$/.exec(move) ?? [];
  if (letters === undefined) return move;
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  const [x, y] = [column - 13, 13 - Number(row)];
  return `${x > FARTHEST ? x - COLUMNS : x},${y < -FARTHEST - 1 ? y + ROWS : y} ${turned}`;
}

/** How many play in a setup: two where it does not say, or says what the rules do not allow. */
export const playersIn = (setup: string): number => Number(/\bplayers=([1-6])(?!\d)/.exec(setup)?.[1] ?? 2);

export const hasSets = (setup: string): boolean => /\bsets=\w/.test(setup);

const braced = (comment: string): string => `{${comment.replaceAll("\\", "\\\\").replaceAll("}", "\\}")}}`;

const one = ({ move, mark, comment }: TreeNode): string =>
  [move, mark, comment && braced(comment)].filter((part) => part !== "").join(" ");

/** The main line after a node, each move followed by what might be played in its place. */
function line(node: TreeNode): string {
  const parts: string[] = [];
  for (let here = node; here.children.length > 0; here = here.children[0]!) {
    const [main, ...others] = here.children as [TreeNode, ...TreeNode[]];
    const variations = others.map((other) => {
      const rest = line(other);
      return ` (${one(other)}${rest === "" ? "" : `; ${rest}`})`;
    });
    parts.push(one(main) + variations.join(""));
  }
  return parts.join("; ");
}

/** A chapter with all its variations, as the server reads it. */
export function chapterText(setup: string, tree: TreeNode, title = "", layout: string | null = null): string {
  const lines = [
    ...(title === "" ? [] : [`chapter ${title}`]),
    `${GAME} ${setup}`,
    ...(layout === null ? [] : [`from ${onOneLine(layout)}`]),
    ...(tree.comment === "" ? [] : [braced(tree.comment)]),
    line(tree),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

/** A record as a tree. */
export const treeOfRecord = ({ moves }: PlainRecord): TreeNode => lineOf(moves);

/** A layout on one line, as in an address and in a chapter. */
const onOneLine = (layout: string): string => layout.trim().split("\n").join(" | ");

export const inLines = (laid: string): string =>
  laid
    .split("|")
    .map((line) => line.trim())
    .join("\n");

/** The address of a position laid by hand. */
export const laidAddress = (setup: string, layout: string): string =>
  `/analysis?${new URLSearchParams({ setup, layout: onOneLine(layout) })}`;

/** The layout that an address names. */
export const layoutOf = (query: URLSearchParams): string | null =>
  query.has("layout") ? inLines(query.get("layout") ?? "") : null;
