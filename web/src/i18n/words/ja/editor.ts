// Positions laid by hand.
import type { Translation } from "../../areas";
import type english from "../en/editor";

export default {
  title: "局面を並べる",
  lay: "局面を並べる",
  byHand: "手で変える",
  use: "検討する",
  figuresOf: "コマの持ち主",
  bag: "残りのタイル",
  bagHint: "タイルを選び、置く場所と立つコマを決めます。",
  takeTile: "{kind}：残り{n}枚",
  fitsNowhere: "{kind}はこの盤のどこにも置けません。",
  points: "得点と手番",
  next: "次に引く人",
  board: "盤上",
  boardEmpty: "スタートタイルだけがあります。",
  standsOn: "{cell}に立つコマ",
  nobody: "なし",
  turn: "回す",
  remove: "取り除く",
  asText: "テキスト",
  apply: "テキストを反映",
  copyAddress: "アドレスをコピー",
} satisfies Translation<typeof english>;
