// La page qui vérifie les tirages d’une partie finie.
import type { Translation } from "../../areas";
import type en from "../en/fair";

export default {
  title: "Les tirages étaient-ils équitables ?",
  lead:
    "Avant la première tuile, le serveur a publié l’empreinte de sa graine secrète. Le navigateur de chaque joueur y " +
    "a ajouté un nombre. L’ordre des tuiles en découle, et personne n’a pu le choisir.",
  fair: "Les tirages sont ceux qui étaient promis",
  unfair: "Les tirages ne sont pas ceux qui étaient promis",
  promised: "La graine correspond à l’empreinte publiée avant le premier tirage.",
  ordered: "L’ordre des tuiles découle de la graine et des nombres des joueurs.",
  drawn: "Les tuiles tirées dans la partie sont le début de cet ordre.",
  here: "Votre navigateur vient de le recalculer lui-même, à partir des nombres ci-dessous.",
  numbers: "Les nombres",
  commit: "Empreinte, publiée au début",
  seed: "Graine, révélée à la fin",
  nonce: "Nombre de la place {n}",
  game: "Partie",
  command: "Qui ne se fie à aucune page peut vérifier en ligne de commande :",
  order: "L’ordre des tuiles",
  orderNote: "{n} ont été tirées ; les grises sont restées dans le sac.",
  toGame: "Vers la partie",
} satisfies Translation<typeof en>;
