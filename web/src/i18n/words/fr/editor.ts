// Positions laid by hand.
import type { Translation } from "../../areas";
import type english from "../en/editor";

export default {
  title: "Poser une position",
  lay: "Poser une position",
  byHand: "Modifier à la main",
  use: "Analyser",
  figuresOf: "Pions de",
  bag: "Tuiles restantes",
  bagHint: "Choisissez une tuile, puis sa place et qui s’y tient.",
  takeTile: "{kind} : {n} restantes",
  fitsNowhere: "{kind} ne va nulle part sur ce plateau.",
  points: "Points et tour",
  next: "Pioche ensuite",
  board: "Sur le plateau",
  boardEmpty: "Seule la tuile de départ est posée.",
  standsOn: "Qui se tient en {cell}",
  nobody: "personne",
  turn: "Tourner",
  remove: "Retirer",
  asText: "En texte",
  apply: "Appliquer le texte",
  copyAddress: "Copier l’adresse",
} satisfies Translation<typeof english>;
