// What the player puts down before confirming: pure steps over the legal tree it was given.
import type { BoardTurn, LegalPlacement, Rotation, StagedTurn, WholeTurn } from "./types";

/** The legal placements on a cell, by growing rotation. */
export function placementsOn(turn: BoardTurn, cell: string): LegalPlacement[] {
  return turn.legal.filter((p) => p.cell === cell).sort((a, b) => a.rotation - b.rotation);
}

/** The cells where the tile can go, each once. */
export function legalCells(turn: BoardTurn | null | undefined): string[] {
  return turn ? [...new Set(turn.legal.map((p) => p.cell))] : [];
}

/** Puts the tile on a cell, with a wished rotation if that is legal; `null` if the cell is not. */
export function stageTile(turn: BoardTurn, cell: string, wish?: Rotation): StagedTurn | null {
  const placements = placementsOn(turn, cell);
  const placement = placements.find((p) => p.rotation === wish) ?? placements[0];
  return placement ? staged(placement, placements) : null;
}

/** Turns the staged tile to the next legal rotation, or the one before. */
export function rotateTile(turn: BoardTurn, now: StagedTurn, steps: 1 | -1): StagedTurn {
  const placements = placementsOn(turn, now.cell);
  const at = placements.findIndex((p) => p.rotation === now.rotation);
  const next = placements[(at + steps + placements.length) % placements.length];
  return next && now.step === "place" ? staged(next, placements) : now;
}

/** The tile lies: now the meeple. */
export function toMeepleStep(now: StagedTurn): StagedTurn {
  return { ...now, step: "meeple", choice: now.choices.length === 0 ? "pass" : null };
}

export function chooseMeeple(now: StagedTurn, choice: string): StagedTurn {
  const known = choice === "pass" || now.choices.includes(choice);
  return now.step === "meeple" && known ? { ...now, choice } : now;
}

/** One step back: from the meeple to the tile, from the tile to nothing. */
export function stepBack(now: StagedTurn): StagedTurn | null {
  return now.step === "meeple" ? { ...now, step: "place", choice: null } : null;
}

/** The turn as it is sent, once everything is chosen. */
export function wholeTurn(turn: BoardTurn, now: StagedTurn): WholeTurn | null {
  const placement = placementsOn(turn, now.cell).find((p) => p.rotation === now.rotation);
  return placement && now.step === "meeple" && now.choice ? [placement.move, now.choice] : null;
}

function staged(placement: LegalPlacement, placements: LegalPlacement[]): StagedTurn {
  return {
    cell: placement.cell,
    rotation: placement.rotation,
    step: "place",
    choice: null,
    choices: placement.meeples,
    rotations: placements.map((p) => p.rotation),
    effect: placement.effect ?? null,
    worth: placement.worth ?? {},
  };
}
