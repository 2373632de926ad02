// Why a turn is worse than the engine's: facts first, then where the points come from. Nothing is said that the
// numbers do not carry.
import { signed } from "../i18n/amounts";
import { type Key, t } from "../i18n/index.svelte";
import type { ReviewFact } from "../wire/ReviewFact";
import type { ReviewReason } from "../wire/ReviewReason";
import type { ReviewedDecision } from "../wire/ReviewedDecision";

/** What is known of a turn beside the engine's. */
export type ComparedTurns = Pick<ReviewedDecision, "player" | "measured" | "reasons" | "facts">;

/** How the turn that is not the engine's is called. */
type OtherTurn = "review.turnPlayed" | "puzzles.otherTurn";

export interface WeighedReasons {
  /** What the engine's turn brings more to the player, or less to others; the largest first. */
  gains: ReviewReason[];
  /** What it costs. */
  costs: ReviewReason[];
}

/** So many parts are named of each. */
const MOST_PARTS = 3;
const FEW_PARTS = 2;

/** The parts that explain a loss; nothing if together they are less than half of it. */
export function weighedReasons(decision: ComparedTurns): WeighedReasons | null {
  const { player, reasons, measured } = decision;
  const worth = (reason: ReviewReason) => (reason.player === player ? reason.points : -reason.points);
  const byWorth = (a: ReviewReason, b: ReviewReason) => Math.abs(worth(b)) - Math.abs(worth(a));
  const gains = reasons.filter((reason) => worth(reason) > 0).sort(byWorth);
  const costs = reasons.filter((reason) => worth(reason) < 0).sort(byWorth);
  // Meeples are counted in meeples: they say something, but add up to no points.
  const net = reasons.reduce((sum, reason) => sum + (reason.source === "meeples" ? 0 : worth(reason)), 0);
  const loss = measured[player]?.margin ?? 0;
  return gains.length > 0 && net > 0 && net >= loss / 2 ? { gains, costs } : null;
}

/** The facts that speak for the engine's turn: what it does, or what the turn played does to its player's harm. */
export function supportingFacts({ facts, player, reasons }: ComparedTurns): ReviewFact[] {
  const harmsOthers = reasons.some((reason) => reason.player !== player && reason.points < 0);
  const helpsOwn = reasons.some((reason) => reason.player === player && reason.points > 0);
  return facts.filter(({ best, what }) => {
    switch (what) {
      case "scores":
      case "frees":
      case "shares":
      case "takes_over":
        return best;
      case "gives":
      case "last_meeple":
        return !best;
      case "blocks":
        // A spot that nothing fits is a means, not an end.
        return best ? harmsOthers : helpsOwn;
    }
  });
}

function factWords({ what, source, count }: ReviewFact): string {
  const n = count ?? 0;
  const feature = source ? t(`review.of_${source}`) : "";
  switch (what) {
    case "scores":
      return t("review.fact_scores", { n, feature });
    case "frees":
      return t("review.fact_frees", { n });
    case "shares":
      return t("review.fact_shares", { n, feature });
    case "takes_over":
      return t("review.fact_takesOver", { n, feature });
    case "gives":
      return t("review.fact_gives", { n, feature });
    case "last_meeple":
      return t("review.fact_lastMeeple");
    case "blocks":
      return t("review.fact_blocks", { n });
  }
}

/** Whose turn does what: "the better turn scores 8 at once (city), brings 1 meeple back". */
function turnWords(facts: readonly ReviewFact[], best: boolean, other: OtherTurn): string[] {
  const what = facts.filter((fact) => fact.best === best).map(factWords);
  return what.length > 0 ? [t(best ? "review.betterTurn" : other, { what: what.join(", ") })] : [];
}

const factsWords = (facts: readonly ReviewFact[], other: OtherTurn): string[] => [
  ...turnWords(facts, true, other),
  ...turnWords(facts, false, other),
];

function partWords(reason: ReviewReason, mover: number, names: readonly string[]): string {
  const key: Key = `review.part_${reason.source}`;
  const part = t(key, { points: signed(reason.points, 1) });
  return reason.player === mover ? part : t("review.ofOther", { name: names[reason.player] ?? "", part });
}

const listed = (parts: ReviewReason[], { player }: ComparedTurns, names: readonly string[]): string =>
  parts.map((part) => partWords(part, player, names)).join(", ");

/** What is expected later, if nothing else speaks for the engine's turn. */
function onlyLater({ gains }: WeighedReasons, { player }: ComparedTurns): string | null {
  const [gain, ...more] = gains;
  const only = gain?.source === "later" && gain.player === player && more.length === 0;
  return only ? signed(gain.points, 1) : null;
}

/** What speaks for the engine's turn, the most telling first; empty if nothing explains the loss. */
export function reasonWords(
  decision: ComparedTurns,
  names: readonly string[],
  other: OtherTurn = "review.turnPlayed",
): string[] {
  const facts = factsWords(supportingFacts(decision), other);
  const weighed = weighedReasons(decision);
  if (!weighed) return facts;
  const points = onlyLater(weighed, decision);
  if (points !== null && facts.length + weighed.costs.length === 0) return [t("review.onlyLater", { points })];
  const words = (parts: ReviewReason[]) => listed(parts.slice(0, MOST_PARTS), decision, names);
  const gains = words(weighed.gains);
  return [...facts, weighed.costs.length > 0 ? t("review.despite", { gains, costs: words(weighed.costs) }) : gains];
}

/** The same as one text, with a capital letter. */
export const reasonText = (decision: ComparedTurns, names: readonly string[], other?: OtherTurn): string =>
  sentence(reasonWords(decision, names, other).join("; "));

/** The same in a few words, for lists: a fact, or the largest part; empty if nothing explains the loss. */
export function shortReason(decision: ReviewedDecision, names: readonly string[]): string {
  const [fact] = supportingFacts(decision);
  if (fact) return sentence(factsWords([fact], "review.turnPlayed")[0] ?? "");
  const weighed = weighedReasons(decision);
  if (!weighed) return "";
  const points = onlyLater(weighed, decision);
  return points === null
    ? listed(weighed.gains.slice(0, FEW_PARTS), decision, names)
    : t("review.onlyLaterShort", { points });
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
