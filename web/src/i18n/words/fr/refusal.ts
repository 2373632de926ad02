// Ce que le serveur refuse, par code.
import type { Translation } from "../../areas";
import type english from "../en/refusal";

const words: Translation<typeof english> = {
  bad_request: "La demande n’a pas été comprise.",
  not_logged_in: "Connectez-vous d’abord, ou vérifiez le nom et le mot de passe.",
  wrong_password: "Le mot de passe actuel n’est pas le bon ; rien n’a été changé.",
  forbidden: "Ce n’est pas permis.",
  not_found: "Cela n’existe pas ici.",
  illegal_move: "Les règles ne permettent pas ce coup.",
  not_your_turn: "Ce n’est pas votre tour.",
  conflict: "Cela ne va pas avec ce qui existe déjà ; rien n’a été changé.",
  too_large: "C’est trop grand.",
  too_many_requests: "Trop de demandes. Réessayez dans un instant.",
  unavailable: "Le serveur est occupé. Réessayez dans un instant.",
  second_factor_needed: "Indiquez aussi le code de votre application, ou un code de secours.",
  wrong_code: "Le code n’est pas le bon, ou il a déjà servi.",
  method_not_allowed: "Cela ne peut pas être demandé ainsi.",
  stale_version: "La partie a continué entre-temps ; regardez de nouveau.",
  too_slow: "La demande a mis trop de temps à arriver.",
  unsupported_media_type: "La demande n’a pas pu être lue.",
  must_wait: "Après plusieurs parties classées quittées trop tôt, il faut attendre un peu avant la suivante.",
  internal: "Le serveur a échoué ; rien n’a été changé.",
};
export default words;
