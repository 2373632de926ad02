// La page d’un de nos robots.
import type { Translation } from "../../areas";
import type en from "../en/bots";

export default {
  play: "Jouer contre lui",
  level: "niveau {n} sur {all}",
  rating: "cote, sur l’échelle des joueurs",
  unrated: "pas encore de cote",
  games: "Parties",
  gamesNote: "contre des personnes",
  wins: "Ses victoires",
  winsNote: "de ces parties",
  noGames: "personne n’a fini de partie contre lui",
  against: "Vous contre lui",
  wonTiedLost: "gagnées – nulles – perdues",
  neverMet: "Vous n’avez pas encore fini de partie contre {name}. Votre bilan apparaîtra ici.",
  recent: "Dernières parties",
  noRecent: "Ses dernières parties finies apparaîtront ici, à rejouer tour par tour.",
  nobody: "Aucun robot ne porte ce nom.",
  about_shepherd: "Une première partie : finit ce qu’il voit, oublie les prés, gaspille ses meeples.",
  about_pilgrim: "A déjà joué : compte les points, encore négligent avec meeples et prés.",
  about_peddler: "Pense à ce qui peut se finir, et garde quelques meeples.",
  about_mason: "Sait ce que valent prés et meeples, et se trompe souvent.",
  about_steward: "Un bon joueur qui se trompe parfois.",
  about_architect: "Ne se trompe presque jamais.",
  about_abbess: "Ne se trompe pas, mais ne regarde que son propre tour.",
  about_master: "Le meilleur que nous ayons : il regarde loin avec tout ce qu’il sait.",
} satisfies Translation<typeof en>;
