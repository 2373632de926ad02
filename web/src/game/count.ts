// The count as it would be if the game ended now: the points so far, and what stands on the board.
import type { Terrain } from "../art";
import type { Breakdown } from "../wire/Breakdown";
import type { CarcassonneView } from "../wire/CarcassonneView";

/** Points by kind and seat; the server says what each feature is worth and to whom. */
export function ifEndedNow(view: CarcassonneView): Breakdown[] {
  const rows = view.breakdown.map((points) => ({ ...points }));
  for (const feature of Object.values(view.features)) {
    // A finished road, city or monastery with owners was just scored and is in the points already.
    if (!feature || (feature.is_complete && feature.feature_type !== "field")) continue;
    for (const owner of feature.owners) {
      const row = rows[owner];
      if (row) row[feature.feature_type as Terrain] += feature.points;
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
      const farmers = view.meeples.filter((m) => m.feature === id && feature.owners.includes(m.player)).length;
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
