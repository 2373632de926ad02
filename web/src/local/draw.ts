// What chance does in a game without a server: a draw from what is left, by the browser's own randomness.

/** One of the kinds, each as likely as it has tiles left. */
export function drawn(
  left: readonly (readonly [kind: string, tiles: number])[],
  random: (below: number) => number = randomBelow,
): string {
  let at = random(left.reduce((sum, [, tiles]) => sum + tiles, 0));
  for (const [kind, tiles] of left) {
    if (at < tiles) return kind;
    at -= tiles;
  }
  throw new Error("nothing is left to draw");
}

/** A whole number below another, each as likely: what would make some likelier is drawn again. */
export function randomBelow(below: number): number {
  const limit = 2 ** 32 - (2 ** 32 % below);
  for (;;) {
    const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (value < limit) return value % below;
  }
}
