// What this window remembers until it is closed: what is tried and not kept as a study, and where in a study its reader is.
import { EMPTY, type Path, type TreeNode } from "./tree";

export interface Draft {
  setup: string;
  tree: TreeNode;
  path: Path;
  layout: string | null;
}

/** One for each game, and one for what belongs to none. */
const place = (game: string) => `analysis ${game}`;

export function keepDraft(game: string, draft: Draft): void {
  try {
    sessionStorage.setItem(place(game), JSON.stringify(draft));
  } catch {
    // A full or closed store: then it is gone with the page.
  }
}

export function keptDraft(game: string): Draft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place(game)) ?? "null") as Partial<Draft> | null;
    if (!kept || typeof kept.setup !== "string" || !Array.isArray(kept.path) || !kept.tree) return null;
    return { setup: kept.setup, tree: { ...EMPTY, ...kept.tree }, path: kept.path, layout: kept.layout ?? null };
  } catch {
    return null;
  }
}

export function forgetDraft(game: string): void {
  sessionStorage.removeItem(place(game));
}

const reading = (study: string, chapter: string) => `study ${study} ${chapter}`;

/** Where the reader of a chapter is. */
export function keepPlace(study: string, chapter: string, path: Path): void {
  try {
    sessionStorage.setItem(reading(study, chapter), path.join(";"));
  } catch {
    // Then it opens at the start.
  }
}

export const keptPlace = (study: string, chapter: string): Path =>
  (sessionStorage.getItem(reading(study, chapter)) ?? "").split(";").filter((move) => move !== "");
