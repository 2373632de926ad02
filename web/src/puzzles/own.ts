// One's own mistakes, one after the other.
import type { GameWithMistakes } from "../wire/GameWithMistakes";

/** The mistake after another one in the list, which begins again after the last; none if there is no other. */
export function mistakeAfter(
  games: readonly Pick<GameWithMistakes, "game" | "mistakes">[],
  game: string,
  ply: number,
): { game: string; ply: number } | null {
  const all = games.flatMap(({ game, mistakes }) => mistakes.map(({ ply }) => ({ game, ply })));
  const at = all.findIndex((mistake) => mistake.game === game && mistake.ply === ply);
  const next = all[(at + 1) % Math.max(1, all.length)];
  return next && (next.game !== game || next.ply !== ply) ? next : null;
}
