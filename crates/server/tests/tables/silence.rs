//! Players who do not move: after a time that everybody sees, who waits takes the win or calls the
//! game off.

use crate::common::{Client, Server};
use crate::support::*;
use game::Random;
use serde_json::{Value, json};
use std::time::Duration;

async fn impatient_server(silent_ms: u64, absent_ms: u64) -> Server {
    server_with(|settings| {
        settings.claim_silent = Duration::from_millis(silent_ms);
        settings.claim_absent = Duration::from_millis(absent_ms);
    })
    .await
}

async fn claim(client: &Client, id: &str, win: bool) -> crate::common::Answer {
    client.post(&format!("/api/games/{id}/claim"), &json!({"win": win})).await
}

/// Takes messages until the seat's silence may be claimed.
async fn until_claimable(waits: &mut SocketPlayer, seat: usize) {
    while waits.info["seats"][seat]["claim_in_ms"] != 0 {
        waits.next_of("info").await;
    }
}

#[tokio::test]
async fn who_waits_for_a_silent_player_takes_the_win() {
    let server = impatient_server(10_000, 10_000).await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let _silent = SocketPlayer::sit(&host, &id).await;
    let mut waits = SocketPlayer::sit(&other, &id).await;
    let early = claim(&other, &id, true).await;
    assert!(early.text.contains(" s"), "it says how long: {}", early.text);
    assert_eq!(early.refused(409), "conflict");
    // The time is told before it is over.
    let mut seen: Vec<Value> = Vec::new();
    while waits.info["seats"][0]["claim_in_ms"] != 0 {
        waits.next_of("info").await;
        seen.push(waits.info["seats"][0]["claim_in_ms"].clone());
    }
    assert!(seen.iter().any(|left| left.as_u64() > Some(0)), "{seen:?}");
    assert_eq!(waits.info["seats"][1]["claim_in_ms"], Value::Null);
    assert_eq!(claim(&host, &id, true).await.refused(409), "conflict", "not against oneself");
    let stranger = server.guest().await;
    assert_eq!(claim(&stranger, &id, true).await.refused(403), "forbidden");
    let answer = waits.ask(&json!({"type": "claim", "id": 7, "win": true})).await;
    assert_eq!(answer["type"], "done", "{answer}");
    let info = state(&host, &id).await["info"].clone();
    assert_eq!(info["result"]["reason"], "time");
    assert_eq!(info["result"]["winners"], json!([1]));
    assert_eq!(info["seats"][0]["out"], "time");
}

#[tokio::test]
async fn or_calls_the_game_off() {
    let server = impatient_server(500, 500).await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    play_turns(&[&host, &other], &id, 4, &mut Random::new(1)).await;
    let mut waits = SocketPlayer::sit(&other, &id).await;
    let _silent = SocketPlayer::sit(&host, &id).await;
    until_claimable(&mut waits, 0).await;
    claim(&other, &id, false).await.ok();
    let info = state(&host, &id).await["info"].clone();
    assert_eq!((&info["status"], &info["result"]["reason"]), (&json!("over"), &json!("abort")));
}

#[tokio::test]
async fn a_move_ends_the_silence() {
    let server = impatient_server(500, 500).await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let _silent = SocketPlayer::sit(&host, &id).await;
    let mut waits = SocketPlayer::sit(&other, &id).await;
    until_claimable(&mut waits, 0).await;
    play_turn(&[&host], &id, &mut Random::new(2)).await;
    assert_eq!(state(&other, &id).await["info"]["seats"][0]["claim_in_ms"], Value::Null);
    assert_eq!(claim(&other, &id, true).await.refused(409), "conflict");
}

#[tokio::test]
async fn somebody_absent_is_waited_for_less_long_even_while_the_rule_plays_for_them() {
    let server = server_with(|settings| {
        settings.away = Duration::from_millis(300);
        settings.claim_absent = Duration::from_millis(1500);
    })
    .await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    // The host never connects: the rule plays, and the other moves on.
    let mut waits = SocketPlayer::sit(&other, &id).await;
    while !waits.to_move() {
        waits.next().await;
    }
    until_claimable(&mut waits, 0).await;
    claim(&other, &id, true).await.ok();
    assert_eq!(state(&host, &id).await["info"]["result"]["winners"], json!([1]));
}

#[tokio::test]
async fn a_rated_game_without_a_clock_from_before_ends_and_analysis_is_open_meanwhile() {
    let server = impatient_server(500, 500).await;
    let (host, other, id) = rated_game(&server, json!({})).await;
    play_turns(&[&host, &other], &id, 6, &mut Random::new(3)).await;
    let sql = "UPDATE games SET clock = '{\"kind\":\"none\"}' WHERE id = $1";
    sqlx::query(sql).bind(&id).execute(&server.app.db.pool).await.unwrap();
    let server = server.restart().await;
    let (host, other) = (host.moved_to(server.address), other.moved_to(server.address));
    // Whoever is kept waiting may ask about other games.
    let another = json!({"record": "carcassonne\nU; 1,0 r0; road0; E", "time_ms": 10});
    other.post("/api/analyse", &another).await.ok();
    let mut waits = SocketPlayer::sit(&other, &id).await;
    let _silent = SocketPlayer::sit(&host, &id).await;
    until_claimable(&mut waits, 0).await;
    claim(&other, &id, true).await.ok();
    let info = state(&other, &id).await["info"].clone();
    assert!(info["seats"][1]["rating_change"].as_f64() > Some(0.0), "{info}");
}

#[tokio::test]
async fn a_game_of_days_is_not_lost_by_closing_the_page() {
    let server = server_with(|settings| settings.away = Duration::from_millis(200)).await;
    let day = json!({"clock": {"kind": "move", "per_move_ms": 86_400_000}});
    let (host, other, id) = rated_game(&server, day).await;
    let _waits = SocketPlayer::sit(&other, &id).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(state(&host, &id).await["info"]["status"], "playing");
}
