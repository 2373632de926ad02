// The count as it would be if the game ended now: the points so far, and what stands on the board.
import type { Terrain } from "../art";
import type { Breakdown } from "../wire/Breakdown";
import type { CarcassonneView } from "../wire/CarcassonneView";
import type { MeepleView } from "../wire/MeepleView";

/** What the most goods of a kind are worth at the end. */
const MOST_OF_A_KIND = 10;

/** Points by kind and seat; the server says what each feature is worth and to whom. */
export function ifEndedNow(view: CarcassonneView): Breakdown[] {
  const rows = view.breakdown.map((points) => ({ ...points }));
  for (const feature of Object.values(view.features)) {
    // A finished road, city or monastery with owners was just scored and is in the points already.
    if (!feature || (feature.is_complete && feature.feature_type !== "field")) continue;
    for (const owner of feature.owners) {
      const row = rows[owner];
      if (!row) continue;
      const pig = feature.pigs?.includes(owner) ? feature.cities : 0;
      const terrain = feature.feature_type as Terrain;
      row[terrain] = (row[terrain] ?? 0) + feature.points + pig;
    }
  }
  const goods = view.sets?.goods ?? [];
  for (const kind of ["wine", "grain", "cloth"] as const) {
    const most = Math.max(0, ...goods.map((tokens) => tokens[kind]));
    for (const [player, tokens] of goods.entries()) {
      const row = rows[player];
      if (row && most > 0 && tokens[kind] === most) row.goods = (row.goods ?? 0) + MOST_OF_A_KIND;
    }
  }
  return rows;
}

export interface OwnedField {
  id: string;
  owners: number[];
  tiles: number;
  farmers: number;
  cities: number;
  points: number;
}

/** The fields that somebody holds, the dearest first. */
export function ownedFields(view: CarcassonneView): OwnedField[] {
  return Object.entries(view.features)
    .flatMap(([id, feature]) => {
      if (!feature || feature.feature_type !== "field" || feature.owners.length === 0) return [];
      // A pig is no farmer.
      const isFarmer = (m: MeepleView) => m.feature === id && feature.owners.includes(m.player) && m.figure !== "pig";
      const farmers = view.meeples.filter(isFarmer).length;
      return [
        {
          id,
          owners: feature.owners,
          tiles: feature.tiles.length,
          farmers,
          cities: feature.cities,
          points: feature.points,
        },
      ];
    })
    .sort((a, b) => b.points - a.points || b.tiles - a.tiles);
}
