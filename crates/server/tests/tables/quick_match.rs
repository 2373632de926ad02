//! Quick match: people who look for the same game find each other; a bot comes only when asked.

use crate::common::{Client, Server};
use crate::support::*;
use serde_json::{Value, json};
use std::time::Duration;

fn ten_minutes() -> Value {
    json!({"kind": "game", "initial_ms": 600_000, "increment_ms": 5000})
}

async fn seek(client: &Client, more: Value) -> Value {
    let mut body = json!({"clock": ten_minutes()});
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    client.post("/api/seek", &body).await.value()
}

async fn set_rating(server: &Server, subject: &str, rating: f64) {
    let sql = "INSERT INTO ratings (subject, pool, rating, deviation, volatility, games, updated) \
               VALUES ($1, 'two', $2, 60, 0.06, 50, 1)";
    sqlx::query(sql).bind(subject).bind(rating).execute(&server.app.db.pool).await.unwrap();
}

#[tokio::test]
async fn two_who_want_the_same_game_play_it() {
    let server = quick_server().await;
    let (one, other) = (server.guest().await, server.guest().await);
    let waiting = seek(&one, json!({})).await;
    assert_eq!((&waiting["game"], &waiting["others"]), (&Value::Null, &json!(0)));
    assert!(waiting["bot"].is_null() && waiting["bot_in_ms"].as_u64().unwrap() > 0, "{waiting}");
    let found = seek(&other, json!({"nonce": "mine"})).await;
    let id = found["game"].as_str().expect("a game").to_owned();
    assert_eq!(one.get("/api/seek").await.value()["game"], id.as_str());
    let game = state(&one, &id).await;
    assert_eq!(
        (&game["info"]["status"], &game["info"]["rated"]),
        (&json!("playing"), &json!(false))
    );
    assert_eq!(game["info"]["clock"], ten_minutes());
    let mut users = [user_id(&one).await, user_id(&other).await];
    let seats = game["info"]["seats"].as_array().unwrap();
    let mut sitting = [0, 1].map(|seat| seats[seat]["sitter"]["user"].as_str().unwrap().to_owned());
    users.sort();
    sitting.sort();
    assert_eq!(sitting, users);
}

#[tokio::test]
async fn other_games_and_far_ratings_do_not_fit() {
    let server = quick_server().await;
    let (strong, weak) = (registered(&server).await, registered(&server).await);
    set_rating(&server, &format!("user:{}", user_id(&strong).await), 2000.0).await;
    seek(&strong, json!({"rated": true, "range": 200})).await;
    let own = seek(&weak, json!({"rated": true})).await;
    assert_eq!(
        (&own["game"], &own["others"], &own["rating"]),
        (&Value::Null, &json!(1), &json!(1500.0))
    );
    // Casual, or by another clock: no.
    for more in
        [json!({}), json!({"rated": true, "clock": {"kind": "move", "per_move_ms": 86_400_000}})]
    {
        assert!(seek(&weak, more).await["game"].is_null());
    }
    // Who lets the other's range be is found.
    seek(&strong, json!({"rated": true})).await;
    assert!(seek(&weak, json!({"rated": true})).await["game"].is_string());
}

#[tokio::test]
async fn a_bot_of_that_strength_comes_only_when_asked() {
    let server = Server::start_with(|config| {
        config.tables.bot_pause = Duration::ZERO;
        config.bot_offered_after = Duration::from_millis(200);
    })
    .await;
    let guest = server.guest().await;
    seek(&guest, json!({})).await;
    let early = guest.post("/api/seek/bot", &json!({})).await;
    assert_eq!(early.status, 409, "{}", early.text);
    tokio::time::sleep(Duration::from_millis(400)).await;
    let offered = guest.get("/api/seek").await.value();
    assert!(offered["game"].is_null() && offered["bot_in_ms"].is_null(), "{offered}");
    let bot = offered["bot"]["name"].as_str().expect("a bot").to_owned();
    assert_eq!(offered["bot"], json!({"name": "mason", "rating": 1500.0}), "the nearest to 1500");
    let taken = guest.post("/api/seek/bot", &json!({})).await.value();
    let game = state(&guest, taken["game"].as_str().unwrap()).await;
    let seats = game["info"]["seats"].as_array().unwrap();
    assert!(seats.iter().any(|seat| seat["sitter"]["bot"] == bot.as_str()), "{seats:?}");
    assert_eq!(game["info"]["clock"], ten_minutes());
}

#[tokio::test]
async fn a_search_ends_and_guests_are_not_rated() {
    let server = quick_server().await;
    let guest = server.guest().await;
    let rated = guest.post("/api/seek", &json!({"clock": ten_minutes(), "rated": true})).await;
    assert_eq!(rated.status, 403, "{}", rated.text);
    let odd = guest.post("/api/seek", &json!({"clock": {"kind": "move", "per_move_ms": 1}})).await;
    assert_eq!(odd.status, 400, "{}", odd.text);
    assert!(guest.get("/api/seek").await.value().is_null());
    seek(&guest, json!({})).await;
    guest.delete("/api/seek", &json!({})).await.ok();
    assert!(guest.get("/api/seek").await.value().is_null());
    let other = server.guest().await;
    assert!(seek(&other, json!({})).await["game"].is_null());
    assert_eq!(server.client().get("/api/seek").await.status, 401);
}

#[tokio::test]
async fn a_rated_game_that_cannot_be_made_is_not_looked_for() {
    let server = quick_server().await;
    let leaver = registered(&server).await;
    let untimed = json!({"clock": {"kind": "none"}, "rated": true});
    let refused = leaver.post("/api/seek", &untimed).await;
    assert!(refused.text.contains("needs a clock"), "{}", refused.text);
    assert_eq!(refused.refused(400), "bad_request");
    for _ in 0..2 {
        let other = registered(&server).await;
        let body = json!({"game": "carcassonne", "rated": true, "clock": ten_minutes(),
            "seats": [{"kind": "me"}, {"kind": "open"}]});
        let id = new_game(&leaver, &body).await;
        other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
        leaver.post(&format!("/api/games/{id}/abort"), &json!({})).await.ok();
    }
    let rated = json!({"clock": ten_minutes(), "rated": true});
    assert_eq!(leaver.post("/api/seek", &rated).await.refused(429), "must_wait");
    assert!(leaver.get("/api/seek").await.value().is_null());
    assert!(seek(&leaver, json!({})).await["game"].is_null(), "casual games are open");
}

#[tokio::test]
async fn two_of_whom_one_has_blocked_the_other_are_not_paired() {
    let server = quick_server().await;
    let (one, other, third) = (server.guest().await, server.guest().await, server.guest().await);
    let name = other.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let block = one.request(reqwest::Method::PUT, &format!("/api/blocks/{name}"));
    assert_eq!(block.send().await.unwrap().status(), 204);
    for _ in 0..2 {
        assert!(seek(&one, json!({})).await["game"].is_null());
        assert!(seek(&other, json!({})).await["game"].is_null());
    }
    // What was tried leaves no table behind, and neither is kept from others.
    for client in [&one, &other] {
        let lobby = client.get("/api/lobby").await.value();
        assert_eq!((&lobby["mine"], &lobby["invitations"]), (&json!([]), &json!([])), "{lobby}");
    }
    let found = seek(&third, json!({})).await["game"].as_str().expect("a game").to_owned();
    assert_eq!(one.get("/api/seek").await.value()["game"], found.as_str());
}

#[tokio::test]
async fn stakes_are_what_the_game_then_brings() {
    let server = quick_server().await;
    let clock = ten_minutes();
    let (host, other, id) = rated_game(&server, json!({"clock": clock})).await;
    let name = other.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let seats = json!({"seats": [{"kind": "me"}, {"kind": "user", "name": name}]});
    let stakes = host.post("/api/stakes", &seats).await.value();
    assert!(stakes["win"].as_f64().unwrap() > 0.0 && stakes["lose"].as_f64().unwrap() < 0.0);
    assert!(
        stakes["draw"].as_f64().unwrap().abs() < 1e-6 && stakes["assumed"] == false,
        "{stakes}"
    );
    // Far enough that it counts, whatever a rated game asks for.
    play_turns(&[&host, &other], &id, 12, &mut game::Random::new(3)).await;
    other.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    let seats = until_over(&host, &id).await["info"]["seats"].clone();
    let own = user_id(&host).await;
    let mine = seats.as_array().unwrap().iter().find(|seat| seat["sitter"]["user"] == own.as_str());
    let change = mine.unwrap()["rating_change"].as_f64().unwrap();
    assert!((change - stakes["win"].as_f64().unwrap()).abs() < 1e-6, "{change} {stakes}");
}

#[tokio::test]
async fn stakes_take_a_stranger_as_an_equal_and_refuse_what_is_no_game() {
    let server = quick_server().await;
    let user = registered(&server).await;
    let ask = |seats: Value| {
        let user = user.clone();
        async move { user.post("/api/stakes", &json!({"seats": seats})).await }
    };
    let open = ask(json!([{"kind": "me"}, {"kind": "open"}])).await.value();
    assert!(open["assumed"] == true && open["rating"] == 1500.0, "{open}");
    let (win, lose) = (open["win"].as_f64().unwrap(), open["lose"].as_f64().unwrap());
    assert!((win + lose).abs() < 1e-6, "{open}");
    let four = ask(
        json!([{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "mason"}, {"kind": "open"}]),
    );
    let four = four.await.value();
    assert!(four["win"].as_f64().unwrap() > 0.0 && four["lose"].as_f64().unwrap() < 0.0, "{four}");
    for wrong in [
        json!([]),
        json!([{"kind": "me"}]),
        json!([{"kind": "open"}, {"kind": "open"}]),
        json!([{"kind": "me"}, {"kind": "bot", "bot": "nobody"}]),
        json!([{"kind": "me"}, {"kind": "user", "name": "\0"}]),
        json!(vec![json!({"kind": "me"}); 7]),
    ] {
        let answer = ask(wrong.clone()).await;
        assert_eq!(answer.status, 400, "{wrong}: {}", answer.text);
    }
}
