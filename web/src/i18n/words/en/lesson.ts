// The interactive lesson.
export default {
  title: "The lesson",
  step: "Step {n} of {all}",
  yourTile: "Your tile",
  nowTap: "Tap a dashed spot on the board.",
  nowConfirm: "Turn it if you like, then confirm.",
  nowMeeple: "Choose where your meeple goes.",
  rotate: "Turn",
  place: "Place a tile",
  placeMore:
    "Each turn you draw one tile and put it beside the others. Edges must match: road to road, city to city, field " +
    "to field. The board shows every spot that fits.",
  placeDone: "That is a whole turn. The land grows by one tile after the other.",
  placeMiss: "Try another spot.",
  claim: "Claim a road",
  claimMore:
    "On the tile you have just placed you may put one of your seven meeples. Place the tile and put a meeple on its road.",
  claimDone: "The road is yours. While your meeple stands there, nobody else may claim it.",
  claimMiss: "That is allowed. This time, put a meeple on the road of the tile.",
  finish: "Finish the city",
  finishMore:
    "Your meeple stands in a city with one gap in its wall. Close it: each tile brings 2 points, each shield 2 more, " +
    "and the meeple comes back.",
  finishDone: "8 points: three tiles and a shield, twice each. Your meeple is back in hand.",
  finishMiss: "That is allowed, but the city stays open. Close the gap in its wall.",
  farm: "Lay a farmer down",
  farmMore:
    "A meeple in a field lies there until the end. Then the field brings 3 points for every finished city it " +
    "touches. Lay a meeple in a field beside the finished city.",
  farmDone:
    "At the end this field brings 3 points for each finished city it touches. Farmers never come back, so choose well.",
  farmMiss: "That is allowed. This time, lay a meeple in a field that touches the finished city.",
  next: "Next",
  finishLesson: "Finish the lesson",
  done: "That is the whole game",
  doneMore:
    "Place, claim, finish, farm. A monastery brings a point for itself and each of its eight neighbours. When the " +
    "last tile is placed, what is unfinished counts too, at half. The rest you learn by playing.",
  firstGame: "Play your first game",
  rules: "Read the rules with pictures",
  again: "Do the lesson again",
  you: "you: {n}",
  other: "opponent: {n}",
};
