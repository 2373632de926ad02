// Une table qui attend : son lien, ce qu’on y joue, s’asseoir.
import type { Translation } from "../../areas";
import type en from "../en/invite";

export default {
  link: "Le lien vers cette table",
  share: "Partager le lien",
  code: "Code QR du lien",
  codeNote: "Ou laissez votre ami photographier ce code.",
  message: "{name} vous invite à une partie de Carcassonne",
  asks: "{name} vous invite à jouer",
  begins: "commence",
  counts: "Cote",
  tiles: "Tuiles",
  rules: "Règles",
  usual: "les règles habituelles",
  on: "oui",
  off: "non",
  name: "Votre nom à la table",
  ratedNeeds: "Cette partie est classée : il faut un compte pour s’asseoir.",
} satisfies Translation<typeof en>;
