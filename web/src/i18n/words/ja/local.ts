// サーバーなしのゲーム。
import type { Translation } from "../../areas";
import type en from "../en/local";

export default {
  title: "オフラインで遊ぶ",
  lead: "このブラウザーの中でボットと対戦します。ネットワークは不要で、ページの再読み込みにも要りません。",
  you: "ゲスト",
  first: "先手",
  byLot: "くじで決める",
  me: "自分",
  length: "長さ",
  whole: "通常のゲーム",
  wholeNote: "タイル72枚",
  short: "短いゲーム",
  shortNote: "5×5のボード",
  start: "ゲームを始める",
  goOn: "前のゲームを続ける",
  note: "ゲームは一手ごとにこのブラウザーに保存されます。終了後、サーバーにつながると、ゲームの一覧に渡されます（レーティング対象外、オフライン対局の印付き）。",
  noEngine: "このブラウザーではエンジンを動かせません。サーバーでは同じボットと対戦できます。",
  failed: "ボットを読み込めませんでした。一度だけネットワークが必要です。",
  handedIn: "{n}件のオフラインのゲームが一覧に加わりました。",
  waits: "サーバーが戻るまで、ゲームはここに保存されます。",
} satisfies Translation<typeof en>;
