// 最初のページ。
import type { Translation } from "../../areas";
import type en from "../en/landing";

export default {
  promise: "一枚ずつ、\n国ができる。",
  lead: "カルカソンヌをブラウザで。友だちともボットとも、無料で、アカウントなしですぐに始められます。",
  playNow: "今すぐプレイ",
  friend: "友だちを招待",
  never: "はじめての方へ：3分で覚えるルール",
  now: "対局中のゲーム",
  all: "全 {n} 局を見る",
  offers: "ここでできること",
  play: "対局",
  playMore: "リンクで友だちと、近い強さの人と、またはボットと。数分でも、数日かけても。",
  review: "振り返る",
  reviewMore: "終わった対局を一手ずつ、エンジンの評価とともに再生し、抽選も検証できます。",
  puzzles: "パズル",
  puzzlesMore: "局面とタイル、はっきりした最善手がひとつ。毎日新しい問題と、あなたのレーティング。",
  research: "研究",
  researchMore: "自由ソフトウェア。対局プログラム向けの公開 API、エンジン、Python の学習環境があります。",
  people: "対局中：{names}",
  nobody: "いま公開中の対局はありません。終わったゲームを再生してみましょう。",
} satisfies Translation<typeof en>;
