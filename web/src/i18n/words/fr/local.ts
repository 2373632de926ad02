// Une partie sans serveur.
import type { Translation } from "../../areas";
import type en from "../en/local";

export default {
  title: "Jouer hors ligne",
  lead: "Contre un des robots, ici dans votre navigateur. Aucun réseau n’est nécessaire, pas même pour recharger la page.",
  you: "Invité",
  first: "Qui commence",
  byLot: "Au sort",
  me: "Moi",
  length: "Durée",
  whole: "Partie entière",
  wholeNote: "72 tuiles",
  short: "Partie courte",
  shortNote: "un plateau de 5 × 5",
  start: "Commencer",
  goOn: "Reprendre la dernière partie",
  note: "La partie est gardée dans ce navigateur après chaque coup. Une fois terminée, dès que le serveur répond, elle est remise à la liste des parties : amicale, marquée comme jouée hors ligne.",
  noEngine: "Ce navigateur ne peut pas exécuter le moteur qui joue ici. Sur le serveur, les mêmes robots vous attendent.",
  failed: "Le robot n’a pas pu être chargé. Il a besoin du réseau une fois.",
  handedIn: "Votre partie hors ligne est maintenant dans la liste des parties. | {n} parties hors ligne sont maintenant dans la liste des parties.",
  waits: "La partie est gardée ici jusqu’au retour du serveur.",
} satisfies Translation<typeof en>;
