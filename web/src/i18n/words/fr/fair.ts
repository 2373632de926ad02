// La page qui vérifie les tirages d’une partie finie.
import type { Translation } from "../../areas";
import type en from "../en/fair";

export default {
  title: "Les tirages étaient-ils équitables ?",
  lead:
    "Avant la première tuile, le serveur a publié l’empreinte de sa graine secrète. Le navigateur de chaque joueur y " +
    "a ajouté des caractères aléatoires. L’ordre des tuiles en découle, et personne n’a pu le choisir.",
  leadBots:
    "Avant la première tuile, le serveur a publié l’empreinte de sa graine secrète. Il a aussi tiré des caractères " +
    "aléatoires pour chaque robot. L’ordre des tuiles en découle, et la graine ne pouvait plus changer.",
  fair: "Les tirages sont ceux qui étaient promis",
  unfair: "Les tirages ne sont pas ceux qui étaient promis",
  promised: "La graine correspond à l’empreinte publiée avant le premier tirage.",
  ordered: "L’ordre des tuiles découle de la graine et des caractères aléatoires des joueurs.",
  drawn: "Les tuiles tirées dans la partie sont le début de cet ordre.",
  here: "Votre navigateur vient de le recalculer lui-même, à partir des valeurs ci-dessous.",
  values: "Les valeurs",
  commit: "Empreinte, publiée au début",
  seed: "Graine, révélée à la fin",
  nonce: "Caractères aléatoires envoyés par {name}",
  nonceBot: "Caractères aléatoires pour {name}, tirés par le serveur",
  game: "Partie",
  command: "Si vous ne vous fiez à aucune page, vérifiez en ligne de commande :",
  order: "L’ordre des tuiles",
  orderAll: "Toutes les {n} ont été tirées.",
  orderNote: "{n} ont été tirées ; les grises sont restées dans le sac.",
  toGame: "Vers la partie",
} satisfies Translation<typeof en>;
