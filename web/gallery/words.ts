// What the board says in the gallery.
import { terrainOf } from "../src/art";
import type { BoardWords } from "../src/board/types";

export const ENGLISH: BoardWords = {
  board: "Board",
  spot: (cell) => `Place the tile at ${cell.replace(",", ", ")}`,
  segment: (segment) => {
    const names = { city: "City", road: "Road", field: "Field", garden: "Garden", monastery: "Monastery" };
    const number = Number(/\d+$/.exec(segment)?.[0] ?? 0);
    return number === 0 ? names[terrainOf(segment)] : `${names[terrainOf(segment)]} ${number + 1}`;
  },
  meeple: (meeple, feature) => `Meeple of player ${meeple.player + 1}: ${ENGLISH.feature(feature)}`,
  placing: "Place the tile",
  chooseMeeple: "Place a meeple?",
  noMeeple: "No meeple",
  confirm: "Confirm",
  cancel: "Cancel",
  beyond: (n, edge) => `${n} spots further ${edge}`,
  lastBeyond: (edge) => `Last tile, further ${edge}`,
  rotate: "Turn the tile",
  feature: ({ terrain, complete, points }) => {
    const name = terrain[0]!.toUpperCase() + terrain.slice(1);
    return complete && terrain !== "field" ? `${name} · ${points}, finished` : `${name} · ${points} now`;
  },
};
