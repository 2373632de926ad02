// The engine's advice as the board shows it: a framed ghost of the turn.
import type { BoardMark, Rotation } from "../board/types";
import { showError } from "../design/toasts.svelte";
import type { Analysis } from "../wire/Analysis";
import { askHint } from "./api";
import type { GameControls } from "./controls.svelte";

/** A turn as it is sent, read: the cell, how the tile lies, and where the meeple goes. */
export function readTurn(
  moves: readonly string[],
): { cell: string; rotation: Rotation; segment: string | null } | null {
  const [placement = "", meeple = "pass"] = moves;
  const match = /^(-?\d+,-?\d+) r([0-3])$/.exec(placement);
  return match
    ? {
        cell: match[1]!,
        rotation: Number(match[2]) as Rotation,
        segment: meeple === "pass" || meeple === "recall" ? null : meeple,
      }
    : null;
}

/** One of the turns thought of, as a mark on the board. */
export function adviceMark(
  thoughts: Pick<Analysis, "lines" | "seat">,
  index: number,
  kind: string | null,
  glyph: string,
): BoardMark[] {
  const turn = readTurn(thoughts.lines[index]?.moves ?? []);
  if (!turn || !kind || thoughts.seat === null || thoughts.seat === undefined) return [];
  const ghost = {
    kind,
    rotation: turn.rotation,
    player: thoughts.seat,
    ...(turn.segment ? { segment: turn.segment } : {}),
  };
  return [{ cell: turn.cell, tone: index === 0 ? "best" : "good", glyph, ghost }];
}

/** Shows what the engine would play; what comes too late for this turn is of no use. */
export async function showHint(controls: GameControls): Promise<void> {
  const { game } = controls;
  const [version, kind] = [game.update?.version, game.view?.current_tile ?? null];
  controls.hinting = true;
  try {
    const found = adviceMark(await askHint(game.table.id), 0, kind, "!");
    if (version === game.update?.version && found[0]) {
      controls.marks = found;
      controls.board?.panTo(found[0].cell);
    }
  } catch (error) {
    showError(error);
  }
  controls.hinting = false;
}
