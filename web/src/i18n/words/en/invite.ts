// A table that waits: its link, what is played, sitting down.
export default {
  link: "The link to this table",
  share: "Share the link",
  code: "QR code of the link",
  codeNote: "Or let your friend photograph this code.",
  message: "{name} invites you to a game of Carcassonne",
  asks: "{name} invites you to play",
  begins: "begins",
  counts: "Rating",
  tiles: "Tiles",
  rules: "Rules",
  usual: "the usual ones",
  on: "on",
  off: "off",
  name: "Your name at the table",
  ratedNeeds: "This game is rated: you need an account to sit down.",
};
