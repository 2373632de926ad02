// What the board is given and what it tells: the contract of `Board.svelte`.
//
// The board knows no rules. Cells are "x,y" with x to the east and y to the NORTH; rotations are
// clockwise quarter turns; segments have the names of moves (`city0`, `monastery`); players count
// from 0.
import type { Rotation, Terrain } from "../art";
import type { Component } from "svelte";
import type { Box } from "./cells";

export type { Rotation, Terrain };

/** A side of the view, named as on a map. */
export type Edge = "north" | "east" | "south" | "west";

export interface BoardTile {
  cell: string;
  kind: string;
  rotation: Rotation;
  /** The number of the turn that placed it; 0 for the start tile. */
  ply: number;
  /** Who placed it; nobody placed the start tile. */
  player: number | null;
}

export interface BoardMeeple {
  cell: string;
  segment: string;
  player: number;
  /** Which of the player's meeples, so that this very one is seen to return. */
  number: number;
  /** Farmers lie. */
  lying: boolean;
  /** Which figure of a set it is; a meeple if nothing is said. */
  figure?: string | undefined;
}

export interface SegmentPlace {
  cell: string;
  segment: string;
}

export interface BoardFeature {
  id: number;
  terrain: Terrain;
  complete: boolean;
  /** Every segment of it, with its cell. */
  segments: SegmentPlace[];
  /** Who has the majority, several if they tie. */
  owners: number[];
  /** What each owner gets if the game ended now. */
  points: number;
  /** How many meeples stand on it, by player; players without are left out. */
  meeples: { player: number; count: number }[];
  /** For a field: the finished cities that it touches, by feature id. */
  finishedCities?: number[];
}

/** A legal placement with the meeple choices that would follow (`pass` is always one of them). */
export interface LegalPlacement {
  /** The move as it is sent, "3,-1 r2". */
  move: string;
  cell: string;
  rotation: Rotation;
  /** The segments that may be claimed, without `pass`; with sets, the moves of the figure in hand. */
  meeples: string[];
  /** With sets: the moves of all figures. */
  all?: string[];
  /** What placing it does, in words and short: "+18 closes your city". */
  effect?: string;
  /** What each meeple would be worth, by segment and in words: "3 now · 1 open". */
  worth?: Record<string, string>;
}

/** What just happened, for animation only: the state is always in the other props. */
export type BoardEvent =
  | { type: "placed"; cell: string }
  | { type: "claimed"; cell: string; segment: string; player: number; number: number; figure?: string | undefined }
  | { type: "returned"; cell: string; segment: string; player: number; number: number; figure?: string | undefined }
  | { type: "scored"; player: number; points: number; cell: string; segment: string };

export interface BoardUpdate {
  /** Grows with every update; the events of one version are played once. */
  version: number;
  events: BoardEvent[];
}

/** What the player to move can do here; `null` while it is somebody else's turn. */
export interface BoardTurn {
  player: number;
  /** The kind of the tile in hand. */
  tile: string;
  legal: LegalPlacement[];
  /** What keeping the meeple means, in words: "keep 4 in hand". */
  keep?: string;
  /** With sets: the choice between figures, shown in the meeple step. */
  Picker?: Component<PickerProps>;
}

/** What the choice between figures is given. */
export interface PickerProps {
  turn: BoardTurn;
  staged: StagedTurn;
  /** Takes a figure in hand: its moves are to choose from. */
  onhold: (moves: string[]) => void;
}

/** What the player has put down so far. */
export interface StagedTurn {
  cell: string;
  rotation: Rotation;
  step: "place" | "meeple";
  /** In the meeple step: the segment chosen, `pass`, or nothing yet. */
  choice: string | null;
  /** What may be chosen in the meeple step. */
  choices: string[];
  /** The rotations that are legal on the cell. */
  rotations: Rotation[];
  effect: string | null;
  worth: Record<string, string>;
}

/** A whole turn, as it is sent: `["3,-1 r2", "city0"]` or `["3,-1 r2", "pass"]`. */
export type WholeTurn = [placement: string, meeple: string];

/** A move that review or hints show: a ghost with a verdict, and an arrow from the played one. */
export interface BoardMark {
  cell: string;
  tone: "best" | "good" | "inacc" | "mistake" | "blunder";
  /** On a badge; none if it is empty. */
  glyph: string;
  /** Draws this tile as a ghost there. */
  ghost?: { kind: string; rotation: Rotation; segment?: string; player: number };
  /** Draws it small, on this neighbour of its cell, with an arrow to it: what lies there is seen too. */
  aside?: string;
  /** Draws an arrow from this cell. */
  from?: string;
  /** On the tile that lies there: where the meeple had better gone, or that it had better stayed in hand. */
  meeple?: { kind: string; rotation: Rotation; segment: string; player: number; stays: boolean };
}

export interface BoardProps {
  tiles: BoardTile[];
  meeples: BoardMeeple[];
  features: BoardFeature[];
  turn?: BoardTurn | null;
  /** Empty cells where no remaining tile fits. */
  dead?: string[];
  /** The cell of the last move, framed in its player's colour. */
  last?: { cell: string; player: number } | null;
  update?: BoardUpdate | null;
  marks?: BoardMark[];
  /** Cells that the view shows as if a tile lay there. */
  room?: string[];
  /** A feature that is talked about, in a player's colour. */
  shown?: { feature: number; player: number } | null;
  /** Whether fields are tinted by owner. */
  fields?: boolean;
  /** Whether the table's coordinates are shown. */
  coordinates?: boolean;
  /** Room that panels and sheets take from the view, in pixels, for fitting. */
  inset?: Partial<Record<"top" | "right" | "bottom" | "left", number>>;
  /** What lies over the board, in pixels of the window: fitting keeps spots clear of it. */
  covers?: () => Box[];
  /** Whether the board shows the buttons of a turn itself. */
  pill?: boolean;
  /** Whether a chosen meeple waits to be confirmed. */
  confirms?: boolean;
  /** Whether the meeple's places are shown along with the tile, so that one click ends the turn. */
  oneClick?: boolean;
  /** Whether the tile may be turned before its turn comes. */
  premoves?: boolean;
  /** Whether the board is only a picture: no spots, no keys, no pan (landing page, miniatures). */
  still?: boolean;
  /** How the tile in hand lies before it is put down; R turns it. */
  wish?: Rotation;
  /** The words the board speaks. */
  words: BoardWords;
  /** Where a player's meeples go back to, in pixels of the window; up and away if not told. */
  home?: (player: number) => { x: number; y: number } | null;
  /** Called with the whole turn when it is confirmed. */
  onplay?: (turn: WholeTurn) => void;
  /** Called whenever something is put down, turned, chosen or taken back (`null`). */
  onstage?: (staged: StagedTurn | null) => void;
}

/** What a parent can ask of the board, through `bind:this`. */
export interface BoardControls {
  /** Looks again at what lies over the board. */
  look(): void;
  /** Moves the view so that the whole board is seen. */
  fit(): void;
  zoomBy(factor: number): void;
  /** Brings a cell to the middle. */
  panTo(cell: string): void;
  /** Puts the tile on a cell, as if it was tapped. */
  stage(cell: string): void;
  /** Turns the staged tile to the next legal rotation, or back. */
  rotate(steps: 1 | -1): void;
  /** Chooses a segment or `pass` in the meeple step. */
  choose(choice: string): void;
  /** Takes another figure in hand: these are its moves. */
  hold(moves: string[]): void;
  confirm(): void;
  /** One step back: from the meeple to the tile, from the tile to nothing. */
  cancel(): void;
}

/** Everything the board says, so that pages can translate it. */
export interface BoardWords {
  board: string;
  spot: (cell: string) => string;
  /** A segment of a kind that lies turned; those of the same terrain are told apart. */
  segment: (segment: string, kind: string, rotation: Rotation) => string;
  /** A meeple with the feature it stands on. */
  meeple: (meeple: BoardMeeple, feature: BoardFeature) => string;
  placing: string;
  chooseMeeple: string;
  noMeeple: string;
  confirm: string;
  cancel: string;
  rotate: string;
  /** So many spots, or the last tile, lie beyond an edge of the view. */
  beyond: (spots: number, edge: Edge) => string;
  lastBeyond: (edge: Edge) => string;
  /** What pointing at a feature shows: "City · 6 now". */
  feature: (feature: BoardFeature) => string;
}
