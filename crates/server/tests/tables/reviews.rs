//! Reviews of finished games over HTTP: asked for, followed, kept, tried, added up.

use crate::common::{Client, Server};
use crate::support::*;
use game::Random;
use reqwest::Method;
use serde_json::{Value, json};

/// A few turns of a game, as a record: its review takes a moment.
const RECORD: &str =
    "carcassonne players=2\nU; 1,0 r0; road0; E; 0,1 r2; pass; V; 1,-1 r0; pass; D";

pub(crate) async fn taken_in(client: &Client, record: &str) -> String {
    let taken = client.post("/api/import", &json!({"record": record})).await.value();
    taken["id"].as_str().unwrap().to_owned()
}

/// A record of random turns.
pub(crate) fn random_record(turns: usize, seed: u64) -> String {
    use carcassonne::{Carcassonne, Setup};
    use game::{Game, Record, Turn};
    let mut random = Random::new(seed);
    let mut game = Carcassonne::new(&Setup::default());
    let mut record: Record<Carcassonne> = Record::new(Setup::default());
    let mut done = 0;
    let mut moves = Vec::new();
    while done < turns && game.turn() != Turn::Over {
        game.moves(&mut moves);
        let m = match game.turn() {
            Turn::Chance => game.sample_outcome(&mut random).unwrap(),
            _ => *random.pick(&moves).unwrap(),
        };
        let player = game.turn();
        game.play(m, |_| {}).unwrap();
        record.moves.push(m);
        done += usize::from(matches!(player, Turn::Player(_)) && game.turn() != player);
    }
    record.to_string()
}

/// All lines of the stream of a review.
pub(crate) async fn lines(client: &Client, id: &str) -> Vec<Value> {
    let request = client.request(Method::GET, &format!("/api/games/{id}/review/stream"));
    let text = request.send().await.unwrap().text().await.unwrap();
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn a_review_is_made_once_told_step_by_step_and_kept() {
    let server = quick_server().await;
    let (asker, stranger) = (server.guest().await, server.client());
    let id = taken_in(&asker, &random_record(8, 3)).await;
    let path = format!("/api/games/{id}/review");
    let absent = stranger.get(&path).await.value();
    assert_eq!((&absent["state"], &absent["plies"]), (&json!("absent"), &json!(24)));
    assert_eq!(stranger.get(&format!("{path}/stream")).await.refused(404), "not_found");
    assert_eq!(stranger.post(&path, &json!({})).await.refused(401), "not_logged_in");
    let asked = asker.post(&path, &json!({"depth": "quick"})).await;
    assert_eq!(asked.status, 202);
    let lines = lines(&stranger, &id).await;
    let steps: Vec<&Value> = lines.iter().filter(|line| line["type"] == "step").collect();
    assert_eq!(steps.len(), 16, "a draw and a decision a turn");
    assert_eq!(steps[15]["done"], 24);
    let last = lines.last().unwrap();
    assert_eq!(last["type"], "done");
    let told: Vec<&Value> = steps.iter().map(|line| &line["step"]).collect();
    assert_eq!(json!(told), last["review"]["steps"]);
    for player in last["review"]["players"].as_array().unwrap() {
        let part = |name: &str| player[name]["margin"].as_f64().unwrap();
        let sum = part("start") + part("luck") + part("skill") + part("rest");
        assert!((sum - part("result")).abs() < 1e-6, "{player}");
    }
    // It is there for everybody now, and after a restart; asking again makes no second one.
    let made = |server: &Server| {
        let pool = server.app.db.pool.clone();
        async move {
            let sql = "SELECT COUNT(*), MIN(made) FROM reviews";
            sqlx::query_as::<_, (i64, i64)>(sql).fetch_one(&pool).await.unwrap()
        }
    };
    let before = made(&server).await;
    let server = server.restart().await;
    let (asker, stranger) = (asker.moved_to(server.address), stranger.moved_to(server.address));
    let there = stranger.get(&path).await.value();
    assert_eq!((&there["state"], &there["review"]), (&json!("done"), &last["review"]));
    let again = asker.post(&path, &json!({})).await;
    assert_eq!(again.status, 200);
    assert_eq!(made(&server).await, before);
    assert_eq!(lines_of_kept(&stranger, &id).await, 1);
}

async fn lines_of_kept(client: &Client, id: &str) -> usize {
    lines(client, id).await.len()
}

#[tokio::test]
async fn a_game_that_is_played_is_never_reviewed_nor_a_copy_of_it() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    play_turns(&[&host, &other], &id, 6, &mut Random::new(5)).await;
    let path = format!("/api/games/{id}/review");
    assert_eq!(host.post(&path, &json!({})).await.refused(409), "conflict");
    let shown: Value = host.get(&format!("/api/games/{id}/replay")).await.value();
    let setup = shown["setup"].as_str().unwrap();
    let moves: Vec<&str> =
        shown["plies"].as_array().unwrap().iter().map(|p| p["move"].as_str().unwrap()).collect();
    let record = format!("carcassonne {setup}\n{}", moves.join("\n"));
    let copy = taken_in(&host, &record).await;
    let path = format!("/api/games/{copy}/review");
    assert_eq!(host.post(&path, &json!({})).await.refused(403), "forbidden");
    host.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    host.post(&path, &json!({})).await.ok();
}

#[tokio::test]
async fn a_turn_that_is_tried_is_answered_with_its_loss() {
    let server = quick_server().await;
    let asker = server.guest().await;
    let id = taken_in(&asker, RECORD).await;
    let path = format!("/api/games/{id}/review");
    let attempt = |ply: usize, moves: &[&str]| json!({"ply": ply, "moves": moves});
    let tried = format!("{path}/try");
    let early = asker.post(&tried, &attempt(5, &["0,1 r2", "pass"])).await;
    assert_eq!(early.refused(404), "not_found", "there is no review yet");
    asker.post(&path, &json!({})).await.ok();
    let review = lines(&asker, &id).await.pop().unwrap()["review"].clone();
    let decision = review["steps"]
        .as_array()
        .unwrap()
        .iter()
        .find(|step| step["kind"] == "decision" && step["ply"] == 5)
        .unwrap()
        .clone();
    // The turn that was played loses what the review says; the engine's loses nothing.
    let played = asker.post(&tried, &json!({"ply": 5, "moves": decision["played"]})).await.value();
    assert_eq!(played["category"], decision["category"]);
    assert_eq!(played["measured"], decision["measured"][1]);
    let best = asker.post(&tried, &json!({"ply": 5, "moves": decision["best"]})).await.value();
    assert_eq!((&best["category"], &best["loss"]["margin"]), (&json!("best"), &json!(0.0)));
    for (ply, moves, status) in [
        (5, &["9,9 r0", "pass"][..], 422),
        (5, &["0,1 r2"], 422),
        (5, &["0,1 r2", "pass", "V"], 422),
        (5, &["castle"], 422),
        (4, &["E"], 400),
        (0, &["E"], 400),
        (900, &["E"], 400),
    ] {
        asker.post(&tried, &attempt(ply, moves)).await.refused(status);
    }
    let position = asker.get(&format!("{path}/position?ply=5")).await.value();
    assert_eq!(
        (&position["position"]["ply"], &position["position"]["turn"]),
        (&json!(4), &json!(1))
    );
    assert!(position["legal"].as_array().unwrap().len() > 3);
    // A draw, the midst of a turn, and no ply at all: neither shown nor tried.
    for ply in [0, 1, 4, 6, 900, usize::MAX] {
        asker.get(&format!("{path}/position?ply={ply}")).await.refused(400);
        asker.post(&tried, &attempt(ply, &["pass"])).await.refused(400);
    }
}

#[tokio::test]
async fn a_review_is_compressed_for_who_takes_that_and_its_stream_is_not() {
    let server = quick_server().await;
    let asker = server.guest().await;
    let id = taken_in(&asker, RECORD).await;
    let path = format!("/api/games/{id}/review");
    asker.post(&path, &json!({})).await.ok();
    lines(&asker, &id).await;
    let plain = asker.get(&path).await.text.len();
    let fetch = async |path: String| {
        let request = asker.request(Method::GET, &path).header("accept-encoding", "br, gzip");
        let answer = request.send().await.unwrap();
        let coding = answer.headers().get("content-encoding").cloned();
        (coding, answer.bytes().await.unwrap())
    };
    let (coding, packed) = fetch(path.clone()).await;
    assert_eq!(coding.unwrap(), "gzip");
    assert!(packed.len() * 3 < plain && packed.starts_with(&[0x1f, 0x8b]), "{}", packed.len());
    assert_eq!(fetch(format!("{path}/stream")).await.0, None);
    assert_eq!(fetch("/api/me".to_owned()).await.0, None, "small answers stay as they are");
}

#[tokio::test]
async fn a_review_that_nobody_wants_any_more_stops() {
    let server = quick_server().await;
    let (one, two) = (server.guest().await, server.guest().await);
    let id = taken_in(&one, &random_record(71, 4)).await;
    let path = format!("/api/games/{id}/review");
    one.post(&path, &json!({"depth": "deep"})).await.ok();
    two.post(&path, &json!({"depth": "deep"})).await.ok();
    let request = two.request(Method::GET, &format!("{path}/stream?depth=deep"));
    let stream = tokio::spawn(async move { request.send().await.unwrap().text().await.unwrap() });
    let state = async || one.get(&format!("{path}?depth=deep")).await.value()["state"].clone();
    assert_eq!(one.delete(&format!("{path}?depth=deep"), &json!({})).await.status, 204);
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(state().await, "running", "somebody still wants it");
    assert_eq!(two.delete(&format!("{path}?depth=deep"), &json!({})).await.status, 204);
    let text = stream.await.unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["type"], &last["error"]),
        (&json!("failed"), &json!("the review was stopped"))
    );
    assert_eq!(state().await, "absent");
    // Asked for again, it begins anew at once.
    assert_eq!(one.post(&path, &json!({"depth": "deep"})).await.status, 202);
    assert_eq!(one.delete(&format!("{path}?depth=deep"), &json!({})).await.status, 204);
}

#[tokio::test]
async fn a_quick_review_does_not_wait_for_a_deep_one() {
    let server = quick_server().await;
    let (patient, hurried) = (server.guest().await, server.guest().await);
    let long = taken_in(&patient, &random_record(71, 5)).await;
    let long = format!("/api/games/{long}/review");
    patient.post(&long, &json!({"depth": "deep"})).await.ok();
    let short = taken_in(&hurried, &random_record(2, 6)).await;
    hurried.post(&format!("/api/games/{short}/review"), &json!({})).await.ok();
    assert_eq!(lines(&hurried, &short).await.last().unwrap()["type"], "done");
    let running = patient.get(&format!("{long}?depth=deep")).await.value();
    assert_eq!(running["state"], "running", "it goes on");
    patient.delete(&format!("{long}?depth=deep"), &json!({})).await.ok();
}

/// A game against a bot in which its host has played six turns by chance: its id.
async fn begun_against_shepherd(host: &Client) -> String {
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "shepherd"}]);
    let body = json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false});
    let id = new_game(host, &body).await;
    let mut random = Random::new(2);
    for _ in 0..6 {
        until(host, &id, |state| state["update"]["turn"] == 0).await;
        play_turn(&[host], &id, &mut random).await;
    }
    id
}

#[tokio::test]
async fn what_reviews_say_is_added_up_on_profiles_and_shown_in_lists() {
    let server = quick_server().await;
    let host = registered(&server).await;
    let name = host.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let id = begun_against_shepherd(&host).await;
    host.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    let none = host.get(&format!("/api/users/{name}/reviews")).await.value();
    assert_eq!(none, json!({"games": [], "totals": null}));
    host.post(&format!("/api/games/{id}/review"), &json!({})).await.ok();
    let review = lines(&host, &id).await.pop().unwrap()["review"].clone();
    let of_host = host.get(&format!("/api/users/{name}/reviews")).await.value();
    assert_eq!(of_host["games"][0]["game"], json!(id));
    assert_eq!(of_host["totals"]["accuracy"], review["players"][0]["accuracy"]);
    assert_eq!(of_host["totals"]["margins"]["margin_error"], Value::Null, "of one game");
    let of_bot = server.client().get("/api/bots/shepherd/reviews").await.value();
    assert_eq!(of_bot["totals"]["accuracy"], review["players"][1]["accuracy"]);
    let listed = host.get(&format!("/api/games?user={name}")).await.value();
    assert_eq!(listed["games"][0]["accuracy"][0], review["players"][0]["accuracy"]);
    assert_eq!(
        server.client().get("/api/users/nobody-here/reviews").await.refused(404),
        "not_found"
    );
    assert_eq!(server.client().get("/api/bots/hal/reviews").await.refused(404), "not_found");
}

/// Makes the first turn of a seat that was not the engine's a blunder in the stored review, as the engine may see it
/// or not; answers with that decision.
async fn with_blunder(server: &Server, id: &str, seat: usize) -> Value {
    let pool = &server.app.db.pool;
    let sql = "SELECT body FROM reviews WHERE game_id = $1";
    let body: String = sqlx::query_scalar(sql).bind(id).fetch_one(pool).await.unwrap();
    let mut review: Value = serde_json::from_str(&body).unwrap();
    let step = review["steps"].as_array_mut().unwrap().iter_mut().find(|step| {
        step["kind"] == "decision" && step["player"] == seat && step["played"] != step["best"]
    });
    let step = step.expect("who plays by chance does not play like the engine");
    step["category"] = json!("blunder");
    step["loss"] = json!({"margin": 7.5, "win": 0.25});
    let decision = step.clone();
    let sql = "UPDATE reviews SET body = $1 WHERE game_id = $2";
    sqlx::query(sql).bind(review.to_string()).bind(id).execute(pool).await.unwrap();
    decision
}

#[tokio::test]
async fn own_mistakes_are_puzzles_for_nobody_else() {
    let server = quick_server().await;
    let (host, other) = (registered(&server).await, registered(&server).await);
    let id = begun_against_shepherd(&host).await;
    until(&host, &id, |state| state["update"]["turn"] == 0).await;
    host.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    let path = format!("/api/puzzles/own/{id}");
    assert_eq!(host.get(&format!("{path}?ply=2")).await.refused(404), "not_found", "no review");
    host.post(&format!("/api/games/{id}/review"), &json!({})).await.ok();
    lines(&host, &id).await;
    let decision = with_blunder(&server, &id, 0).await;
    let of_bot = with_blunder(&server, &id, 1).await;
    let ply = decision["ply"].as_u64().unwrap();
    let listed = host.get("/api/puzzles/own").await.value();
    let own = listed["games"][0]["mistakes"].as_array().unwrap();
    assert!(own.iter().any(|mistake| mistake["ply"] == ply), "{listed}");

    // The position alone is told before the answer.
    let shown = host.get(&format!("{path}?ply={ply}")).await.value();
    let keys: Vec<&str> = shown.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["depth", "game", "legal", "ply", "seat", "view"]);
    assert_eq!((&shown["seat"], &shown["depth"]), (&json!(0), &json!("quick")));
    let answers = format!("{path}/answer");
    let answer = |moves: &Value| json!({"ply": ply, "moves": moves});
    let right = host.post(&answers, &answer(&decision["best"])).await.value();
    assert_eq!(right["right"], true);
    assert_eq!(right["compared"]["moves"], decision["played"], "what was played");
    assert_eq!(right["compared"]["worth"]["loss"], decision["loss"], "as the review has it");
    assert_eq!(right["compared"]["worth"]["reasons"], decision["reasons"]);
    let record = right["record"].as_str().unwrap();
    let from = json!({"record": record, "ply": ply - 1});
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "shepherd"}]);
    let on = json!({"game": "carcassonne", "seats": seats, "from": from});
    host.post("/api/games", &on).await.ok();
    let wrong = host.post(&answers, &answer(&decision["played"])).await.value();
    assert_eq!((&wrong["right"], &wrong["answer"]), (&json!(false), &decision["best"]));
    let legal = shown["legal"].as_array().unwrap();
    let known = |turn: &Value| [&decision["best"], &decision["played"]].contains(&turn);
    let third = legal.iter().map(|turn| json!([turn["move"], "pass"])).find(|turn| !known(turn));
    let third = third.unwrap();
    let tried = host.post(&answers, &answer(&third)).await.value();
    let good = ["best", "good"].contains(&tried["compared"]["worth"]["category"].as_str().unwrap());
    assert_eq!(tried["right"] == true, good || tried["compared"]["moves"] == decision["played"]);
    let mine = host.get("/api/puzzles/mine").await.value();
    assert_eq!(mine["progress"]["rating"]["games"], 0, "never rated");

    // Nobody else reaches it, nor its owner what is no mistake of theirs.
    for stranger in [&other, &server.guest().await] {
        assert_eq!(stranger.get(&format!("{path}?ply={ply}")).await.refused(404), "not_found");
        let refused = stranger.post(&answers, &answer(&decision["best"])).await;
        assert!(!refused.text.contains(decision["best"][0].as_str().unwrap()), "{}", refused.text);
        assert_eq!(refused.refused(404), "not_found");
    }
    let nobody = server.client();
    assert_eq!(nobody.get(&format!("{path}?ply={ply}")).await.refused(401), "not_logged_in");
    assert_eq!(nobody.post(&answers, &answer(&third)).await.refused(401), "not_logged_in");
    for ply in [0, 1, 4_000, u64::MAX, of_bot["ply"].as_u64().unwrap()] {
        assert_eq!(host.get(&format!("{path}?ply={ply}")).await.refused(404), "not_found");
        let tried = json!({"ply": ply, "moves": ["pass"]});
        assert_eq!(host.post(&answers, &tried).await.refused(404), "not_found");
    }
    for path in ["/api/puzzles/own/..?ply=2", "/api/puzzles/own/zzzz?ply=2", "/api/puzzles/own/x"] {
        assert!(host.get(path).await.status.is_client_error(), "{path}");
    }
    for moves in [json!([]), json!(["pass"]), json!(["99,99 r0", "pass"]), json!(["castle"])] {
        assert_eq!(host.post(&answers, &answer(&moves)).await.refused(422), "illegal_move");
    }
}

#[tokio::test]
async fn what_cannot_be_reviewed_is_refused_with_the_reason() {
    let server = quick_server().await;
    let asker = server.guest().await;
    let empty = taken_in(&asker, "carcassonne\nU").await;
    let refused = asker.post(&format!("/api/games/{empty}/review"), &json!({})).await;
    assert_eq!(refused.refused(409), "conflict");
    let id = taken_in(&asker, RECORD).await;
    let path = format!("/api/games/{id}/review");
    for bad in [json!({"depth": "endless"}), json!({"deep": true}), json!([1])] {
        assert!([400, 422].contains(&asker.post(&path, &bad).await.status.as_u16()), "{bad}");
    }
    asker.get(&format!("{path}?depth=endless")).await.refused(400);
    asker.get("/api/games/aaaaaaaaaa/review").await.refused(404);
    let mut wanted = Vec::new();
    for seed in 0..6 {
        let id = taken_in(&asker, &random_record(71, seed)).await;
        wanted.push(asker.post(&format!("/api/games/{id}/review"), &json!({})).await.status);
    }
    assert_eq!(wanted.iter().filter(|status| **status == 202).count(), 5, "{wanted:?}");
    assert_eq!(wanted[5], 409, "so many at once are enough for one");
}

#[tokio::test]
async fn users_are_served_in_turn_however_many_reviews_each_asks_for() {
    let server = quick_server().await;
    let (eager, modest) = (server.guest().await, server.guest().await);
    let mut wanted = Vec::new();
    // The first keeps the thread busy while the others are asked for.
    for (client, turns, seed) in [(&eager, 8, 1), (&eager, 3, 2), (&eager, 3, 3), (&modest, 3, 4)] {
        let id = taken_in(client, &random_record(turns, seed)).await;
        client.post(&format!("/api/games/{id}/review"), &json!({})).await.ok();
        wanted.push(id);
    }
    let waiting = eager.get(&format!("/api/games/{}/review", wanted[2])).await.value();
    assert_eq!(waiting["state"], "waiting");
    assert!(waiting["ahead"].as_u64().unwrap() >= 2, "{waiting}");
    for id in &wanted {
        assert_eq!(lines(&modest, id).await.last().unwrap()["type"], "done");
    }
    let sql = "SELECT game_id FROM reviews ORDER BY made";
    let made: Vec<String> = sqlx::query_scalar(sql).fetch_all(&server.app.db.pool).await.unwrap();
    let order: Vec<usize> =
        made.iter().map(|id| wanted.iter().position(|other| other == id).unwrap()).collect();
    assert_eq!(order, [0, 1, 3, 2], "the third of one comes after the first of the other");
}
