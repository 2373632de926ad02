// La première page.
import type { Translation } from "../../areas";
import type en from "../en/landing";

export default {
  promise: "Tuile après tuile,\ntout un pays.",
  lead: "Jouez à Carcassonne dans le navigateur, avec des amis ou contre des robots. Gratuit, et sans compte pour commencer.",
  playNow: "Jouer",
  friend: "Inviter un ami",
  never: "Jamais joué ? Apprenez en trois minutes",
  now: "En ce moment",
  all: "Voir la partie | Voir les {n} parties",
  offers: "Ce qu’on y trouve",
  play: "Jouer",
  playMore: "Avec un ami par un lien, avec quelqu’un de votre force ou un robot. À la minute ou au jour.",
  review: "Revoir",
  reviewMore: "Chaque partie finie se rejoue tour par tour, avec l’avis du moteur, et ses tirages se vérifient.",
  puzzles: "Énigmes",
  puzzlesMore: "Une position, une tuile, un coup nettement meilleur. Une nouvelle chaque jour, et votre classement.",
  research: "Recherche",
  researchMore:
    "Logiciel libre : une API ouverte pour les programmes, un moteur, et des environnements d’apprentissage en Python.",
  people: "Aux tables : {names}",
  nobody: "Personne ne joue en public pour l’instant. Revoyez plutôt une partie finie.",
} satisfies Translation<typeof en>;
