// サーバーが断った理由（コード別）。
import type { Translation } from "../../areas";
import type english from "../en/refusal";

const words: Translation<typeof english> = {
  bad_request: "リクエストを理解できませんでした。",
  not_logged_in: "ログインするか、名前とパスワードを確かめてください。",
  wrong_password: "現在のパスワードが違います。何も変更されていません。",
  forbidden: "許可されていません。",
  not_found: "見つかりません。",
  illegal_move: "この手はルール上できません。",
  not_your_turn: "あなたの番ではありません。",
  conflict: "現在の状態と合いません。何も変更されていません。",
  too_large: "大きすぎます。",
  too_many_requests: "リクエストが多すぎます。しばらくしてからもう一度お試しください。",
  unavailable: "サーバーが混み合っています。しばらくしてからもう一度お試しください。",
  second_factor_needed: "認証アプリのコードかリカバリーコードも入力してください。",
  wrong_code: "コードが違うか、すでに使われています。",
  method_not_allowed: "この方法では受け付けられません。",
  stale_version: "その間にゲームが進みました。もう一度ご覧ください。",
  too_slow: "リクエストが届くまでに時間がかかりすぎました。",
  unsupported_media_type: "リクエストを読み取れませんでした。",
  must_wait: "レート戦を早く抜けることが続いたため、次のレート戦まで少しお待ちください。",
  internal: "サーバーで問題が起きました。何も変更されていません。",
};
export default words;
