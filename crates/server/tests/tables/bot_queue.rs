//! Our bots when many want them: nobody wins on their clock, and nobody takes them all.

use crate::support::*;
use serde_json::{Value, json};
use std::time::Duration;

/// A game against a bot that moves first.
fn against(bot: &str, more: Value) -> Value {
    let mut body = json!({"game": "carcassonne", "shuffle_seats": false,
        "seats": [{"kind": "bot", "bot": bot}, {"kind": "me"}]});
    for (key, value) in more.as_object().expect("an object") {
        body[key] = value.clone();
    }
    body
}

#[tokio::test]
async fn a_bot_does_not_lose_on_time_while_it_waits_for_a_thread() {
    let server = server_with(|settings| {
        settings.bot_time = Duration::from_secs(3);
    })
    .await;
    let host = registered(&server).await;
    for _ in 0..8 {
        new_game(&host, &against("master", json!({}))).await;
    }
    let hurried = json!({"rated": true, "clock": {"kind": "move", "per_move_ms": 1000}});
    let mut games = Vec::new();
    for _ in 0..4 {
        games.push(new_game(&host, &against("master", hurried.clone())).await);
    }
    for id in games {
        let moved = until(&host, &id, |game| {
            game["info"]["status"] == "over" || game["update"]["turn"] == 1
        })
        .await;
        let winners = &moved["info"]["result"]["winners"];
        assert_ne!(winners, &json!([1]), "the bot lost on time: {}", moved["info"]["result"]);
    }
}

#[tokio::test]
async fn the_pause_before_an_answer_costs_a_bot_no_time() {
    let server = server_with(|settings| settings.bot_pause = Duration::from_millis(1600)).await;
    let host = registered(&server).await;
    let hurried = json!({"rated": true, "clock": {"kind": "move", "per_move_ms": 1000}});
    let id = new_game(&host, &against("shepherd", hurried)).await;
    let moved =
        until(&host, &id, |game| game["info"]["status"] == "over" || game["update"]["turn"] == 1)
            .await;
    assert_ne!(moved["info"]["result"]["winners"], json!([1]), "the bot lost on time");
}

#[tokio::test]
async fn the_list_of_opponents_has_the_levels_and_engines_only_on_request() {
    let server = quick_server().await;
    let client = server.client();
    let names = |types: &Value| -> Vec<String> {
        let bots = types[0]["bots"].as_array().unwrap();
        bots.iter().map(|bot| bot["name"].as_str().unwrap().to_owned()).collect()
    };
    let levels = names(&client.get("/api/game-types").await.value());
    let all = names(&client.get("/api/game-types?all=true").await.value());
    assert_eq!((levels.len(), levels[0].as_str(), levels[7].as_str()), (8, "shepherd", "master"));
    for engine in ["random", "greedy", "net", "mcts", "puct"] {
        assert!(!levels.contains(&engine.to_owned()) && all.contains(&engine.to_owned()));
    }
    // They play when they are asked for by name, but for no rating.
    let host = registered(&server).await;
    new_game(&host, &against("greedy", json!({}))).await;
    let clock = json!({"kind": "game", "initial_ms": 300_000, "increment_ms": 0});
    let rated = against("greedy", json!({"rated": true, "clock": clock}));
    assert_eq!(host.post("/api/games", &rated).await.refused(400), "bad_request");
}

#[tokio::test]
async fn the_first_game_against_the_weakest_bot_moves_a_newcomer_a_little() {
    let server = quick_server().await;
    let host = registered(&server).await;
    let clock = json!({"kind": "game", "initial_ms": 300_000, "increment_ms": 0});
    let rated = json!({"rated": true, "clock": clock});
    let id = new_game(&host, &against("shepherd", rated)).await;
    let seats = state(&host, &id).await["info"]["seats"].clone();
    let rating = seats[0]["rating"].as_f64().expect("a bot has its rating before its first game");
    assert!((900.0..1200.0).contains(&rating), "far below the middle: {rating}");
}

/// A server whose one thread for bots is busy for a minute with a game that nobody watches.
async fn occupied_server(change: impl FnOnce(&mut server::Config)) -> crate::common::Server {
    let server = crate::common::Server::start_with(|config| {
        config.bot_threads = 1;
        config.tables.bot_time = Duration::from_secs(60);
        change(config);
    })
    .await;
    let bots = json!([{"kind": "bot", "bot": "best"}, {"kind": "bot", "bot": "best"}]);
    let other = server.guest().await;
    new_game(&other, &json!({"game": "carcassonne", "seats": bots})).await;
    server
}

#[tokio::test]
async fn a_user_and_an_address_have_so_many_games_with_bots_and_no_more() {
    let server = occupied_server(|config| {
        config.limits = true;
        config.tables.bot_games_per_user = 2;
        config.tables.bot_games_per_address = 4;
    })
    .await;
    let greedy = registered(&server).await;
    let body = against("master", json!({}));
    let first = new_game(&greedy, &body).await;
    let made = futures_util::future::join_all((0..5).map(|_| greedy.post("/api/games", &body)));
    let made = made.await.into_iter().filter(|answer| answer.status.is_success()).count();
    assert_eq!(made, 1, "also if they are asked for at the same time");
    let refused = greedy.post("/api/games", &body).await;
    assert!(refused.text.contains("you have 2 games with bots"), "{}", refused.text);
    assert_eq!(refused.refused(409), "conflict");
    // Games without bots are not counted, and joining one with a bot is.
    let people = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]});
    new_game(&greedy, &people).await;
    let guest = server.guest().await;
    let mixed = json!({"game": "carcassonne",
        "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "master"}]});
    let mixed = new_game(&guest, &mixed).await;
    let join = greedy.post(&format!("/api/games/{mixed}/join"), &json!({})).await;
    assert_eq!(join.refused(409), "conflict");
    // Guests are free, so the address is counted too: the bots' own game, two, and the mixed one.
    let another = server.guest().await;
    let refused = another.post("/api/games", &body).await;
    assert!(refused.text.contains("4 games against bots are going on"), "{}", refused.text);
    assert_eq!(refused.refused(409), "conflict");
    greedy.post(&format!("/api/games/{first}/resign"), &json!({})).await.ok();
    new_game(&another, &body).await;
}

#[tokio::test]
async fn a_rated_game_against_a_bot_needs_a_clock_that_its_nodes_fit() {
    let server = quick_server().await;
    let host = registered(&server).await;
    let clock = |initial_ms: u64| {
        let clock = json!({"kind": "game", "initial_ms": initial_ms, "increment_ms": 0});
        against("master", json!({"rated": true, "clock": clock}))
    };
    assert_eq!(host.post("/api/games", &clock(3000)).await.refused(400), "bad_request");
    new_game(&host, &clock(4000)).await;
}
