// What the board says, in the reader's language.
import type { Terrain } from "../art";
import type { BoardWords } from "../board/types";
import { t } from "../i18n/index.svelte";
import type { LegalMove } from "../wire/LegalMove";
import type { Stand } from "../wire/Stand";
import type { LogLine } from "./log";

const terrainName = (terrain: Terrain) => t(`common.${terrain}`);

/** `City`, or `City 2` where a tile has several. */
export function segmentName(segment: string): string {
  const number = Number(/\d+$/.exec(segment)?.[0] ?? 0);
  const name = terrainName(segment.replace(/\d+$/, "") as Terrain);
  return number === 0 ? name : `${name} ${number + 1}`;
}

export function boardWords(names: readonly string[]): BoardWords {
  const words: BoardWords = {
    board: t("game.board"),
    spot: (cell) => t("game.spotAt", { cell: cell.replace(",", ", ") }),
    segment: segmentName,
    meeple: (meeple, feature) => t("game.meepleOf", { name: names[meeple.player] ?? "", feature: words.feature(feature) }),
    placing: t("game.placing"),
    chooseMeeple: t("game.placeMeeple"),
    noMeeple: t("game.noMeeple"),
    confirm: t("game.confirm"),
    cancel: t("common.cancel"),
    rotate: t("game.rotate"),
    feature: ({ terrain, complete, points }) =>
      t(complete && terrain !== "field" ? "game.featureFinished" : "game.featureNow", { feature: terrainName(terrain), n: points }),
  };
  return words;
}

/** What a placement does at once: "+18 closes your city". */
export function effectOf(move: LegalMove, mine: number | null, names: readonly string[]): string | null {
  const own = move.pays.filter((pay) => pay.seat === mine);
  const [pay, points] = own.length > 0 ? [own[0], own.reduce((sum, p) => sum + p.points, 0)] : [move.pays[0], move.pays[0]?.points ?? 0];
  if (!pay) return null;
  const feature = terrainName(pay.feature_type as Terrain);
  return own.length > 0
    ? t("game.closesYours", { n: points, feature: feature.toLowerCase() })
    : t("game.closesTheirs", { n: points, feature: feature.toLowerCase(), name: names[pay.seat] ?? "" });
}

/** What a meeple would stand on: "2 now · 1 open", "touches 2 cities". */
export function standWords(segment: string, stand: Stand | null): string {
  if (!stand) return "";
  if (segment.startsWith("field")) return t("game.touchesCities", { n: stand.cities });
  if (stand.is_complete) return t("game.scoresAtOnce", { n: stand.points });
  return t("game.nowAndOpen", { n: stand.points, open: stand.open_edges });
}

/** What a turn did: "closes a city", "claims a road", "no meeple". */
export function deedWords(line: LogLine): string {
  const closed = line.scores.find((score) => score.finished);
  if (closed) return t(`game.closes_${closed.terrain}`);
  return line.claimed ? t(`game.claims_${line.claimed}`) : t("game.noMeepleLine");
}
