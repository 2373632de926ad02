// ボットのページ。
import type { Translation } from "../../areas";
import type en from "../en/bots";

export default {
  play: "対局する",
  level: "レベル {n}/{all}",
  rating: "人と同じ尺度のレーティング",
  unrated: "まだレーティングなし",
  games: "対局数",
  gamesNote: "人との対局",
  wins: "ボットの勝率",
  winsNote: "そのうち",
  noGames: "まだだれも対局を終えていません",
  against: "あなたの成績",
  wonTiedLost: "勝 – 分 – 負",
  neverMet: "{name} との対局はまだありません。成績はここに表示されます。",
  recent: "最近のゲーム",
  noRecent: "終わったゲームがここに並び、一手ずつ再生できます。",
  nobody: "この名前のボットはいません。",
  about_shepherd: "はじめての相手。見えるものを完成させ、草原を忘れ、ミープルを無駄にします。",
  about_pilgrim: "遊んだことがあり点は数えますが、ミープルと草原はまだ不注意です。",
  about_peddler: "完成しそうなものを考え、ミープルも残します。",
  about_mason: "草原とミープルの価値を知っていますが、よく間違えます。",
  about_steward: "ときどき間違える、強いプレイヤーです。",
  about_architect: "ほとんど間違えません。",
  about_abbess: "間違えませんが、自分の手番だけを読みます。",
  about_master: "最強のボット。知識のすべてで先を読みます。",
} satisfies Translation<typeof en>;
