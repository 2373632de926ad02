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
  innsText:
    "Dix-huit tuiles, et un grand meeple pour chacun. Il compte pour deux partout où l’on compare les meeples, dans les prés aussi.\n\nUne route bordée d’une auberge rapporte 2 points par tuile une fois finie. Une ville avec cathédrale rapporte 3 par tuile et 3 par blason. Mais si elles sont inachevées à la fin, elles ne rapportent rien.\n\nAu carrefour avec auberge, celle-ci n’appartient qu’à une seule route.",
  innsPicture:
    "À gauche, une route finie de trois tuiles avec auberge : 6 points. À droite, une ville à cathédrale : beaucoup, ou rien.",
  tradersText:
    "Vingt-quatre tuiles avec vin, blé et tissu. Qui pose la tuile qui achève une ville prend toutes ses marchandises, à qui que soit la ville. À la fin, le plus de jetons d’une sorte rapporte 10 points, à tous ceux qui les ont.\n\nLe bâtisseur se pose, à la place d’un meeple, sur une route ou ville où vous avez déjà un meeple. Quand vous la prolongez plus tard, vous piochez et posez une deuxième tuile. Jamais une troisième.\n\nLe cochon va dans un pré où vous avez un paysan. Si vous marquez ce pré, chaque ville finie vous rapporte 4 points au lieu de 3.",
  tradersPicture:
    "En haut, une ville finie avec un tonneau de vin. En bas, un bâtisseur sur la route et un cochon dans le pré.",
  riverText:
    "Douze tuiles posées avant toutes les autres : la source d’abord, le lac en dernier. La rivière doit continuer de tuile en tuile et ne peut pas revenir aussitôt sur elle-même.\n\nLes meeples se posent partout sauf sur l’eau. La rivière sépare les prés ; autour de la source et du lac ils continuent.",
  riverPicture: "De la source au lac.",
  gardensText:
    "Huit tuiles avec jardin remplacent huit autres, et chacun a un abbé. Il se pose sur un monastère ou dans un jardin ; personne d’autre n’entre dans un jardin. Un jardin se compte comme un monastère.\n\nAu lieu de poser une figurine, vous pouvez reprendre votre abbé : il marque ce que vaut son monastère ou jardin maintenant.",
  gardensPicture: "L’abbé au jardin : 1 point, et 1 par tuile autour. Repris maintenant, il en rapporte 6.",
  setLesson: "Essayez : la leçon de cette extension",
  setTiles: "Ses {n} tuiles",
} satisfies Translation<typeof en>;
