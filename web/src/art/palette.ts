// The colours of the land. The light comes from the top left, whatever way a tile is turned.

export const LAND = {
  grass: "#a8c57a",
  grassLight: "#bcd391",
  grassDark: "#97b76a",
  tuft: "#83a457",
  hedge: "#6c9a4f",
  road: "#f1e6ca",
  rut: "#ddcba1",
  roadEdge: "#b3976a",
  verge: "#94b268",
  paving: "#e2cba4",
  pavingLight: "#eddcbb",
  pavingDark: "#d0b388",
  cobble: "#b9996e",
  lane: "#efe0c1",
  wall: "#e2d5bb",
  wallLight: "#f3ead6",
  wallEdge: "#a08d6d",
  wallFace: "#94815f",
  shade: "#3b2a1a",
} as const;

/** Ground and furrow of each crop. */
export const CROPS: readonly (readonly [ground: string, furrow: string])[] = [
  ["#dcca78", "#c2ab55"],
  ["#92b666", "#7a9f50"],
  ["#c3d188", "#a8b968"],
  ["#8fb061", "#78994c"],
  ["#c9bd8b", "#ad9f6c"],
];

export const FLOWERS: readonly string[] = ["#faf4df", "#f2da86", "#e7b7ae", "#cdb5dd"];

/** Light and shaded side of each roof. */
export const ROOFS: readonly (readonly [light: string, shaded: string])[] = [
  ["#d07a57", "#b05c41"],
  ["#c26249", "#9f4a38"],
  ["#dc9169", "#bb7150"],
  ["#b9583f", "#954232"],
  ["#cf8a5f", "#ab6a46"],
];
