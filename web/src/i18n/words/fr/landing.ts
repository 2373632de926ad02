// La première page.
import type { Translation } from "../../areas";
import type en from "../en/landing";

export default {
  promise: "Tuile après tuile,\ntout un pays.",
  lead: "Jouez à Carcassonne dans le navigateur, avec des amis ou contre des robots. Gratuit, et sans compte pour commencer.",
  playNow: "Jouer",
  friend: "Inviter un ami",
  never: "Jamais joué ? Apprenez en trois minutes",
  fast: "La première tuile en quelques secondes",
  fastMore: "Un clic, et un robot de votre force est déjà à table. Ou envoyez un lien et attendez un ami.",
  see: "Voyez ce que vaut la terre",
  seeMore: "Prés, tuiles restantes, cases mortes et chances sont à une touche, sur téléphone comme sur ordinateur.",
  why: "Rien dans la manche",
  whyMore: "Chaque tirage se vérifie après coup, chaque partie se rejoue tour par tour, avec l’avis du moteur.",
  now: "En ce moment",
  all: "Voir la partie | Voir les {n} parties",
} satisfies Translation<typeof en>;
