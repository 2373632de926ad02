// The kinds of tiles, as the rules print them: `tiles.json` is written from the rules' own table.
import type { GoodName } from "../wire/GoodName";
import type { SetName } from "../wire/SetName";
import json from "./tiles.json";

export type Terrain = "city" | "road" | "field" | "monastery" | "garden";
export type Side = "N" | "E" | "S" | "W";
export type Half = "NL" | "NR" | "EL" | "ER" | "SL" | "SR" | "WL" | "WR";

/** A segment as printed, before the tile is turned. */
export interface PrintedSegment {
  /** `city0`, `road1`, `field0`, `monastery`: its name in moves and records. */
  name: string;
  terrain: Terrain;
  /** The edges that a city or road reaches. */
  sides?: string;
  /** The half edges that a field reaches, L and R looking outward. */
  halves?: Half[];
  pennants?: number;
  /** Whether an inn lies by the road, or a cathedral stands in the city. */
  special?: boolean;
  good?: GoodName;
  /** The cities that a field touches, by name. */
  cities?: string[];
}

export interface PrintedTile {
  /** How many of the kind the game has. */
  count: number;
  /** North, east, south, west: C city, R road, F field, W water. */
  edges: string;
  segments: PrintedSegment[];
  /** The set it belongs to, unless it is of the base game. */
  set?: SetName;
}

export const SIDES: readonly Side[] = ["N", "E", "S", "W"];

export const TABLE = json as Record<string, PrintedTile>;

/** The kinds of the base game by their letter, in order. */
export const KINDS: readonly string[] = Object.keys(TABLE);

/** Makes further kinds known; the sets' come with the games that use them. */
export const addTiles = (more: Record<string, PrintedTile>): unknown => Object.assign(TABLE, more);

export function printedTile(kind: string): PrintedTile {
  const tile = TABLE[kind];
  if (!tile) throw new Error(`no tile of kind '${kind}'; there are ${KINDS.join(" ")}`);
  return tile;
}

/** The terrain that a segment's name says: `city0` is a city; so does a figure's move, `big city0`. */
export function terrainOf(segment: string): Terrain {
  const terrain = segment.replace(/^.* |\d+$/g, "");
  if (/^(city|road|field|monastery|garden)$/.test(terrain)) return terrain as Terrain;
  throw new Error(`no segment is called '${segment}'; names are like city0, road1, field0, monastery`);
}
