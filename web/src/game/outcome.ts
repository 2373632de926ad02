// How a game ended, in words.
import { t } from "../i18n/index.svelte";
import type { GameInfo } from "../wire/GameInfo";
import type { GameResult } from "../wire/GameResult";

/** What is known of a game that has ended. */
interface Ended {
  info: GameInfo | null;
  names: readonly string[];
  /** The seats of who is here. */
  mine: readonly number[];
}

/** "You won", "Mira won", "A draw: Mira, Tomas". */
export function headlineOf(game: Ended): string {
  const result = game.info?.result;
  if (!result) return "";
  const [first, ...others] = result.winners;
  if (result.reason === "abort" || first === undefined) return t("panel.aborted");
  if (others.length > 0) return t("panel.tie", { names: result.winners.map((seat) => game.names[seat]).join(", ") });
  if (game.mine.length === 1 && game.mine[0] === first) return t("panel.youWon");
  return t("panel.nameWon", { name: game.names[first] ?? "" });
}

/** The winners' points first, as a result is read: "107 – 93". */
export function pointsOf({ scores, winners }: GameResult): string {
  const rank = (seat: number) => (winners.includes(seat) ? 1e6 : 0) + scores[seat]!;
  return scores
    .map((_, seat) => seat)
    .sort((a, b) => rank(b) - rank(a))
    .map((seat) => scores[seat])
    .join(" – ");
}
