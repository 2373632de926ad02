// A turn with sets: which figure is in hand, what the turn brings beside points.
import type { BoardTurn } from "../board/types";
import { t } from "../i18n/index.svelte";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { GoodsView } from "../wire/GoodsView";
import type { LegalMove } from "../wire/LegalMove";
import FigurePicker from "./FigurePicker.svelte";
import { GOODS, figureOf } from "./figures";

/** The turn with the choice between figures: a meeple is in hand first, if one can be placed. */
export function withFigures(turn: BoardTurn, view: CarcassonneView, legal: readonly LegalMove[]): BoardTurn {
  const recalled = recallWords(view, turn.player);
  const placements = turn.legal.map((placement) => {
    const move = legal.find((each) => each.move === placement.move);
    const all = placement.meeples;
    const first = all.some((each) => figureOf(each) === "") ? "" : figureOf(all[0] ?? "");
    const effect = [placement.effect ?? "", ...bringsWords(move)].filter((words) => words !== "").join(" · ");
    return {
      ...placement,
      all,
      meeples: all.filter((each) => figureOf(each) === first),
      worth: { ...placement.worth, recall: recalled },
      ...(effect === "" ? {} : { effect }),
    };
  });
  return { ...turn, legal: placements, Picker: FigurePicker };
}

function bringsWords(move: LegalMove | undefined): string[] {
  return [...(move?.goods ? [goodsWords(move.goods)] : []), ...(move?.doubles ? [t("sets.doubles")] : [])];
}

/** "2 wine, 1 cloth". */
export function goodsWords(goods: GoodsView): string {
  return GOODS.flatMap((good) => (goods[good] > 0 ? [t(`sets.n_${good}`, { n: goods[good] })] : [])).join(", ");
}

/** What the abbot scores if it is taken back now. */
function recallWords(view: CarcassonneView, player: number): string {
  const abbot = view.meeples.find((meeple) => meeple.player === player && meeple.figure === "abbot");
  const points = abbot && view.features[abbot.feature]?.points;
  return points === undefined ? "" : t("sets.recallScores", { n: points });
}

/** Whether players have figures of sets or goods; the river brings tiles alone. */
export const hasPieces = (view: CarcassonneView | null): boolean =>
  view?.sets?.names.some((name) => name !== "river") ?? false;

/** What is said beside whose turn it is: the river comes first, a builder gave another part. */
export function statusOf({ sets, current_tile }: CarcassonneView): string | null {
  if (!sets || current_tile === null) return null;
  if (sets.second_part) return t("sets.secondPart");
  const river = sets.river_remaining + (current_tile.startsWith("RI/") ? 1 : 0);
  return river > 0 ? t("sets.riverPhase", { n: river }) : null;
}
