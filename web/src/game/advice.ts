// The engine's advice as the board shows it: a framed ghost of the turn.
import type { BoardMark, Rotation } from "../board/types";
import type { Thoughts } from "../wire/Thoughts";
import { askHint } from "./api";
import type { GameModel } from "./model.svelte";

/** A turn as it is sent, read: the cell, how the tile lies, and where the meeple goes. */
export function readTurn(moves: readonly string[]): { cell: string; rotation: Rotation; segment: string | null } | null {
  const [placement = "", meeple = "pass"] = moves;
  const match = /^(-?\d+,-?\d+) r([0-3])$/.exec(placement);
  return match ? { cell: match[1]!, rotation: Number(match[2]) as Rotation, segment: meeple === "pass" ? null : meeple } : null;
}

/** One of the turns thought of, as a mark on the board. */
export function adviceMark(thoughts: Thoughts, index: number, kind: string | null, glyph: string): BoardMark[] {
  const turn = readTurn(thoughts.lines[index]?.moves ?? []);
  if (!turn || !kind || thoughts.seat === null || thoughts.seat === undefined) return [];
  const ghost = { kind, rotation: turn.rotation, player: thoughts.seat, ...(turn.segment ? { segment: turn.segment } : {}) };
  return [{ cell: turn.cell, tone: index === 0 ? "best" : "good", glyph, ghost }];
}

/** What the engine would play now. */
export async function hint(game: GameModel): Promise<BoardMark[]> {
  const kind = game.view?.current_tile ?? null;
  return adviceMark(await askHint(game.table.id), 0, kind, "!");
}
