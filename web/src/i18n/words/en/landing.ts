// The first page.
export default {
  promise: "One tile at a time,\na whole country.",
  lead: "Play Carcassonne in your browser against friends and bots. Free, and you can start without an account.",
  playNow: "Play now",
  friend: "Invite a friend",
  never: "Never played? Learn it in three minutes",
  now: "Being played now",
  all: "Watch the one game | Watch all {n} games",
  offers: "What there is",
  play: "Play",
  playMore: "With a friend by link, with somebody of your strength, or with a bot. By the minute or by the day.",
  review: "Look back",
  reviewMore:
    "Every finished game can be replayed turn by turn, with what the engine thinks of it, and its draws checked.",
  puzzles: "Puzzles",
  puzzlesMore: "A position, a tile, one turn that is clearly best. A new one every day, and a rating of your own.",
  research: "Research",
  researchMore:
    "Free software: an open API for programs that play, an engine, and environments for learning in Python.",
  people: "At the tables: {names}",
  nobody: "Nobody is playing in public right now. Replay a finished game instead.",
};
