// What a player may do beside playing, and how it is said to the server.
import { needRefusals } from "../api/api_error";
import { t } from "../i18n/index.svelte";
import { refusalWords, say as toast, showError } from "../design/toasts.svelte";
import type { GameInfo } from "../wire/GameInfo";
import { MessageRefused, type OutgoingMessage } from "./table_socket";
import { isBot } from "./seats";
import type { AnyTable } from "./table.svelte";

export interface Possible {
  resign: boolean;
  draw: boolean;
  takeback: boolean;
  abort: boolean;
  rematch: boolean;
  /** Whether the engine may be asked. */
  help: boolean;
  /** Whether it may be asked for the turn to play, by who plays. */
  hint: boolean;
  /** Whether the players may agree on its help. */
  agreeOnHelp: boolean;
}

/** What makes sense to offer; the server has the last word. */
export function possible(info: GameInfo, mine: readonly number[], turns: number): Possible {
  const [playing, sits] = [info.status === "playing", mine.length > 0];
  const people = info.seats.filter((seat) => !isBot(seat)).length;
  const bots = info.seats.some((seat) => seat.sitter.kind === "bot");
  /** People play people: the engine helps all or nobody. */
  const meet =
    new Set(info.seats.flatMap(({ sitter, out }) => (sitter.kind === "user" && !out ? [sitter.user] : []))).size > 1;
  return {
    resign: playing && sits && !info.pass_and_play && turns >= 2,
    draw: playing && sits && info.seats.length === 2 && people === 2 && !info.pass_and_play,
    takeback: playing && sits && !info.rated && turns > 0,
    abort: info.status !== "over" && sits && turns < 2,
    rematch: info.status === "over" && sits && info.result?.reason !== "abort",
    help:
      info.help_allowed && (info.status === "over" || (playing && (meet || (sits && (bots || info.pass_and_play))))),
    hint: info.help_allowed && playing && sits && (meet || bots || info.pass_and_play),
    agreeOnHelp: playing && sits && meet && !info.rated,
  };
}

/** Says something to the table; a refusal is shown as the server put it. */
export async function sendMessage(table: Pick<AnyTable, "say">, saying: OutgoingMessage): Promise<boolean> {
  try {
    await table.say(saying);
    return true;
  } catch (error) {
    if (!(error instanceof MessageRefused)) showError(error);
    else if (error.problem.code === "stale_version") toast(t("game.stale"));
    else {
      await needRefusals();
      toast(refusalWords(error.problem) ?? t("common.failed"), "bad");
    }
    return false;
  }
}
