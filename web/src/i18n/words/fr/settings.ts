// Comment on aime jouer.
import type { Translation } from "../../areas";
import type english from "../en/settings";

const words: Translation<typeof english> = {
  keptAccount: "Conservés avec votre compte, sur tous vos appareils.",
  keptHere: "Conservés dans ce navigateur. Avec un compte, ils vous suivent sur tous vos appareils.",
  turns: "Jouer un tour",
  confirm: "Confirmer chaque tour",
  confirmNote: "Désactivé : choisir un meeple, ou aucun, termine le tour aussitôt.",
  oneClick: "Meeple en un clic",
  oneClickNote: "Les places du meeple s’affichent avec la tuile ; un clic pose les deux.",
  premove: "Tourner la tuile d’avance",
  premoveNote: "Les rotations faites pendant le tour d’un autre valent pour votre prochaine tuile.",
  board: "Plateau",
  coordinates: "Noms des colonnes et des rangées",
  coordinatesNote: "Au bord du plateau, sur un grand écran.",
  largeMarks: "Grands symboles sur les meeples",
  colours: "Couleurs des joueurs",
  standard: "Standard",
  strong: "Plus fortes",
  table: "Table",
  limestone: "Calcaire",
  oak: "Chêne",
  slate: "Ardoise",
  felt: "Feutre",
  motionAndSound: "Mouvement et son",
  animation: "Mouvement",
  off: "Aucun",
  fast: "Rapide",
  normal: "Normal",
  slow: "Lent",
  volume: "Volume",
};
export default words;
