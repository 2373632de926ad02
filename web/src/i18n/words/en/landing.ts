// The first page.
export default {
  promise: "One tile at a time,\na whole country.",
  lead: "Play Carcassonne in your browser against friends and bots. Free, and you can start without an account.",
  playNow: "Play now",
  friend: "Invite a friend",
  never: "Never played? Learn it in three minutes",
  fast: "Your first tile in seconds",
  fastMore: "Press Play and a bot of your strength is already at the table. Or send a link and wait for a friend.",
  see: "See what the land is worth",
  seeMore: "Fields, tiles left, dead spots and odds are one key away, on a phone as on a desk.",
  why: "Nothing up the sleeve",
  whyMore: "Every draw can be checked afterwards, every game replayed turn by turn, with what the engine thinks of it.",
  now: "Being played now",
  all: "Watch the one game | Watch all {n} games",
};
