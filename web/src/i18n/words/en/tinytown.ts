// The page of Tinytown.
export default {
  lead:
    "A town on a small grid. Put down bricks and glass, turn patterns into buildings, leave no square empty. The " +
    "best result is known: how close do you come?",
  how:
    "Each turn you put a brick or glass on an empty square. When the pattern of a building lies on the grid, you may " +
    "build it: its resources go, the building stays. Greenhouses feed cottages; squares without a building cost a " +
    "point.",
  new: "A new puzzle",
  start: "Start the puzzle",
  grid: "The town",
  square: "row {row}, column {column}: {name}",
  empty: "empty",
  brick: "brick",
  glass: "glass",
  cottage: "cottage",
  greenhouse: "greenhouse",
  place: "Put down a resource",
  placeMore: "Choose brick or glass, then an empty square.",
  resource: "Resource",
  build: "Build?",
  choosePattern: "Several patterns are complete. Choose one.",
  choosePlace: "The pattern’s resources go; choose the square on which the building stands.",
  noMore: "Build nothing more",
  now: "Points now",
  reachable: "Still reachable",
  optimum: "Optimum",
  distanceLabel: "{reachable} of {optimum} points can still be reached",
  onTrack: "The optimum can still be reached.",
  lost: "{n} point below the optimum. | {n} points below the optimum.",
  perfect: "Perfect: the optimum!",
  over: "Full. {n} point short of the optimum. | Full. {n} points short of the optimum.",
  patterns: "Patterns",
  cottageWorth: "1 point, and 3 more when a greenhouse feeds it",
  greenhouseWorth: "1 point; feeds cottages",
  emptyCosts: "The game ends when no square is empty. Every square without a building costs a point.",
  takeBack: "Take back",
  another: "Another puzzle",
  review: "Review this game",
};
