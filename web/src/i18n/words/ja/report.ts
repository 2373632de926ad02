// 通報とブロック。
import type { Translation } from "../../areas";
import type english from "../en/report";

export default {
  report: "通報",
  reportName: "{name}さんを通報",
  why: "理由",
  abuse: "侮辱や脅し",
  cheating: "不正行為",
  stalling: "引き延ばしや放棄",
  spam: "迷惑な書き込み",
  name: "不快な名前",
  other: "その他",
  words: "何がありましたか",
  wordsHint: "500文字まで。",
  evidence: "この発言と前後の発言が通報に添えられます。",
  evidenceGame: "この対局が通報に添えられます。",
  send: "通報を送る",
  sent: "ありがとうございます。モデレーターが確認します。",
  block: "ブロック",
  unblock: "ブロック解除",
  blockToo: "{name}さんをブロックする",
  blockNote: "互いにチャット、招待、対局ができなくなります。アカウントのページで解除できます。",
  blocked: "{name}さんをブロックしました。",
  unblocked: "{name}さんのブロックを解除しました。",
  blockedPeople: "ブロックした人",
  nobodyBlocked: "ブロックしている人はいません。",
  yourReports: "あなたの通報",
  handled: "対応済み",
  waits: "モデレーターの確認待ち",
} satisfies Translation<typeof english>;
