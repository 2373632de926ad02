// What stands around the board, on a desk and on a phone alike.
import type { BoardControls, BoardMark, Rotation, StagedTurn } from "../board/types";
import type { GameModel } from "./model.svelte";

export type TabName = "moves" | "chat" | "scores" | "engine";

export interface AroundProps {
  game: GameModel;
  board: BoardControls | undefined;
  staged: StagedTurn | null;
  /** How many cells the tile may go to. */
  spots: number;
  /** How the tile lies in the hand. */
  wish: Rotation;
  /** The engine may be asked for a turn; `null` where that is not allowed. */
  hint: { busy: boolean; ask: () => void } | null;
  /** Whether turns can be stepped through. */
  replaying: boolean;
  /** Lines of chat not looked at yet. */
  unread: number;
  /** Whether the tiles left are shown large. */
  tiles: boolean;
  fields: boolean;
  tab: TabName;
  /** Whether the phone's sheet is drawn up. */
  sheet: boolean;
  ontiles: () => void;
  onhelp: () => void;
  onpick: (cell: string) => void;
  onmarks: (marks: BoardMark[]) => void;
}
