// Signaler et bloquer quelqu’un.
import type { Translation } from "../../areas";
import type english from "../en/report";

export default {
  report: "Signaler",
  reportName: "Signaler {name}",
  why: "Pourquoi ?",
  abuse: "Insultes ou menaces",
  cheating: "Triche",
  stalling: "Fait traîner ou abandonne",
  spam: "Messages indésirables",
  name: "Nom offensant",
  other: "Autre chose",
  words: "Que s’est-il passé ?",
  wordsHint: "500 caractères au plus.",
  evidence: "La ligne et celles qui l’entourent sont jointes au signalement.",
  evidenceGame: "La partie est jointe au signalement.",
  send: "Envoyer le signalement",
  sent: "Merci. Un modérateur va l’examiner.",
  block: "Bloquer",
  unblock: "Débloquer",
  blockToo: "Bloquer aussi {name}",
  blockNote: "Ni discussion, ni invitations, ni parties ensemble. La page du compte permet de revenir en arrière.",
  blocked: "{name} est bloqué.",
  unblocked: "{name} n’est plus bloqué.",
  blockedPeople: "Personnes bloquées",
  nobodyBlocked: "Vous ne bloquez personne.",
  yourReports: "Vos signalements",
  handled: "traité",
  waits: "attend un modérateur",
} satisfies Translation<typeof english>;
