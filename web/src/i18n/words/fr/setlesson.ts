// Les leçons des extensions.
import type { Translation } from "../../areas";
import type en from "../en/setlesson";

export default {
  nowFigure: "Choisissez une figurine, puis sa place.",
  inn: "Achevez la route de l’auberge",
  innMore:
    "Une auberge borde votre route. Une telle route, achevée, rapporte 2 points par tuile au lieu de 1. Si elle est " +
    "encore ouverte à la fin de la partie, elle ne rapporte rien. Fermez le bout ouvert.",
  innDone: "8 points : quatre tuiles, 2 pour chacune. Sans l’auberge, c’était 4.",
  innMiss: "C’est permis, mais la route reste ouverte. Fermez-la avec la route de votre tuile.",
  big: "Posez le grand meeple",
  bigMore:
    "Chacun a un grand meeple. Partout où l’on compare les meeples, il compte double. Vous ne pouvez pas entrer dans " +
    "la ville de l’autre, mais en commencer une à côté. Posez la tuile, choisissez le grand meeple et mettez-le dans la ville.",
  bigDone: "Si les deux villes se rejoignent un jour, votre grand meeple l’emporte sur un seul meeple de l’autre.",
  bigMiss: "C’est permis. Mais cette fois, commencez votre propre ville et mettez-y le grand meeple.",
  majority: "Réunissez les deux villes",
  majorityMore:
    "Votre grand meeple et le meeple de l’autre sont dans deux villes, et votre tuile va entre elles. Réunissez-les : " +
    "la ville est alors achevée, et qui a la majorité reçoit tous ses points.",
  majorityDone: "12 points pour vous seul : votre grand meeple compte double, le meeple de l’autre une fois.",
  majorityMiss: "C’est permis, mais les villes restent séparées. Posez la tuile là où elle les réunit.",
  cathedral: "Achevez la ville de la cathédrale",
  cathedralMore:
    "Une ville achevée avec une cathédrale rapporte 3 points par tuile et par blason. Si elle est encore ouverte à la " +
    "fin de la partie, elle ne rapporte rien. Il reste une brèche dans le mur de la vôtre. Fermez-la.",
  cathedralDone: "15 points : cinq tuiles, 3 pour chacune. Sans la cathédrale, c’était 10.",
  cathedralMiss: "C’est permis, mais la ville reste ouverte. Fermez la dernière brèche du mur.",
  goods: "Prenez les marchandises",
  goodsMore:
    "Il y a du vin dans la ville de l’autre. Qui pose la tuile achevant une ville prend toutes ses marchandises, peu " +
    "importe à qui est la ville. Achevez-la.",
  goodsDone:
    "L’autre reçoit 6 points pour la ville, vous le vin. À la fin de la partie, le plus de jetons d’une sorte rapporte 10 points.",
  goodsMiss: "C’est permis, mais la ville reste ouverte. Achevez-la, même si elle n’est pas à vous.",
  builder: "Posez le bâtisseur",
  builderMore:
    "Le bâtisseur va sur une route ou dans une ville où vous avez déjà un meeple. Prolongez votre route, choisissez " +
    "le bâtisseur et mettez-le sur la route.",
  builderDone: "Le bâtisseur est sur votre route. Il ne compte pas pour la majorité, mais il travaillera pour vous.",
  builderMiss: "C’est permis. Mais cette fois, prolongez la route de votre meeple et mettez-y le bâtisseur.",
  double: "Faites travailler le bâtisseur",
  doubleMore:
    "Quand vous prolongez la route du bâtisseur avec une tuile suivante, vous tirez et posez une deuxième tuile dans " +
    "le même tour. Prolongez la route.",
  doubleDone: "Votre tour continue : vous tirez et posez une deuxième tuile. Jamais une troisième.",
  doubleMiss: "C’est permis, mais la route du bâtisseur n’a pas grandi. Posez la tuile à l’un de ses bouts.",
  pig: "Envoyez le cochon au pré",
  pigMore:
    "Le cochon va dans un pré où vous avez un paysan. Si vous marquez ce pré, chaque ville achevée qu’il touche vous " +
    "rapporte 4 points au lieu de 3. Agrandissez le pré de votre paysan et mettez-y le cochon.",
  pigDone: "Ce pré vous rapporte maintenant 4 points par ville achevée qu’il touche. Le cochon reste jusqu’à la fin.",
  pigMiss: "C’est permis. Mais cette fois, agrandissez le pré de votre paysan et mettez-y le cochon.",
  flow: "Faites couler la rivière",
  flowMore:
    "Les tuiles de la rivière viennent avant toutes les autres. Chacune doit prolonger la rivière, qui ne peut pas " +
    "revenir aussitôt sur ses pas : ici, elle ne peut tourner que vers l’est. Posez la tuile.",
  flowDone: "La rivière coule. Ses autres bords concordent comme toujours : route à route, ville à ville, pré à pré.",
  flowMiss: "Essayez une autre case.",
  bank: "Couchez un paysan sur une rive",
  bankMore:
    "Les meeples vont partout, sauf sur l’eau. La rivière sépare les prés, et la route du pont aussi : au-delà, les " +
    "deux rives sont deux prés. Posez la tuile et couchez un meeple sur l’une de ses rives.",
  bankDone:
    "Cette rive est à vous. L’autre est un autre pré ; les prés ne se rejoignent qu’autour de la source et du lac.",
  bankMiss: "C’est permis. Mais cette fois, couchez un meeple dans le pré de l’une des rives.",
  lake: "Posez le lac",
  lakeMore:
    "Le lac est toujours la dernière tuile de la rivière. Les tuiles habituelles viennent ensuite. Posez le lac.",
  lakeDone: "La rivière est complète. Vous tirez désormais du sac habituel, avec les 72 tuiles du jeu de base.",
  lakeMiss: "Essayez une autre case.",
  garden: "Mettez l’abbé dans un jardin",
  gardenMore:
    "Votre tuile a un jardin. Seul l’abbé peut y entrer ; il peut aussi aller sur un monastère. Posez la tuile, " +
    "choisissez l’abbé et mettez-le dans le jardin.",
  gardenDone: "Un jardin compte comme un monastère : 1 point pour lui-même et 1 pour chacune des huit tuiles autour.",
  gardenMiss: "C’est permis. Mais cette fois, choisissez l’abbé et mettez-le dans le jardin.",
  surround: "Achevez le jardin",
  surroundMore: "Il manque une tuile autour de votre jardin. Posez-la : le jardin marque, et l’abbé revient.",
  surroundDone: "9 points : le jardin et ses huit voisins. Votre abbé est revenu en main.",
  surroundMiss: "C’est permis, mais il manque encore un voisin au jardin. Posez-y la tuile.",
  recall: "Reprenez l’abbé",
  recallMore:
    "Inutile d’attendre les huit voisins. Au lieu de poser une figurine, vous pouvez reprendre votre abbé ; il marque " +
    "ce que son jardin vaut maintenant. Posez la tuile où vous voulez et reprenez l’abbé.",
  recallDone: "L’abbé a marqué le jardin et ses voisins actuels. Il est en main pour le prochain.",
  recallMiss: "C’est permis. Mais cette fois, reprenez l’abbé au lieu de poser une figurine.",
  done: "C’est toute l’extension",
  done_inns:
    "Les routes avec auberge et les villes avec cathédrale rapportent beaucoup achevées, et rien inachevées. Le grand " +
    "meeple compte double partout, dans les prés aussi.",
  done_traders:
    "Les marchandises vont à qui achève la ville. Le bâtisseur donne une deuxième tuile quand sa route ou sa ville " +
    "grandit, le cochon donne plus de valeur à un pré. Chacun en a un de chaque.",
  done_river: "La source, dix tuiles et le lac viennent d’abord. Ensuite, la partie se joue comme toujours.",
  done_gardens:
    "L’abbé va dans les jardins et sur les monastères, et peut être repris à tout moment au lieu de poser une " +
    "figurine. Un meeple peut aller sur un monastère comme avant, mais jamais dans un jardin.",
  game: "Jouer avec cette extension",
  others: "Leçons des autres extensions",
} satisfies Translation<typeof en>;
