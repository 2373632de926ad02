// 遊び方の設定。
import type { Translation } from "../../areas";
import type english from "../en/settings";

const words: Translation<typeof english> = {
  keptAccount: "アカウントに保存され、すべての端末で使えます。",
  keptHere: "このブラウザーに保存されます。アカウントがあれば、すべての端末で使えます。",
  turns: "手番",
  confirm: "手番ごとに確認する",
  confirmNote: "オフ：ミープルを選ぶ（または置かない）と、すぐに手番が終わります。",
  oneClick: "ワンクリックでミープル",
  oneClickNote: "タイルと同時にミープルの場所が示され、一度のクリックで両方を置きます。",
  premove: "先にタイルを回す",
  premoveNote: "相手の番の間に回した向きが、次のタイルに使われます。",
  board: "盤",
  coordinates: "列と行の名前",
  coordinatesNote: "広い画面で、盤の縁に表示します。",
  largeMarks: "ミープルの印を大きく",
  colours: "プレイヤーの色",
  standard: "標準",
  strong: "濃い",
  table: "テーブル",
  limestone: "石灰岩",
  oak: "オーク",
  slate: "スレート",
  felt: "フェルト",
  motionAndSound: "動きと音",
  animation: "動き",
  off: "なし",
  fast: "速い",
  normal: "標準",
  slow: "遅い",
  volume: "音量",
};
export default words;
