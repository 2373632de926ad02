// What this window remembers until it is closed: what is tried and not kept as a study, and where in a study its reader is.
import { laidAddress, layoutOf } from "./text";
import { EMPTY, type Path, type TreeNode } from "./tree";

export interface Draft {
  setup: string;
  tree: TreeNode;
  path: Path;
  layout: string | null;
}

/** Where analyses begin. */
export const START = "/analysis";
/** So many drafts are kept; the one that was not looked at for longest goes first. */
const KEPT = 20;
/** The names of the drafts, the last one that was looked at at the end. */
const NAMES = "analyses";

/** A full or closed store keeps nothing: then what is tried is gone with the page, and not with the next step. */
const held = new Map<string, string>();

function store(name: string, text: string): void {
  held.set(name, text);
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // It is held above.
  }
}

const stored = (name: string): string | null => held.get(name) ?? sessionStorage.getItem(name);

function forget(name: string): void {
  held.delete(name);
  sessionStorage.removeItem(name);
}

function read<T>(name: string): Partial<T> | null {
  try {
    return JSON.parse(stored(name) ?? "null") as Partial<T> | null;
  } catch {
    return null;
  }
}

function names(): string[] {
  const kept = read<string[]>(NAMES);
  return Array.isArray(kept) ? (kept as string[]) : [];
}

const place = (draft: string) => `analysis ${draft}`;

/** The draft that an address names: that of a game, of a position laid by hand, or one of its own; nothing at the start. */
export function draftIn(query: URLSearchParams): string | null {
  const game = query.get("game");
  if (game !== null) return gameDraft(game);
  const layout = layoutOf(query);
  if (layout !== null) return laidAddress(query.get("setup") ?? "", layout);
  const own = query.get("draft");
  return own === null ? null : ownAddress(own);
}

/** Drafts are called by their addresses, without the place in a game. */
export const gameDraft = (game: string): string => `${START}?game=${encodeURIComponent(game)}`;
const ownAddress = (own: string): string => `${START}?draft=${encodeURIComponent(own)}`;

/** Keeps something new that is neither of a game nor laid by hand; answers with its address. */
export function newDraft(draft: Draft): string {
  const { setup, layout } = draft;
  const name = layout === null ? ownAddress(Math.random().toString(36).slice(2, 10)) : laidAddress(setup, layout);
  keepDraft(name, draft);
  return name;
}

export function keepDraft(name: string, draft: Draft): void {
  store(place(name), JSON.stringify(draft));
  const others = names().filter((other) => other !== name);
  for (const old of others.splice(0, Math.max(0, others.length + 1 - KEPT))) forget(place(old));
  store(NAMES, JSON.stringify([...others, name]));
}

export function keptDraft(name: string): Draft | null {
  const kept = read<Draft>(place(name));
  if (!kept || typeof kept.setup !== "string" || !Array.isArray(kept.path) || !kept.tree) return null;
  return { setup: kept.setup, tree: { ...EMPTY, ...kept.tree }, path: kept.path, layout: kept.layout ?? null };
}

/** The address of the draft that was looked at last. */
export const latestDraft = (): string | null => names().findLast((name) => keptDraft(name) !== null) ?? null;

export function forgetDraft(name: string): void {
  forget(place(name));
  store(NAMES, JSON.stringify(names().filter((other) => other !== name)));
}

const reading = (study: string, chapter: string) => `study ${study} ${chapter}`;

/** Where the reader of a chapter is. */
export const keepPlace = (study: string, chapter: string, path: Path): void =>
  store(reading(study, chapter), path.join(";"));

export const keptPlace = (study: string, chapter: string): Path =>
  (stored(reading(study, chapter)) ?? "").split(";").filter((move) => move !== "");
