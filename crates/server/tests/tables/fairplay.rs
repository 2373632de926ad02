//! Rated games are worth what was played: a clock, a few turns, a bound a day, and a wait for those
//! who leave again and again.

use crate::common::{Answer, Client, Server};
use crate::support::*;
use game::Random;
use reqwest::Method;
use serde_json::{Value, json};

/// A clock that does not run out in a test.
fn clock() -> Value {
    json!({"kind": "game", "initial_ms": 600_000, "increment_ms": 0})
}

/// A server that believes where its clients say they come from.
async fn server_behind_a_proxy() -> Server {
    Server::start_with(|config| {
        config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    })
    .await
}

async fn post_from(client: &Client, address: &str, path: &str, body: &Value) -> Answer {
    let request = client.request(Method::POST, path).header("x-forwarded-for", address);
    Answer::of(request.json(body)).await
}

/// A rated game between two accounts that sit down from these addresses.
async fn rated_from(host: (&Client, &str), other: (&Client, &str)) -> String {
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}],
        "shuffle_seats": false, "rated": true, "clock": clock()});
    let made = post_from(host.0, host.1, "/api/games", &body).await.value();
    let id = made["info"]["id"].as_str().unwrap().to_owned();
    post_from(other.0, other.1, &format!("/api/games/{id}/join"), &json!({})).await.ok();
    id
}

/// Plays as many turns as a rating needs; then the second player resigns. Gives the table's info.
async fn lose(host: &Client, other: &Client, id: &str) -> Value {
    play_turns(&[host, other], id, 6, &mut Random::new(9)).await;
    other.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    state(host, id).await["info"].clone()
}

fn change(info: &Value, seat: usize) -> Option<f64> {
    info["seats"][seat]["rating_change"].as_f64()
}

#[tokio::test]
async fn a_rated_game_needs_a_clock() {
    let server = quick_server().await;
    let host = registered(&server).await;
    let mut body = json!({"game": "carcassonne", "rated": true,
        "seats": [{"kind": "me"}, {"kind": "open"}]});
    let refused = host.post("/api/games", &body).await;
    for word in ["clock", "initial_ms", "per_move_ms"] {
        assert!(refused.text.contains(word), "{}", refused.text);
    }
    assert_eq!(refused.refused(400), "bad_request");
    body["clock"] = clock();
    new_game(&host, &body).await;
}

#[tokio::test]
async fn a_game_of_a_few_turns_changes_no_rating_however_it_ends() {
    let server = quick_server().await;
    for (turns, end, body) in [
        (0, "resign", json!({})),
        (5, "resign", json!({})),
        (0, "draw", json!({"accept": true})),
        (5, "draw", json!({"accept": true})),
    ] {
        let (host, other, id) = rated_game(&server, json!({})).await;
        play_turns(&[&host, &other], &id, turns, &mut Random::new(1)).await;
        let path = format!("/api/games/{id}/{end}");
        host.post(&path, &body).await.ok();
        if end == "draw" {
            other.post(&path, &body).await.ok();
        }
        let info = state(&host, &id).await["info"].clone();
        assert_eq!(info["result"]["reason"], end);
        assert_eq!((change(&info, 0), change(&info, 1)), (None, None), "{turns} {end}");
        assert_eq!(info["not_rated"], "short", "{turns} {end}");
        // It says so after a restart as well, and where finished games are listed.
        let listed = host.get("/api/games?limit=1").await.value();
        assert_eq!(listed["games"][0]["info"]["not_rated"], "short");
    }
}

#[tokio::test]
async fn a_clock_that_runs_out_at_once_changes_no_rating() {
    let server = quick_server().await;
    let quick = json!({"clock": {"kind": "game", "initial_ms": 1000, "increment_ms": 0}});
    let (host, _, id) = rated_game(&server, quick).await;
    let over = until_over(&host, &id).await;
    assert_eq!(over["info"]["result"]["reason"], "time");
    assert_eq!(over["info"]["not_rated"], "short");
    assert_eq!(change(&over["info"], 0), None);
}

#[tokio::test]
async fn the_games_of_one_pair_count_less_and_less_in_a_day() {
    let server = server_behind_a_proxy().await;
    let (host, other) = (registered(&server).await, registered(&server).await);
    let mut weights = Vec::new();
    for _ in 0..9 {
        let id = rated_from((&host, "192.0.2.1"), (&other, "198.51.100.2")).await;
        let info = lose(&host, &other, &id).await;
        let counted = change(&info, 0).is_some();
        assert_eq!(counted, info["not_rated"].is_null(), "{info}");
        weights.push(info["rating_weight"].as_f64());
        if !counted {
            assert_eq!(info["not_rated"], "pair");
        }
    }
    let expected = [1.0, 1.0, 1.0, 1.0, 0.5, 0.25, 0.125, 0.0625].map(Some);
    assert_eq!(weights, [expected.as_slice(), &[None]].concat());
    // What is stored follows from the games, weights included.
    let stored = host.get("/api/me").await.value();
    let key =
        (format!("user:{}", stored["id"].as_str().unwrap()), server::people::ratings::Pool::TWO);
    let recomputed = server::people::ratings::recomputed(&server.app.db).await.unwrap()[&key];
    let rating =
        server::people::ratings::rating_of(&server.app.db, &key.0, key.1).await.unwrap().unwrap();
    assert!((recomputed.rating.rating - rating.rating).abs() < 1e-9);
}

#[tokio::test]
async fn games_among_accounts_at_one_address_count_less_whoever_the_other_is() {
    let server = server_behind_a_proxy().await;
    let home = "192.0.2.7";
    let host = registered(&server).await;
    let mut weights = Vec::new();
    for _ in 0..5 {
        let helper = registered(&server).await;
        let id = rated_from((&host, home), (&helper, home)).await;
        let info = lose(&host, &helper, &id).await;
        weights.push(info["rating_weight"].as_f64());
        if weights.len() == 5 {
            assert_eq!(info["not_rated"], "address");
        }
    }
    assert_eq!(weights, [Some(1.0), Some(0.5), Some(0.25), Some(0.125), None]);
    // Somebody elsewhere is another matter.
    let stranger = registered(&server).await;
    let id = rated_from((&host, home), (&stranger, "198.51.100.9")).await;
    assert_eq!(lose(&host, &stranger, &id).await["rating_weight"], 1.0);
    // The address itself is nowhere in the database.
    let rows = sqlx::query("SELECT name, nonce FROM seats").fetch_all(&server.app.db.pool);
    for row in rows.await.unwrap() {
        use sqlx::Row;
        let text = row.get::<String, _>("name") + &row.get::<String, _>("nonce");
        assert!(!text.contains(home));
    }
}

#[tokio::test]
async fn who_leaves_rated_games_early_again_and_again_waits_for_the_next() {
    let server = quick_server().await;
    let leaver = registered(&server).await;
    let body = json!({"game": "carcassonne", "rated": true, "clock": clock(),
        "seats": [{"kind": "me"}, {"kind": "open"}], "shuffle_seats": false});
    // One that nobody has joined is called off for free: no tile was seen.
    for _ in 0..3 {
        let id = new_game(&leaver, &body).await;
        leaver.post(&format!("/api/games/{id}/abort"), &json!({})).await.ok();
    }
    let mut met = Vec::new();
    for end in ["abort", "resign"] {
        let other = registered(&server).await;
        let id = new_game(&leaver, &body).await;
        other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
        leaver.post(&format!("/api/games/{id}/{end}"), &json!({})).await.ok();
        if met.is_empty() {
            let rematch = format!("/api/games/{id}/rematch");
            leaver.post(&rematch, &json!({"accept": true})).await.ok();
        }
        let stays = other.get("/api/me/fairplay").await.value();
        assert_eq!(stays["rated_wait_ms"], 0, "who was left does not wait");
        met.push((id, other));
    }
    let refused = leaver.post("/api/games", &body).await;
    let seconds: u64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((30..=60).contains(&seconds), "{seconds}");
    assert!(refused.text.contains(&format!("{seconds} s")), "{}", refused.text);
    assert_eq!(refused.refused(429), "must_wait");
    let shown = leaver.get("/api/me/fairplay").await.value();
    assert!(shown["rated_wait_ms"].as_u64().unwrap() > 29_000, "{shown}");
    // Neither at somebody else's table nor by a rematch.
    let host = registered(&server).await;
    let id = new_game(&host, &body).await;
    let joined = leaver.post(&format!("/api/games/{id}/join"), &json!({})).await;
    assert_eq!(joined.refused(429), "must_wait");
    let rematch = format!("/api/games/{}/rematch", met[1].0);
    met[1].1.post(&rematch, &json!({"accept": true})).await.ok();
    assert_eq!(leaver.post(&rematch, &json!({"accept": true})).await.refused(429), "must_wait");
    let rematch = format!("/api/games/{}/rematch", met[0].0);
    let accepted = met[0].1.post(&rematch, &json!({"accept": true})).await;
    assert!(accepted.text.contains("has to wait"), "{}", accepted.text);
    assert_eq!(accepted.refused(409), "conflict", "it was offered before the wait");
    // Games that are not rated are open to everybody.
    let mut casual = body.clone();
    casual["rated"] = json!(false);
    new_game(&leaver, &casual).await;
}
