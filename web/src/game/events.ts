// What happened in a game, as the server tells it (docs/notation.md, "Events").
import type { Terrain } from "../art";
import type { FigureName } from "../wire/FigureName";
import type { GoodName } from "../wire/GoodName";
import type { GoodsView } from "../wire/GoodsView";

interface Point {
  x: number;
  y: number;
}

interface MeepleAt extends Point {
  player: number;
  meeple: number;
  segment: string;
  feature: number;
  /** What it is, unless it is a meeple. */
  figure?: FigureName;
}

export interface Scored {
  player: number;
  owners: number[];
  feature: number;
  type: Terrain;
  is_complete: boolean;
  points: number;
  tiles: Point[];
  tiles_counted: number;
  pennants: number;
  cities: number;
  explanation: string;
  /** Whether an inn, a cathedral or the player's pig made it more. */
  special?: boolean;
}

/** An event; `ply` says which move it follows where a list covers a whole game. */
export type GameEvent = { ply?: number; text?: string } & (
  | { event: "game_started"; players: number[] }
  | ({ event: "starting_tile_placed"; tile: string; rotation: number } & Point)
  | { event: "tile_drawn" | "tile_discarded"; player: number; tile: string; tiles_remaining: number }
  | ({ event: "tile_placed"; player: number; tile: string; rotation: number } & Point)
  | { event: "feature_merged"; type: Terrain; feature: number; merged: number }
  | ({ event: "meeple_placed" | "meeple_returned" } & MeepleAt)
  | { event: "meeple_skipped"; player: number }
  | ({ event: "feature_scored" | "end_game_points" } & Scored)
  | { event: "goods_taken"; player: number; goods: GoodsView }
  | { event: "turn_doubled"; player: number }
  | { event: "end_game_goods"; player: number; good: GoodName; tokens: number; points: number }
  | { event: "score_updated"; scores: number[] }
  | { event: "tile_bag_empty" }
  | { event: "game_over"; winners: number[]; scores: number[] }
);

export const cellName = ({ x, y }: Point): string => `${x},${y}`;
