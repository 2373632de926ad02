// La page de Tinytown.
import type { Translation } from "../../areas";
import type en from "../en/tinytown";

export default {
  lead:
    "Une ville sur une petite grille. Posez briques et verre, changez les motifs en bâtiments, ne laissez aucune " +
    "case vide. Le meilleur résultat est connu : jusqu’où irez-vous ?",
  how:
    "À chaque tour, vous posez une brique ou du verre sur une case vide. Quand le motif d’un bâtiment est sur la " +
    "grille, vous pouvez le bâtir : ses ressources partent, le bâtiment reste. Les serres nourrissent les maisons ; " +
    "une case sans bâtiment coûte un point.",
  new: "Une nouvelle énigme",
  start: "Commencer",
  grid: "La ville",
  square: "ligne {row}, colonne {column} : {name}",
  empty: "vide",
  brick: "brique",
  glass: "verre",
  cottage: "maison",
  greenhouse: "serre",
  place: "Posez une ressource",
  placeMore: "Choisissez brique ou verre, puis une case vide.",
  resource: "Ressource",
  build: "Bâtir ?",
  choosePattern: "Plusieurs motifs sont complets. Choisissez-en un.",
  choosePlace: "Les ressources du motif disparaissent ; choisissez la case du bâtiment.",
  noMore: "Ne plus rien bâtir",
  now: "Points actuels",
  reachable: "Encore possible",
  optimum: "Optimum",
  distanceLabel: "{reachable} points sur {optimum} sont encore possibles",
  onTrack: "L’optimum est encore possible.",
  lost: "{n} point sous l’optimum. | {n} points sous l’optimum.",
  perfect: "Parfait : l’optimum !",
  over: "Complet. À {n} point de l’optimum. | Complet. À {n} points de l’optimum.",
  patterns: "Motifs",
  cottageWorth: "1 point, et 3 de plus quand une serre la nourrit",
  greenhouseWorth: "1 point ; nourrit les maisons",
  emptyCosts: "La partie finit quand aucune case n’est vide. Chaque case sans bâtiment coûte un point.",
  takeBack: "Reprendre",
  another: "Une autre énigme",
  review: "Analyser cette partie",
} satisfies Translation<typeof en>;
