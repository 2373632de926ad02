// How a game ended, in words.
import { t } from "../i18n/index.svelte";
import type { GameModel } from "./model.svelte";

/** "You won", "Mira won", "A draw: Mira, Tomas". */
export function headlineOf(game: GameModel): string {
  const result = game.info?.result;
  if (!result) return "";
  const [first, ...others] = result.winners;
  if (result.reason === "abort" || first === undefined) return t("panel.aborted");
  if (others.length > 0) return t("panel.tie", { names: result.winners.map((seat) => game.names[seat]).join(", ") });
  if (game.mine.length === 1 && game.mine[0] === first) return t("panel.youWon");
  return t("panel.nameWon", { name: game.names[first] ?? "" });
}
