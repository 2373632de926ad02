//! What lists show: games that are really being played, and games by correspondence, which wait.

use crate::support::*;
use game::Random;
use serde_json::{Value, json};
use std::time::Duration;

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|game| game["info"]["id"].as_str().unwrap()).collect()
}

/// Sets back when a game began, as if that were long ago.
async fn age(server: &crate::common::Server, id: &str) {
    let sql = "UPDATE games SET created = created - 3600000, started = started - 3600000 \
               WHERE id = $1";
    sqlx::query(sql).bind(id).execute(&server.app.db.pool).await.unwrap();
}

#[tokio::test]
async fn a_game_that_everybody_left_is_not_being_played() {
    let server = quick_server().await;
    let (host, other, left) = game_for_two(&server, json!({})).await;
    play_turn(&[&host, &other], &left, &mut Random::new(1)).await;
    let lobby = server.client().get("/api/lobby").await.value();
    assert_eq!((ids(&lobby["playing"]), &lobby["games"]), (vec![left.as_str()], &json!(1)));
    // An hour later nobody has come back.
    age(&server, &left).await;
    let server = server.restart().await;
    let lobby = server.client().get("/api/lobby").await.value();
    assert_eq!((ids(&lobby["playing"]), &lobby["games"]), (vec![], &json!(0)));
    // Its players still find it, and with one of them it is being played again.
    let host = host.moved_to(server.address);
    assert_eq!(ids(&host.get("/api/lobby").await.value()["mine"]), [left.as_str()]);
    let _socket = SocketPlayer::sit(&host, &left).await;
    for _ in 0..100 {
        let lobby = server.client().get("/api/lobby").await.value();
        if ids(&lobby["playing"]) == [left.as_str()] {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("a game with a player at its table is not listed");
}

#[tokio::test]
async fn newer_games_that_everybody_left_do_not_hide_one_that_is_played() {
    let server = quick_server().await;
    let (host, _, id) = game_for_two(&server, json!({})).await;
    let _socket = SocketPlayer::sit(&host, &id).await;
    // A hundred games that began later and sleep.
    for number in 0..100 {
        let sql = "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
                   pass_and_play, host, seed, seed_given, commitment, created, started, sleep) \
                   SELECT 'asleep' || $1, game, setup, options, status, rated, visibility, clock, \
                   pass_and_play, host, seed, seed_given, commitment, created + 1, started, '{}' \
                   FROM games WHERE id = $2";
        let copy = sqlx::query(sql).bind(number.to_string()).bind(&id);
        copy.execute(&server.app.db.pool).await.unwrap();
    }
    // Another game has the lists read again.
    game_for_two(&server, json!({"visibility": "link"})).await;
    let lobby = server.client().get("/api/lobby").await.value();
    assert_eq!((ids(&lobby["playing"]), &lobby["games"]), (vec![id.as_str()], &json!(1)));
}

#[tokio::test]
async fn a_private_game_is_not_counted_among_those_to_watch() {
    let server = quick_server().await;
    game_for_two(&server, json!({"visibility": "link"})).await;
    let lobby = server.client().get("/api/lobby").await.value();
    assert_eq!((ids(&lobby["playing"]), &lobby["games"]), (vec![], &json!(0)));
}

#[tokio::test]
async fn by_correspondence_nobody_has_to_stay() {
    let server = server_with(|tables| tables.away = Duration::from_millis(100)).await;
    let daily = json!({"clock": {"kind": "move", "per_move_ms": 3 * 86_400_000}});
    let (host, other, id) = game_for_two(&server, daily).await;
    // Both have been here; the one to move goes, the other stays.
    let waits = SocketPlayer::sit(&other, &id).await;
    let moves = SocketPlayer::sit(&host, &id).await;
    drop(moves);
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let now = state(&host, &id).await;
    assert_eq!(now["update"]["version"], waits.update["version"], "nobody moved for them");
    assert_eq!(now["info"]["seats"][0]["leaves_in_ms"], Value::Null);
    let left = now["update"]["clocks"]["left_ms"][0].as_u64().unwrap();
    assert!(left > 2 * 86_400_000, "{left}");
}

#[tokio::test]
async fn a_table_by_correspondence_waits_longer_for_players() {
    let server = server_with(|tables| tables.waiting = Duration::from_millis(100)).await;
    let host = server.guest().await;
    let table = |clock: Value| json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": clock});
    let daily = table(json!({"kind": "move", "per_move_ms": 86_400_000}));
    let daily = new_game(&host, &daily).await;
    let quick = new_game(&host, &table(json!({"kind": "none"}))).await;
    until_over(&host, &quick).await;
    assert_eq!(state(&host, &daily).await["info"]["status"], "waiting");
}
