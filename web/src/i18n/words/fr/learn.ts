// La page des règles.
import type { Translation } from "../../areas";
import type en from "../en/learn";

export default {
  title: "Les règles",
  lead: "De deux à six joueurs bâtissent ensemble un paysage, tuile après tuile, et en occupent les parties avec leurs meeples.",
  lesson: "Essayer : la leçon",
  contents: "Sommaire",
  turn: "Un tour",
  turnText:
    "Tirez une tuile et posez-la de sorte que chaque bord s’accorde à ses voisins : route à route, ville à ville, " +
    "pré à pré. Une tuile qui ne va nulle part est écartée et une autre est tirée.\n\nVous pouvez ensuite mettre un " +
    "de vos sept meeples sur cette tuile même : sur une route, dans une ville, sur un monastère ou dans un pré, à " +
    "moins qu’un meeple n’occupe déjà l’ensemble dont il fait partie.\n\nCe que la tuile achève est compté, et les " +
    "meeples qui s’y trouvent reviennent à leurs joueurs.",
  turnPicture: "Chaque bord s’accorde à son voisin ; les cases pointillées sont libres.",
  road: "Routes",
  roadText:
    "Une route est achevée quand ses deux bouts sont fermés : par un carrefour, un village, une ville, un monastère, " +
    "ou en se rejoignant. Chaque tuile rapporte 1 point.",
  roadPicture: "Trois tuiles, un monastère à chaque bout : 3 points.",
  city: "Villes",
  cityText:
    "Une ville est achevée quand son mur n’a plus de brèche. Chaque tuile rapporte 2 points, et chaque blason 2 de plus.",
  cityPicture: "Trois tuiles et un blason : 8 points.",
  monastery: "Monastères",
  monasteryText:
    "Un monastère est achevé quand les huit tuiles autour de lui sont posées. Il rapporte 1 point pour lui-même et 1 pour chacune.",
  monasteryPicture: "Les huit voisines sont là : 9 points.",
  field: "Prés et paysans",
  fieldText:
    "Un meeple dans un pré est un paysan. Il y reste couché jusqu’à la fin et ne revient jamais. Routes, murs et " +
    "bord du plateau limitent un pré.\n\nÀ la fin, le joueur qui a le plus de paysans dans un pré reçoit 3 points " +
    "par ville achevée que le pré touche.",
  fieldPicture: "Le pré bleu touche deux villes achevées : 2 × 3 = 6. L’orange n’en touche aucune.",
  share: "Partager",
  shareText:
    "On ne peut occuper ce qui l’est déjà, mais ce que deux joueurs ont occupé séparément peut se rejoindre. Une " +
    "fois achevé, le joueur qui y a le plus de meeples prend tous les points ; à égalité, chacun les reçoit en " +
    "entier.",
  sharePicture: "Un meeple chacun dans la même ville : 12 points pour les deux.",
  points: "Tous les points",
  pointsText:
    "La partie finit quand la dernière tuile est posée. On compte alors aussi tout ce que des meeples occupent encore.",
  whenDone: "achevé",
  whenOpen: "à la fin, inachevé",
  roadDone: "1 par tuile",
  roadOpen: "1 par tuile",
  cityDone: "2 par tuile, 2 par blason",
  cityOpen: "1 par tuile, 1 par blason",
  monasteryDone: "9",
  monasteryOpen: "1, et 1 par voisine",
  fieldDone: "3 par ville achevée qu’il touche",
  fieldOpen: "compté à la fin seulement",
  tiles: "Les 72 tuiles",
  tilesText: "Vingt-quatre sortes, et combien il y en a de chacune. D est la tuile posée au départ.",
  tile: "Tuile {kind}",
} satisfies Translation<typeof en>;
