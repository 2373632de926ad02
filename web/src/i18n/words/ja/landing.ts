// 最初のページ。
import type { Translation } from "../../areas";
import type en from "../en/landing";

export default {
  promise: "一枚ずつ、\n国ができる。",
  lead: "カルカソンヌをブラウザで。友だちともボットとも、無料で、アカウントなしですぐに始められます。",
  playNow: "今すぐプレイ",
  friend: "友だちを招待",
  never: "はじめての方へ：3分で覚えるルール",
  fast: "数秒で最初の一枚",
  fastMore: "ボタンを押せば、ちょうどよい強さのボットが席についています。リンクを送って友だちを待つこともできます。",
  see: "土地の価値が見える",
  seeMore: "草原、残りタイル、置けない場所、引く確率。スマートフォンでもパソコンでもすぐに確認できます。",
  why: "ごまかしのない抽選",
  whyMore: "引いたタイルの順番は対局後に検証でき、すべての対局をエンジンの評価とともに一手ずつ再生できます。",
  now: "対局中のゲーム",
  all: "全 {n} 局を見る",
} satisfies Translation<typeof en>;
