// What stands around the board, on a desk and on a phone alike: one state for all its parts.
import { untrack } from "svelte";
import type { BoardControls, BoardMark, Rotation, StagedTurn } from "../board/types";
import { t } from "../i18n/index.svelte";
import { possible } from "./player_actions";
import type { GameModel } from "./model.svelte";
import { type Sent, boardTurn } from "./view";
import { effectOf, worthOf } from "./words";

export type TabName = "moves" | "chat" | "scores" | "engine";

export class GameControls {
  board = $state.raw<BoardControls>();
  staged = $state.raw<StagedTurn | null>(null);
  /** What was confirmed and not yet answered; it lies on the board meanwhile. */
  sent = $state.raw<Sent | null>(null);
  /** How the tile lies in the hand. */
  wish = $state<Rotation>(0);
  /** Whether the engine is being asked for a turn. */
  hinting = $state(false);
  marks = $state.raw<BoardMark[]>([]);
  /** Whether the panel stands beside the board. */
  wide = $state(true);
  /** Whether a phone lies on its side: the sheet stands at the right. */
  low = $state(false);
  fields = $state(false);
  /** Whether the tiles left are shown large. */
  tiles = $state(false);
  help = $state(false);
  /** Whether the phone's sheet is drawn up. */
  sheet = $state(false);
  tab = $state<TabName>("moves");
  /** Lines of chat that were there when the chat was last looked at. */
  read = $state<number | null>(null);

  /** The turn of the player here, if a tile is to be placed. */
  turn = $derived.by(() => {
    const { myTurn, update, view, sets } = this.game;
    if (!myTurn || !update || !view || this.sent) return null;
    const names = untrack(() => this.game.names);
    const turn = boardTurn(
      update.turn,
      update.view.current_tile,
      update.legal,
      (move) => effectOf(move, update.turn, names),
      worthOf,
    );
    if (!turn) return null;
    const whole = { ...turn, keep: t("game.keepInHand", { n: view.meeple_supply[turn.player] ?? 0 }) };
    return sets ? sets.withFigures(whole, view, update.legal ?? []) : whole;
  });
  /** How many cells the tile may go to. */
  spots = $derived.by(() => new Set(this.turn?.legal.map(({ cell }) => cell)).size);
  /** Lines of chat not looked at yet. */
  unread = $derived.by(() => Math.max(0, this.game.table.chat.length - (this.read ?? Infinity)));
  /** Whether the player here has a figure for this turn. */
  hasMeeple = $derived.by(() => {
    const [view, seat] = [this.game.view, this.game.update?.turn ?? 0];
    return (view?.meeple_supply[seat] || view?.sets?.figures[seat]?.length || 0) > 0;
  });
  /** Whether turns can be stepped through. */
  replaying = $derived.by(() => this.game.over || this.game.past !== null);

  /** Whether the engine may be asked for a turn now. */
  mayHint = $derived.by(() => {
    const { info, myTurn, past, mine, turns } = this.game;
    return info !== null && myTurn && !past && possible(info, mine, turns).hint;
  });

  constructor(readonly game: GameModel) {}

  showTiles(): void {
    this.tiles = !this.tiles;
    if (!this.wide) this.sheet = this.tiles;
  }

  /** Shows what the engine would play. */
  async hint(): Promise<void> {
    if (this.mayHint && !this.hinting) await (await import("./advice")).showHint(this);
  }

  /** Brings a cell into view. */
  pick(cell: string): void {
    this.board?.panTo(cell);
    if (!this.wide) this.sheet = false;
  }
}
