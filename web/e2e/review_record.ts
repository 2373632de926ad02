// A short game of two weak bots, played to its end: the record that tests of reviews take in.

const MOVES = [
  "U; -1,0 r0; road0|G; 0,1 r1; city0|E; -1,-1 r1; city0|X; 1,0 r0; road1|R; 0,-1 r2; pass",
  "C; 0,-2 r0; pass|M; 1,-2 r0; field0|W; 1,1 r3; road2|J; -1,-2 r1; road0|H; 2,-2 r0; city1",
  "B; -1,1 r0; monastery|U; 2,1 r0; road0|V; 2,0 r0; pass|D|W|L; 2,-1 r2; city0|N|V|K|E|W|U|U|H|F",
  "O; 1,-1 r3; road0|K|P|Q|A|V|V|U|J|P|L|D|V|V|E|B|V|I|U|E|S|U|V|E|F|P|H|V|N|W|K|O|B|T|B|L|A|U|J|S|I|N",
  "D|R|M|R",
];

/** Fifteen turns on a board of four by four; both made blunders, and the first one was an inaccuracy. */
export const RECORD = [
  "carcassonne players=2 farmers=on start=tile board=4x4 tiny-city=4",
  ...MOVES.flatMap((line) => line.split("|")),
].join("\n");
