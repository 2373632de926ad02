// The page that checks a finished game's draws.
export default {
  title: "Were the draws fair?",
  lead:
    "Before the first tile the server published a fingerprint of its secret seed. Each player’s browser added a " +
    "number of its own. From these the order of all tiles follows, and nobody could choose it.",
  fair: "The draws are those that were promised",
  unfair: "The draws are not those that were promised",
  promised: "The seed fits the fingerprint that was published before the first draw.",
  ordered: "The order of all tiles follows from the seed and the players’ numbers.",
  drawn: "The tiles drawn in the game are the top of that order.",
  here: "Your browser has just worked this out by itself, from the numbers below.",
  numbers: "The numbers",
  commit: "Fingerprint, published at the start",
  seed: "Seed, revealed at the end",
  nonce: "Number of seat {n}",
  game: "Game",
  command: "Who trusts no page can check the same on the command line:",
  order: "The order of the tiles",
  orderNote: "{n} of them were drawn; the grey ones stayed in the bag.",
  toGame: "To the game",
};
