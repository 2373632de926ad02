// The page that checks a finished game's draws.
export default {
  title: "Were the draws fair?",
  lead:
    "Before the first tile the server published a fingerprint of its secret seed. Each player’s browser added " +
    "random characters of its own. From these the order of all tiles follows, and nobody could choose it.",
  leadBots:
    "Before the first tile the server published a fingerprint of its secret seed. It made random characters for each " +
    "bot too. From these the order of all tiles follows, and the seed could not be changed any more.",
  fair: "The draws are those that were promised",
  unfair: "The draws are not those that were promised",
  promised: "The seed fits the fingerprint that was published before the first draw.",
  ordered: "The order of all tiles follows from the seed and the players’ random characters.",
  drawn: "The tiles drawn in the game are the top of that order.",
  here: "Your browser has just worked this out by itself, from the values below.",
  values: "The values",
  commit: "Fingerprint, published at the start",
  seed: "Seed, revealed at the end",
  nonce: "Random characters from {name}",
  nonceBot: "Random characters for {name}, made by the server",
  game: "Game",
  command: "If you trust no page, check the same on the command line:",
  order: "The order of the tiles",
  orderAll: "All {n} were drawn.",
  orderNote: "{n} of them were drawn; the grey ones stayed in the bag.",
  toGame: "To the game",
};
