// The analysis board: a tree of what was played and tried, the place in it that is looked at, and the board there.
import type { BoardTurn } from "../board/types";
import { EngineStopped, type EngineView } from "../engine/client";
import { WrongRequest } from "../engine/module";
import { EngineRefused } from "../engine/permission";
import { boardParts, boardTurn } from "../game/view";
import { effectOf, worthOf } from "../game/words";
import { t } from "../i18n/index.svelte";
import { withSets } from "../review/boards.svelte";
import type { StudyEdit } from "../wire/StudyEdit";
import { Rules } from "./rules";
import { drawnIn, isPlacement, rowsOf, stepBack, stepsAfter } from "./steps";
import { playersIn, recordOf } from "./text";
import {
  EMPTY,
  type Path,
  type TreeNode,
  edited,
  knownPart,
  nodeAt,
  samePath,
  startsWith,
  takenBack,
  variationOf,
} from "./tree";

interface Shown {
  path: Path;
  at: EngineView;
  /** Adds the choice between figures, in games with sets. */
  dress: (turn: BoardTurn) => BoardTurn;
}

/** Why there is no board: the engine must not think now, something broke, or the rules say what is wrong. */
export type BoardTrouble = { kind: "refused" | "failed" } | { kind: "wrong"; why: string };

export class AnalysisModel {
  readonly setup: string;
  readonly players: number;
  names = $state.raw<string[]>([]);
  tree = $state.raw<TreeNode>(EMPTY);
  path = $state.raw<Path>([]);
  shown = $state.raw<Shown | null>(null);
  trouble = $state.raw<BoardTrouble | null>(null);
  /** A comment that was not kept, because others wrote something else there meanwhile. */
  conflict = $state.raw<{ path: Path; mine: string } | null>(null);
  /** What takes the last edits back, the last one at the end. */
  #undo = $state.raw<{ edits: StudyEdit[]; path: Path }[]>([]);
  /** Where the reader was last: stepping on goes there, not into the main line. */
  #line: Path = [];
  #rules: Rules;

  rows = $derived.by(() => rowsOf(this.tree));
  node = $derived.by(() => nodeAt(this.tree, this.path) ?? EMPTY);
  record = $derived.by(() => recordOf(this.setup, this.path));
  /** Whether the board shows the place that is looked at. */
  current = $derived.by(() => this.shown !== null && samePath(this.shown.path, this.path));
  position = $derived.by(() => (this.current ? this.shown!.at : null));
  parts = $derived.by(() => (this.shown ? boardParts(this.shown.at.view) : null));
  drawn = $derived.by(() => drawnIn(this.path));
  next = $derived.by(() => stepsAfter(this.tree, this.path));
  siblings = $derived.by(() => (this.path.length > 0 ? stepsAfter(this.tree, stepBack(this.path)) : []));
  variation = $derived.by(() => variationOf(this.tree, this.path));
  canUndo = $derived.by(() => this.#undo.length > 0);

  /** What can be put down now. */
  turn = $derived.by<BoardTurn | null>(() => {
    if (!this.position || this.position.turn !== "player" || this.position.seat === null) return null;
    const { view, legal, seat } = this.position;
    const plain = boardTurn(seat, view.current_tile, legal, (move) => effectOf(move, seat, this.names), worthOf);
    const left = view.meeple_supply[seat] ?? 0;
    return plain && this.shown!.dress({ ...plain, keep: t("game.keepInHand", { n: left }) });
  });
  /** Where only the meeple of a turn is missing: the moves to choose from. */
  choices = $derived.by(() =>
    this.position?.turn === "player"
      ? this.position.legal.map(({ move }) => move).filter((move) => !isPlacement(move))
      : [],
  );
  /** Where a tile is drawn: the kinds that may come, the likeliest first. */
  draws = $derived.by(() => {
    if (this.position?.turn !== "chance") return [];
    const all = this.position.draws.reduce((sum, [, count]) => sum + count, 0);
    return this.position.draws
      .map(([kind, count]) => ({ kind, count, odds: count / Math.max(1, all) }))
      .sort((a, b) => b.count - a.count || a.kind.localeCompare(b.kind));
  });

  /** Told of every edit that is made here, and whether it may be kept. */
  onedit: ((edit: StudyEdit) => void) | null = null;

  constructor(
    setup: string,
    tree: TreeNode,
    /** A start that was laid by hand. */
    readonly layout: string | null = null,
  ) {
    this.#rules = new Rules(layout);
    this.setup = setup;
    this.players = playersIn(setup);
    this.tree = tree;
    this.names = Array.from({ length: this.players }, (_, at) => t("analysis.player", { n: at + 1 }));
  }

  close(): void {
    this.#rules.close();
  }

  /** Shows the board of a place; what is no longer wanted when it comes is dropped. */
  async look(): Promise<void> {
    const { path, record } = this;
    try {
      const at = await this.#rules.view(record);
      await withSets(at.view);
      const sets = at.view.sets ? await import("../sets") : null;
      if (!samePath(path, this.path)) return;
      this.shown = { path, at, dress: (turn) => (sets ? sets.withFigures(turn, at.view, at.legal) : turn) };
      this.trouble = null;
    } catch (error) {
      if (error instanceof EngineStopped || !samePath(path, this.path)) return;
      if (error instanceof WrongRequest) this.trouble = { kind: "wrong", why: error.message };
      else this.trouble = { kind: error instanceof EngineRefused ? "refused" : "failed" };
    }
  }

  /** Asks for a board that is likely to be wanted next. */
  expect(): void {
    const [next] = this.next;
    if (next && this.current) void this.#rules.view(recordOf(this.setup, next.path)).catch(() => undefined);
  }

  /** The position looked at as a layout, to be changed by hand. */
  layoutHere(): Promise<string> {
    return this.#rules.layoutAt(this.record);
  }

  go(path: Path): void {
    this.path = knownPart(this.tree, path);
    if (!startsWith(this.#line, this.path)) this.#line = this.path;
  }

  back(): void {
    this.go(stepBack(this.path));
  }

  on(): void {
    const { next } = this;
    const step = next.find(({ path }) => startsWith(this.#line, path)) ?? next[0];
    if (step) this.go(step.path);
  }

  /** To the variation beside this one; answers whether there is one. */
  beside(by: 1 | -1): boolean {
    const at = this.siblings.findIndex(({ path }) => samePath(path, this.path));
    const step = this.siblings[at + by];
    if (step) this.go(step.path);
    return step !== undefined;
  }

  first(): void {
    this.go([]);
  }

  last(): void {
    let path = this.path;
    for (let next = stepsAfter(this.tree, path); next.length > 0; next = stepsAfter(this.tree, path)) {
      path = (next.find((step) => startsWith(this.#line, step.path)) ?? next[0])!.path;
    }
    this.go(path);
  }

  /** Plays moves where the reader is, and goes there. */
  play(moves: Path): void {
    this.change({ type: "play", path: [...this.path], moves: [...moves] });
    this.go([...this.path, ...moves]);
  }

  /** Draws by chance, as often as there are tiles of a kind. */
  drawAny(): void {
    const { draws } = this;
    let left = Math.random() * draws.reduce((sum, { count }) => sum + count, 0);
    const drawn = draws.find(({ count }) => (left -= count) < 0);
    if (drawn) this.play([drawn.kind]);
  }

  /** Says something of the move looked at; `was` is what its writer knows was said before. */
  comment(text: string, was: string): void {
    this.change({ type: "comment", path: [...this.path], text: text.trim(), was });
  }

  mark(mark: string): void {
    this.change({ type: "mark", path: [...this.path], mark: mark === this.node.mark ? null : mark });
  }

  /** Takes the step looked at away with all that follows. */
  remove(): void {
    const { path } = this;
    if (path.length === 0) return;
    const before = stepBack(path);
    // A tile that has another meeple in a variation stays.
    const inner = path.slice(0, before.length + 1);
    const alone = (nodeAt(this.tree, inner)?.children.length ?? 0) <= 1;
    this.change({ type: "delete", path: [...(alone ? inner : path)] });
    this.go(before);
  }

  /** Makes the variation looked at the main line at its place. */
  promote(): void {
    if (this.variation) this.change({ type: "promote", path: [...this.variation] });
  }

  undo(): void {
    const last = this.#undo.at(-1);
    if (!last) return;
    this.#undo = this.#undo.slice(0, -1);
    for (const edit of last.edits) this.#make(edit);
    this.go(last.path);
  }

  /** Makes an edit, if it changes anything. */
  change(edit: StudyEdit): void {
    const edits = takenBack(this.tree, edit);
    if (edits.length === 0) return;
    this.#undo = [...this.#undo, { edits, path: this.path }];
    this.#make(edit);
  }

  /** Takes over a tree that others changed. */
  take(tree: TreeNode): void {
    this.tree = tree;
    this.go(this.path);
  }

  #make(edit: StudyEdit): void {
    this.tree = edited(this.tree, edit);
    this.onedit?.(edit);
  }
}
