// What the board says, in the reader's language.
import { type Rotation, anchor, printedTile } from "../art";
import { cellWords } from "../board/cells";
import type { BoardWords } from "../board/types";
import { optional, t } from "../i18n/index.svelte";
import type { LegalMove } from "../wire/LegalMove";
import type { FeatureStanding } from "../wire/FeatureStanding";

/** What only sets have is named by the words that come with them. */
export const terrainName = (terrain: string): string =>
  optional("sets", terrain) ?? t(`common.${terrain as BaseTerrain}`);

type BaseTerrain = "city" | "road" | "field" | "monastery";

const PARTS = ["north", "northEast", "east", "southEast", "south", "southWest", "west", "northWest"] as const;
/** Nearer to the middle of the tile than this is in the middle. */
const MIDDLE = 9;

/** The part of the turned tile where a meeple on the segment would stand. */
export function partOf(segment: string, kind: string, rotation: Rotation): (typeof PARTS)[number] | "middle" {
  const [x, y] = anchor(kind, segment, rotation);
  const [east, north] = [x - 50, 50 - y];
  if (Math.hypot(east, north) < MIDDLE) return "middle";
  const eighths = Math.round(Math.atan2(east, north) / (Math.PI / 4));
  return PARTS[(eighths + 8) % 8]!;
}

/** `City` (for `city0` as for `big city0`), or `Field, north-east` where the tile has several of the terrain. */
export function segmentName(segment: string, kind: string | null = null, rotation: Rotation = 0): string {
  const terrain = segment.replace(/^.* |\d+$/g, "");
  const name = terrainName(terrain);
  const several = kind !== null && printedTile(kind).segments.filter((other) => other.terrain === terrain).length > 1;
  return several
    ? t("game.segmentAt", { segment: name, part: t(`game.part_${partOf(segment, kind, rotation)}`) })
    : name;
}

export function boardWords(names: readonly string[]): BoardWords {
  const words: BoardWords = {
    board: t("game.board"),
    spot: (cell) => t("game.spotAt", { cell: cellWords(cell) }),
    segment: segmentName,
    meeple: (meeple, feature) =>
      t("game.meepleOf", { name: names[meeple.player] ?? "", feature: words.feature(feature) }),
    placing: t("game.placing"),
    chooseMeeple: t("game.placeMeeple"),
    noMeeple: t("game.noMeeple"),
    confirm: t("game.confirm"),
    cancel: t("common.cancel"),
    rotate: t("game.rotate"),
    beyond: (n, edge) => t(`game.spots_${edge}`, { n }),
    lastBeyond: (edge) => t(`game.last_${edge}`),
    feature: ({ terrain, complete, points }) =>
      t(complete && terrain !== "field" ? "game.featureFinished" : "game.featureNow", {
        feature: terrainName(terrain),
        n: points,
      }),
  };
  return words;
}

/** What a placement does at once: "+18 closes your city". */
export function effectOf(move: LegalMove, mine: number | null, names: readonly string[]): string | null {
  const own = move.pays.filter((pay) => pay.seat === mine);
  const [pay, points] =
    own.length > 0 ? [own[0], own.reduce((sum, p) => sum + p.points, 0)] : [move.pays[0], move.pays[0]?.points ?? 0];
  if (!pay) return null;
  const feature = terrainName(pay.feature_type);
  return own.length > 0
    ? t("game.closesYours", { n: points, feature: feature.toLowerCase() })
    : t("game.closesTheirs", { n: points, feature: feature.toLowerCase(), name: names[pay.seat] ?? "" });
}

/** What a meeple would stand on: "2 now · 1 side open", "touches 2 cities". */
export function standWords(segment: string, stand: FeatureStanding | null): string {
  if (!stand) return "";
  if (segment.includes("field")) return t("game.touchesCities", { n: stand.cities });
  if (stand.is_complete) return t("game.scoresAtOnce", { n: stand.points });
  const open = { n: stand.open_edges };
  const missing = /monastery|garden/.test(segment) ? t("game.neighboursMissing", open) : t("game.sidesOpen", open);
  return `${t("game.worthNow", { n: stand.points })} · ${missing}`;
}

/** What each meeple that may follow a placement is worth, by segment. */
export function worthOf(move: LegalMove): Record<string, string> {
  return Object.fromEntries(move.then.map((segment, i) => [segment, standWords(segment, move.stands[i] ?? null)]));
}
