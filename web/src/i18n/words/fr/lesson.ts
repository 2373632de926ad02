// La leçon interactive.
import type { Translation } from "../../areas";
import type en from "../en/lesson";

export default {
  title: "La leçon",
  step: "Étape {n} sur {all}",
  yourTile: "Votre tuile",
  nowTap: "Touchez une case pointillée du plateau.",
  nowConfirm: "Tournez-la si vous voulez, puis confirmez.",
  nowMeeple: "Choisissez où va votre meeple.",
  rotate: "Tourner",
  place: "Posez une tuile",
  placeMore:
    "À chaque tour, vous tirez une tuile et la posez à côté des autres. Les bords doivent concorder : route à route, " +
    "ville à ville, pré à pré. Le plateau montre chaque case possible.",
  placeDone: "C’est un tour entier. Le pays grandit tuile après tuile.",
  placeMiss: "Essayez une autre case.",
  claim: "Occupez une route",
  claimMore:
    "Sur la tuile que vous venez de poser, vous pouvez mettre un de vos sept meeples. Posez la tuile et mettez un meeple sur sa route.",
  claimDone: "La route est à vous. Tant que votre meeple y est, personne d’autre ne peut l’occuper.",
  claimMiss: "C’est permis. Mais cette fois, mettez un meeple sur la route de la tuile.",
  finish: "Achevez la ville",
  finishMore:
    "Votre meeple est dans une ville dont le mur a une brèche. Fermez-la : chaque tuile rapporte 2 points, chaque " +
    "blason 2 de plus, et le meeple revient.",
  finishDone: "8 points : trois tuiles et un blason, deux fois chacun. Votre meeple est revenu en main.",
  finishMiss: "C’est permis, mais la ville reste ouverte. Fermez la brèche du mur.",
  farm: "Couchez un paysan",
  farmMore:
    "Un meeple dans un pré y reste jusqu’à la fin. Le pré rapporte alors 3 points par ville achevée qu’il touche. " +
    "Couchez un meeple dans un pré voisin de la ville achevée.",
  farmDone:
    "À la fin, ce pré rapporte 3 points par ville achevée qu’il touche. Les paysans ne reviennent jamais : choisissez bien.",
  farmMiss: "C’est permis. Mais cette fois, couchez un meeple dans un pré qui touche la ville achevée.",
  next: "Suite",
  finishLesson: "Terminer la leçon",
  done: "C’est tout le jeu",
  doneMore:
    "Poser, occuper, achever, cultiver. Un monastère rapporte un point pour lui-même et pour chacun de ses huit " +
    "voisins. Quand la dernière tuile est posée, l’inachevé compte aussi, à moitié. Le reste s’apprend en jouant.",
  firstGame: "Jouer la première partie",
  rules: "Lire les règles en images",
  again: "Refaire la leçon",
  you: "vous : {n}",
  other: "adversaire : {n}",
} satisfies Translation<typeof en>;
