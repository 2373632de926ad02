// What the page shows of a game that is played in it: the server's types, filled here.
import type { GameInfo } from "../wire/GameInfo";
import type { GameResult } from "../wire/GameResult";
import type { SeatInfo } from "../wire/SeatInfo";
import type { KeptGame } from "./kept";

/** How a game ended with these points; who gave up has lost. */
export function resultOf(scores: number[], { gaveUp, mine }: Pick<KeptGame, "gaveUp" | "mine">): GameResult {
  if (gaveUp === "abort") return { winners: [], scores, places: [], reason: "abort" };
  const out = (seat: number) => gaveUp === "resign" && seat === mine;
  const rank = (seat: number) => (out(seat) ? -1 : scores[seat]!);
  const seats = scores.map((_, seat) => seat);
  const places = seats.map((seat) => seats.filter((other) => rank(other) > rank(seat)).length + 1);
  return {
    winners: seats.filter((seat) => places[seat] === 1),
    scores,
    places,
    reason: gaveUp === "resign" ? "resign" : "normal",
  };
}

export function infoOf(game: KeptGame, name: string, result: GameResult | null): GameInfo {
  const seat = (number: number): SeatInfo => ({
    seat: number,
    sitter:
      number === game.mine ? { kind: "user", user: "", name, bot_account: false } : { kind: "bot", bot: game.level },
    rating: null,
    rating_change: null,
    online: true,
    leaves_in_ms: null,
    claim_in_ms: null,
    out: result?.reason === "resign" && number === game.mine ? "resign" : null,
  });
  return {
    id: game.key,
    game: "carcassonne",
    options: {},
    setup: game.setup,
    status: result ? "over" : "playing",
    seats: [seat(0), seat(1)],
    host: { id: "", name },
    rated: false,
    not_rated: null,
    rating_weight: null,
    visibility: "private",
    clock: { kind: "none" },
    pass_and_play: false,
    created: game.begun,
    started: game.begun,
    ended: null,
    result,
    offers: { draw: [], takeback: [], rematch: [], help: [] },
    spectators: 0,
    commit: "",
    seed_given: false,
    rematch_of: null,
    rematch: null,
    help_allowed: false,
    help_agreed: false,
    from_ply: 0,
    laid: false,
    offline: true,
  };
}
