// The lessons of the sets.
export default {
  nowFigure: "Choose a figure, then where it goes.",
  inn: "Finish the road with the inn",
  innMore:
    "An inn lies beside your road. When such a road is finished, each tile brings 2 points instead of 1. If it is " +
    "still open at the end of the game, it brings nothing. Close its open end.",
  innDone: "8 points: four tiles, 2 for each. Without the inn it would have been 4.",
  innMiss: "That is allowed, but the road stays open. Close its end with the road of your tile.",
  big: "Place the big meeple",
  bigMore:
    "Each player has one big meeple. Wherever meeples are compared, it counts as two. You may not enter the other’s " +
    "city, but you may start one of your own beside it. Place the tile, choose the big meeple and put it in the city.",
  bigDone: "If the two cities ever grow together, your big meeple outweighs a single meeple of the other.",
  bigMiss: "That is allowed. This time, start a city of your own and put the big meeple in it.",
  majority: "Join the two cities",
  majorityMore:
    "Your big meeple and the other’s meeple stand in two cities, and your tile fits between them. Join the cities: " +
    "the one city is then finished, and whoever has the majority in it gets all its points.",
  majorityDone: "12 points for you alone: your big meeple counts as two, the other’s meeple as one.",
  majorityMiss: "That is allowed, but the cities stay apart. Place the tile where it joins them.",
  cathedral: "Finish the cathedral’s city",
  cathedralMore:
    "A finished city with a cathedral brings 3 points for each tile and for each shield. If it is still open at the " +
    "end of the game, it brings nothing. One gap is left in the wall of yours. Close it.",
  cathedralDone: "15 points: five tiles, 3 for each. Without the cathedral it would have been 10.",
  cathedralMiss: "That is allowed, but the city stays open. Close the last gap in its wall.",
  goods: "Take the goods",
  goodsMore:
    "Wine lies in the other’s city. Whoever places the tile that finishes a city takes all goods in it, no matter " +
    "who owns the city. Finish it.",
  goodsDone:
    "The other gets 6 points for the city, you get the wine. At the end of the game, the most tokens of a kind bring 10 points.",
  goodsMiss: "That is allowed, but the city stays open. Finish it, even though it is not yours.",
  builder: "Place the builder",
  builderMore:
    "The builder goes on a road or in a city where you have a meeple already. Make your road longer, choose the " +
    "builder and put it on the road.",
  builderDone: "The builder stands on your road. It does not count in a majority, but it will work for you.",
  builderMiss: "That is allowed. This time, make the road with your meeple longer and put the builder on it.",
  double: "Let the builder work",
  doubleMore:
    "When you make the builder’s road longer with a later tile, you draw and place a second tile in the same turn. " +
    "Make the road longer.",
  doubleDone: "Your turn goes on: you draw and place a second tile. There is never a third.",
  doubleMiss: "That is allowed, but the builder’s road did not grow. Place the tile at one of its ends.",
  pig: "Send the pig to the field",
  pigMore:
    "The pig goes in a field where you have a farmer. If you score that field, each finished city it touches brings " +
    "you 4 points instead of 3. Make your farmer’s field larger and put the pig in it.",
  pigDone: "For you this field now brings 4 points for each finished city it touches. The pig stays until the end.",
  pigMiss: "That is allowed. This time, make the field with your farmer larger and put the pig in it.",
  flow: "Let the river flow",
  flowMore:
    "The tiles of the river come before all others. Each must carry the river on, and the river may not turn back at " +
    "once: here it can only turn east. Place the tile.",
  flowDone: "The river flows on. Its other edges fit as always: road to road, city to city, field to field.",
  flowMiss: "Try another spot.",
  bank: "Lay a farmer on a bank",
  bankMore:
    "Meeples may stand on everything but the water. The river parts fields, and so does the road over the bridge: " +
    "beyond it, the two banks are two fields. Place the tile and lay a meeple on one of its banks.",
  bankDone: "This bank is yours. The other bank is another field; only around the spring and the lake do fields go on.",
  bankMiss: "That is allowed. This time, lay a meeple in the field on one of the banks.",
  lake: "Place the lake",
  lakeMore: "The lake is always the last tile of the river. The usual tiles follow it. Place the lake.",
  lakeDone: "The river is complete. From now on you draw from the usual bag, with all 72 tiles of the base game.",
  lakeMiss: "Try another spot.",
  garden: "Put the abbot in a garden",
  gardenMore:
    "Your tile has a garden. Only the abbot may enter a garden; it may go on a monastery too. Place the tile, choose " +
    "the abbot and put it in the garden.",
  gardenDone: "A garden scores like a monastery: 1 point for itself and 1 for each of the eight tiles around it.",
  gardenMiss: "That is allowed. This time, choose the abbot and put it in the garden.",
  surround: "Finish the garden",
  surroundMore: "One tile is missing around your garden. Place it: the garden scores, and the abbot comes back.",
  surroundDone: "9 points: the garden and its eight neighbours. Your abbot is back in hand.",
  surroundMiss: "That is allowed, but one neighbour of the garden is still missing. Place the tile there.",
  recall: "Take the abbot back",
  recallMore:
    "You need not wait for all eight neighbours. Instead of placing a figure you may take your abbot back; it scores " +
    "what its garden is worth now. Place the tile anywhere and take the abbot back.",
  recallDone: "The abbot scored the garden and the neighbours it has so far. It is back in hand for the next one.",
  recallMiss: "That is allowed. This time, take the abbot back instead of placing a figure.",
  done: "That is the whole set",
  done_inns:
    "Roads with an inn and cities with a cathedral bring much when they are finished, and nothing when they are not. " +
    "The big meeple counts as two everywhere, in fields too.",
  done_traders:
    "Goods go to whoever finishes the city. The builder gives a second tile whenever its road or city grows, the pig " +
    "makes a field worth more. Each player has one of each.",
  done_river: "The spring, ten tiles and the lake come first. After that the game is played as usual.",
  done_gardens:
    "The abbot goes in gardens and on monasteries, and can be taken back at any time instead of placing a figure. A " +
    "meeple may go on a monastery as before, but never in a garden.",
  game: "Play a game with this set",
  others: "Lessons on other sets",
};
