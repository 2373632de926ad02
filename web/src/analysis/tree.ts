// A game with what might have been played in it: moves as a tree, and the edits that change it, the same as the server's.
import type { StudyChapter } from "../wire/StudyChapter";
import type { StudyEdit } from "../wire/StudyEdit";

/** A move with what is said of it and what may follow, the main line first. The root is the start, without a move. */
export interface TreeNode {
  readonly move: string;
  readonly comment: string;
  readonly mark: string;
  readonly children: readonly TreeNode[];
}

/** The moves that lead to a place. */
export type Path = readonly string[];

/** From very good to a blunder (docs/notation.md). */
export const MARKS = ["!!", "!", "!?", "?!", "?", "??"] as const;

export const EMPTY: TreeNode = { move: "", comment: "", mark: "", children: [] };

const leaf = (move: string): TreeNode => ({ ...EMPTY, move });

export const samePath = (a: Path, b: Path): boolean => a.length === b.length && startsWith(a, b);

/** Whether a path goes through another. */
export const startsWith = (path: Path, start: Path): boolean => start.every((move, at) => path[at] === move);

export function nodeAt(tree: TreeNode, path: Path): TreeNode | null {
  let node: TreeNode | undefined = tree;
  for (const move of path) {
    node = node.children.find((child) => child.move === move);
    if (!node) return null;
  }
  return node;
}

/** As much of a path as is there. */
export function knownPart(tree: TreeNode, path: Path): Path {
  let node: TreeNode | undefined = tree;
  const known = path.findIndex((move) => !(node = node?.children.find((child) => child.move === move)));
  return known < 0 ? path : path.slice(0, known);
}

/** How many moves two paths have in common. */
export function sharedBy(a: Path, b: Path): number {
  const parts = a.findIndex((move, at) => move !== b[at]);
  return parts < 0 ? a.length : parts;
}

/** The moves of a line as a tree. */
export function lineOf(moves: Path): TreeNode {
  return played(EMPTY, [], moves);
}

/** The first choice after each move, from the start on. */
export function mainLine(tree: TreeNode): Path {
  const path: string[] = [];
  for (let node = tree.children[0]; node; node = node.children[0]) path.push(node.move);
  return path;
}

/** A chapter as the server tells it. */
export function treeOf({ comment, nodes }: Pick<StudyChapter, "comment" | "nodes">): TreeNode {
  const children = nodes.map((): TreeNode[] => []);
  const first: TreeNode[] = [];
  for (const [at, node] of nodes.entries()) {
    const made = { move: node.move, comment: node.comment ?? "", mark: node.mark ?? "", children: children[at]! };
    (node.parent === null ? first : children[node.parent]!).push(made);
  }
  return { move: "", comment, mark: "", children: first };
}

/** The tree after an edit; a place that is not there leaves it as it is. */
export function edited(tree: TreeNode, edit: StudyEdit): TreeNode {
  switch (edit.type) {
    case "play":
      return played(tree, edit.path, edit.moves);
    case "comment":
      return changed(tree, edit.path, (node) => ({ ...node, comment: edit.text }));
    case "mark":
      return changed(tree, edit.path, (node) => ({ ...node, mark: edit.mark ?? "" }));
    case "delete":
      return amongSiblings(tree, edit.path, (children, at) => children.toSpliced(at, 1));
    case "promote":
      return amongSiblings(tree, edit.path, (children, at) => [children[at]!, ...children.toSpliced(at, 1)]);
  }
}

/** The edits that take an edit back, to be made one after the other; none if it changes nothing. */
export function takenBack(tree: TreeNode, edit: StudyEdit): StudyEdit[] {
  const { path } = edit;
  const node = nodeAt(tree, path);
  if (!node) return [];
  switch (edit.type) {
    case "play": {
      const known = knownPart(tree, [...path, ...edit.moves]).length;
      const added = [...path, ...edit.moves].slice(0, known + 1);
      return added.length > known ? [{ type: "delete", path: added }] : [];
    }
    case "comment":
      return edit.text === node.comment ? [] : [{ type: "comment", path, text: node.comment, was: edit.text }];
    case "mark":
      return (edit.mark ?? "") === node.mark ? [] : [{ type: "mark", path, mark: node.mark || null }];
    case "delete":
      return [...madeAgain(path.slice(0, -1), node), { type: "promote", path }, ...promoted(tree, path)];
    case "promote":
      return promoted(tree, path);
  }
}

/** The nearest move of a path that is not the first choice at its place: what makes it a variation. */
export function variationOf(tree: TreeNode, path: Path): Path | null {
  for (let length = path.length; length > 0; length--) {
    const parent = nodeAt(tree, path.slice(0, length - 1));
    if (parent && parent.children[0]?.move !== path[length - 1]) return path.slice(0, length);
  }
  return null;
}

/** How many moves the tree has. */
export function size(tree: TreeNode): number {
  return tree.children.reduce((sum, child) => sum + 1 + size(child), 0);
}

function changed(node: TreeNode, path: Path, change: (node: TreeNode) => TreeNode): TreeNode {
  const [move, ...rest] = path;
  if (move === undefined) return change(node);
  const at = node.children.findIndex((child) => child.move === move);
  return at < 0 ? node : { ...node, children: node.children.with(at, changed(node.children[at]!, rest, change)) };
}

function amongSiblings(
  tree: TreeNode,
  path: Path,
  change: (children: readonly TreeNode[], at: number) => readonly TreeNode[],
): TreeNode {
  const move = path.at(-1);
  return changed(tree, path.slice(0, -1), (parent) => {
    const at = parent.children.findIndex((child) => child.move === move);
    return at < 0 ? parent : { ...parent, children: change(parent.children, at) };
  });
}

function played(tree: TreeNode, path: Path, moves: Path): TreeNode {
  const [move, ...rest] = moves;
  if (move === undefined) return tree;
  const added = changed(tree, path, (node) =>
    node.children.some((child) => child.move === move) ? node : { ...node, children: [...node.children, leaf(move)] },
  );
  return played(added, [...path, move], rest);
}

/** Brings the siblings before a move back to their places before it. */
function promoted(tree: TreeNode, path: Path): StudyEdit[] {
  const before = path.slice(0, -1);
  const siblings = nodeAt(tree, before)?.children ?? [];
  const at = siblings.findIndex(({ move }) => move === path.at(-1));
  return siblings
    .slice(0, Math.max(0, at))
    .map(({ move }): StudyEdit => ({ type: "promote", path: [...before, move] }))
    .reverse();
}

/** The edits that make a node with all that follows it. */
function madeAgain(before: Path, node: TreeNode): StudyEdit[] {
  const path = [...before, node.move];
  const edits: StudyEdit[] = [{ type: "play", path: [...before], moves: [node.move] }];
  if (node.comment) edits.push({ type: "comment", path, text: node.comment, was: "" });
  if (node.mark) edits.push({ type: "mark", path, mark: node.mark });
  return [...edits, ...node.children.flatMap((child) => madeAgain(path, child))];
}
