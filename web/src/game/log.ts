// The log of a game: a line a turn, put together from events.
import type { Rotation, Terrain } from "../art";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { FigureName } from "../wire/FigureName";
import { type GameEvent, type Scored, cellName } from "./events";

export interface LogScore {
  player: number;
  points: number;
  terrain: Terrain;
  /** Whether the feature was finished. */
  finished: boolean;
  explanation: string;
  cell: string;
}

export interface LogLine {
  /** From 1. */
  turn: number;
  player: number;
  kind: string;
  rotation: Rotation;
  cell: string;
  /** What the meeple claimed; nothing if there was none, or if that is not known yet. */
  claimed: Terrain | null;
  scores: LogScore[];
  /** With sets: which figure claimed it, the goods taken, a second part of the turn. */
  figure?: FigureName | undefined;
  more?: Further[];
  /** Tiles that fitted nowhere before this one was drawn. */
  discarded: string[];
}

/** A step of the final count: a feature, or the most goods of a kind. */
export type Counted =
  ({ event: "feature_scored" | "end_game_points" } & Scored) | Extract<GameEvent, { event: "end_game_goods" }>;

export type Further = Extract<GameEvent, { event: "goods_taken" | "turn_doubled" }>;

export interface Log {
  lines: LogLine[];
  /** Tiles set aside since the last line. */
  discarded: string[];
  /** The final count, in its order. */
  count: Counted[];
}

export const EMPTY_LOG: Log = { lines: [], discarded: [], count: [] };

/** The log after more events. */
export function extended(log: Log, events: readonly GameEvent[]): Log {
  const lines = [...log.lines];
  let discarded = log.discarded;
  const count = [...log.count];
  const change = (to: (line: LogLine) => LogLine) => {
    const line = lines.pop();
    if (line) lines.push(to(line));
  };
  for (const event of events) {
    switch (event.event) {
      case "tile_discarded":
        discarded = [...discarded, event.tile];
        break;
      case "tile_placed":
        lines.push({
          turn: lines.length + 1,
          player: event.player,
          kind: event.tile,
          rotation: (event.rotation / 90) as Rotation,
          cell: cellName(event),
          claimed: null,
          scores: [],
          discarded,
        });
        discarded = [];
        break;
      case "meeple_placed":
        change((line) => ({
          ...line,
          claimed: event.segment.replace(/\d+$/, "") as Terrain,
          figure: event.figure,
        }));
        break;
      case "goods_taken":
      case "turn_doubled":
        change((line) => ({ ...line, more: [...(line.more ?? []), event] }));
        break;
      case "feature_scored":
        change((line) => ({ ...line, scores: [...line.scores, score(event)] }));
        break;
      case "end_game_points":
      case "end_game_goods":
        count.push(event);
        break;
    }
  }
  return { lines, discarded, count };
}

function score(event: Scored): LogScore {
  return {
    player: event.player,
    points: event.points,
    terrain: event.type,
    finished: event.is_complete,
    explanation: event.explanation,
    cell: event.tiles[0] ? cellName(event.tiles[0]) : "0,0",
  };
}

/** Whether the log tells of exactly the tiles that lie: false after a takeback or a gap. */
export function agrees(log: Log, view: CarcassonneView): boolean {
  const placed = Object.entries(view.board.tiles).filter(([, tile]) => tile!.turn > 0);
  if (placed.length !== log.lines.length) return false;
  return placed.every(([cell, tile]) => log.lines[tile!.turn - 1]?.cell === cell);
}
