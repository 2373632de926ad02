// スクロールするページの下端。
import type { Translation } from "../../areas";
import type en from "../en/foot";

export default {
  about: "このサイトについて",
  api: "プログラム向け",
  legal:
    "Bastide は自由ソフトウェアです。Carcassonne の名は実装したルールのゲーム名としてのみ用いており、権利者とは関係ありません。",
} satisfies Translation<typeof en>;
