// The rules page.
export default {
  title: "The rules",
  lead: "Two to six players build one landscape together, tile by tile, and claim its parts with their meeples.",
  lesson: "Try it: the lesson",
  contents: "Contents",
  turn: "A turn",
  turnText:
    "Draw a tile and place it so that every edge fits its neighbours: road to road, city to city, field to field. A " +
    "tile that fits nowhere is set aside and another is drawn.\n\nThen you may put one of your seven meeples on that " +
    "very tile: on a road, in a city, on a monastery or in a field, unless a meeple already stands on the whole that " +
    "it belongs to.\n\nWhat the tile finished is counted, and the meeples on it go back to their players.",
  turnPicture: "Every edge fits its neighbour; the dashed spots are open.",
  road: "Roads",
  roadText:
    "A road is finished when both ends are closed: by a crossing, a village, a city, a monastery, or by meeting " +
    "itself. Each tile of it brings 1 point.",
  roadPicture: "Three tiles, both ends at a monastery: 3 points.",
  city: "Cities",
  cityText:
    "A city is finished when its wall has no gap. Each tile of it brings 2 points, and each shield in it 2 more.",
  cityPicture: "Three tiles and one shield: 8 points.",
  monastery: "Monasteries",
  monasteryText:
    "A monastery is finished when all eight tiles around it are placed. It brings 1 point for itself and 1 for each of them.",
  monasteryPicture: "All eight tiles around it are placed: 9 points.",
  field: "Fields and farmers",
  fieldText:
    "A meeple in a field is a farmer. It lies there until the end of the game and never comes back. Roads, walls and " +
    "the edge of the board are a field’s borders.\n\nAt the end the player with the most farmers in a field gets 3 " +
    "points for each finished city that the field touches.",
  fieldPicture: "The blue field touches two finished cities: 2 × 3 = 6. The orange one touches none.",
  share: "Sharing",
  shareText:
    "You cannot claim what is claimed already, but what two players claimed apart may grow together. When it is " +
    "finished, the player with most meeples on it gets all its points; with equally many, each gets them in full.",
  sharePicture: "One meeple each in the same city: 12 points for both.",
  points: "All points",
  pointsText: "The game ends when the last tile is placed. Then everything that meeples still stand on is counted too.",
  whenDone: "finished",
  whenOpen: "at the end, unfinished",
  roadDone: "1 a tile",
  roadOpen: "1 a tile",
  cityDone: "2 a tile, 2 a shield",
  cityOpen: "1 a tile, 1 a shield",
  monasteryDone: "9",
  monasteryOpen: "1, and 1 a neighbour",
  fieldDone: "3 for each finished city it touches",
  fieldOpen: "counted at the end only",
  tiles: "The 72 tiles",
  tilesText: "Twenty-four kinds, and how many there are of each. D is the tile that lies at the start.",
  tile: "Tile {kind}",
  innsText:
    "Eighteen tiles, and a big meeple for each player. It counts as two wherever meeples are compared, in fields too.\n\nA road with an inn beside it brings 2 points a tile when it is finished. A city with a cathedral brings 3 a tile and 3 a shield. But if such a road or city is unfinished at the end, it brings nothing.\n\nOn the crossing with an inn, the inn belongs to one road only.",
  innsPicture:
    "Left, a finished road of three tiles with an inn: 6 points. Right, a city with a cathedral: worth much, or nothing.",
  tradersText:
    "Twenty-four tiles with wine, grain and cloth. Whoever places the tile that finishes a city takes all goods in it, whoever owns the city. At the end the most tokens of a kind bring 10 points, to everybody who has them.\n\nThe builder goes, instead of a meeple, on a road or city where you have a meeple already. When you extend that road or city later, you draw and place a second tile. Never a third.\n\nThe pig goes in a field where you have a farmer. If you score that field, each finished city brings you 4 points instead of 3.",
  tradersPicture: "Above, a finished city with a barrel of wine. Below, a builder on the road and a pig in the field.",
  riverText:
    "Twelve tiles that are placed before all others: the spring lies first, the lake comes last. The river must go on from tile to tile, and may not turn back at once.\n\nMeeples may stand on everything but the water. The river parts fields; around spring and lake they go on.",
  riverPicture: "From the spring to the lake.",
  gardensText:
    "Eight tiles with a garden lie in the place of eight others, and each player has an abbot. It may stand on a monastery or in a garden; nobody else may enter a garden. A garden scores like a monastery.\n\nInstead of placing a figure you may take your abbot back: it scores what its monastery or garden is worth now.",
  gardensPicture: "The abbot in the garden: 1 point, and 1 for each tile around it. Taken back now it brings 6.",
  setLesson: "Try it: the lesson on this set",
  setTiles: "Its {n} tiles",
};
