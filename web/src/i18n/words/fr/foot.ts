// Le bas de chaque page qui défile.
import type { Translation } from "../../areas";
import type en from "../en/foot";

export default {
  about: "À propos",
  api: "Pour les programmes",
  legal:
    "Bastide est un logiciel libre. Carcassonne n’est nommé que comme le jeu dont les règles sont appliquées ; il " +
    "n’y a aucun lien avec ses auteurs.",
} satisfies Translation<typeof en>;
