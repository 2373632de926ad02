// 待っている席：リンク、内容、着席。
import type { Translation } from "../../areas";
import type en from "../en/invite";

export default {
  link: "この席へのリンク",
  share: "リンクを共有",
  code: "リンクの QR コード",
  codeNote: "友だちにこのコードを撮ってもらうこともできます。",
  message: "{name} さんからカルカソンヌの招待です",
  asks: "{name} さんから招待されています",
  begins: "先手",
  counts: "レート",
  tiles: "タイル",
  rules: "ルール",
  usual: "通常どおり",
  on: "あり",
  off: "なし",
  name: "席での名前",
  ratedNeeds: "レート戦です。着席にはアカウントが必要です。",
} satisfies Translation<typeof en>;
