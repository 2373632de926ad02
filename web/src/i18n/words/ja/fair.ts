// 終わったゲームの抽選を検証するページ。
import type { Translation } from "../../areas";
import type en from "../en/fair";

export default {
  title: "抽選は公正でしたか？",
  lead: "最初のタイルを引く前に、サーバーは秘密のシードの指紋を公開します。各プレイヤーのブラウザも数を一つ加えます。すべてのタイルの順番はそこから決まり、だれにも選べません。",
  fair: "約束どおりの抽選です",
  unfair: "約束と異なる抽選です",
  promised: "シードは、最初に公開された指紋と一致します。",
  ordered: "タイルの順番は、シードと各プレイヤーの数から導かれます。",
  drawn: "実際に引かれたタイルは、その順番の先頭と一致します。",
  here: "下の数から、あなたのブラウザが今ここで計算しました。",
  numbers: "使われた数",
  commit: "開始時に公開された指紋",
  seed: "終了後に公開されたシード",
  nonce: "席 {n} の数",
  game: "ゲーム",
  command: "ページを信用しない方は、コマンドラインでも確かめられます：",
  order: "タイルの順番",
  orderNote: "引かれたのは {n} 枚。灰色のタイルは袋に残りました。",
  toGame: "ゲームへ",
} satisfies Translation<typeof en>;
