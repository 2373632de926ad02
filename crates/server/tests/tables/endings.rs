//! How games end: resigning, draws, calling off, takebacks, clocks, players who leave.

use crate::support::*;
use game::Random;
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn resign_ends_a_game_for_two() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let stranger = server.guest().await;
    let path = format!("/api/games/{id}/resign");
    assert_eq!(stranger.post(&path, &json!({})).await.refused(403), "forbidden");
    other.post(&path, &json!({})).await.ok();
    let over = state(&host, &id).await;
    assert_eq!(over["info"]["status"], "over");
    let result = &over["info"]["result"];
    assert_eq!((&result["reason"], &result["winners"]), (&json!("resign"), &json!([0])));
    assert_eq!(result["places"], json!([1, 2]));
    assert_eq!(over["info"]["seats"][1]["out"], "resign");
    assert_eq!(host.post(&path, &json!({})).await.refused(409), "conflict");
    let play = host.post(&format!("/api/games/{id}/play"), &json!({"moves": ["0,1 r0"]})).await;
    assert_eq!(play.refused(409), "conflict");
}

#[tokio::test]
async fn among_three_who_resigns_is_played_on_and_comes_last() {
    let server = quick_server().await;
    let host = server.guest().await;
    let others = [server.guest().await, server.guest().await];
    let seats = json!([{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]);
    let body = json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false});
    let id = new_game(&host, &body).await;
    for other in &others {
        other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    }
    let mut random = Random::new(11);
    let all = [&host, &others[0], &others[1]];
    play_turns(&all, &id, 4, &mut random).await;
    others[0].post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    let now = state(&host, &id).await;
    assert_eq!(now["info"]["status"], "playing");
    assert_eq!(now["info"]["seats"][1]["out"], "resign");
    let back = others[0].post(&format!("/api/games/{id}/takeback"), &json!({"accept": true})).await;
    assert_eq!(back.refused(409), "conflict", "who gave up has no say");
    let rest = [&host, &others[1]];
    while state(&host, &id).await["info"]["status"] == "playing" {
        play_turn(&rest, &id, &mut random).await;
    }
    let over = state(&host, &id).await;
    let result = &over["info"]["result"];
    assert_eq!(result["reason"], "normal");
    assert_eq!(result["places"][1], 3, "{result}");
    assert!(!result["winners"].as_array().unwrap().contains(&json!(1)));
}

#[tokio::test]
async fn two_players_may_agree_on_a_draw() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let path = format!("/api/games/{id}/draw");
    host.post(&path, &json!({"accept": true})).await.ok();
    assert_eq!(state(&other, &id).await["info"]["offers"]["draw"], json!([0]));
    other.post(&path, &json!({"accept": false})).await.ok();
    assert_eq!(state(&other, &id).await["info"]["offers"]["draw"], json!([]));
    host.post(&path, &json!({"accept": true})).await.ok();
    play_turn(&[&host, &other], &id, &mut Random::new(1)).await;
    assert_eq!(state(&other, &id).await["info"]["offers"]["draw"], json!([]), "a move answers it");
    host.post(&path, &json!({"accept": true})).await.ok();
    host.post(&path, &json!({"accept": true})).await.ok();
    assert_eq!(state(&other, &id).await["info"]["status"], "playing", "not with oneself");
    other.post(&path, &json!({"accept": true})).await.ok();
    let result = &state(&host, &id).await["info"]["result"];
    assert_eq!((&result["reason"], &result["winners"]), (&json!("draw"), &json!([0, 1])));
}

#[tokio::test]
async fn a_game_is_called_off_before_its_second_turn_only() {
    let server = quick_server().await;
    let mut random = Random::new(2);
    for turns in 0..3 {
        let (host, other, id) = game_for_two(&server, json!({})).await;
        play_turns(&[&host, &other], &id, turns, &mut random).await;
        let called_off = other.post(&format!("/api/games/{id}/abort"), &json!({})).await;
        if turns < 2 {
            called_off.ok();
            assert_eq!(state(&host, &id).await["info"]["result"]["reason"], "abort");
        } else {
            assert_eq!(called_off.refused(409), "conflict");
            assert_eq!(state(&host, &id).await["info"]["status"], "playing");
        }
    }
}

#[tokio::test]
async fn a_takeback_needs_the_other_and_puts_the_tile_back_on_top() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let both = [&host, &other];
    let mut random = Random::new(3);
    let path = format!("/api/games/{id}/takeback");
    assert_eq!(host.post(&path, &json!({"accept": true})).await.refused(409), "conflict");
    play_turns(&both, &id, 2, &mut random).await;
    let before = state(&host, &id).await["update"].clone();
    play_turn(&both, &id, &mut random).await;
    let drawn = state(&host, &id).await["update"]["view"]["current_tile"].clone();
    host.post(&path, &json!({"accept": true})).await.ok();
    assert_eq!(state(&other, &id).await["info"]["offers"]["takeback"], json!([0]));
    other.post(&path, &json!({"accept": true})).await.ok();
    let after = state(&host, &id).await["update"].clone();
    assert_eq!(after["view"], before["view"], "as before the turn, the same tile in hand");
    assert_eq!(after["ply"], before["ply"]);
    assert!(after["version"].as_u64() > before["version"].as_u64(), "a change like any other");
    play_turn(&both, &id, &mut random).await;
    let again = state(&host, &id).await["update"]["view"]["current_tile"].clone();
    assert_eq!(again, drawn, "what was drawn since lay on top");
    // The log keeps it all: a restart gives the same game.
    let before = state(&host, &id).await["update"].clone();
    let server = server.restart().await;
    let after = state(&host.moved_to(server.address), &id).await["update"].clone();
    assert_eq!(after["view"], before["view"]);
    assert_eq!(after["version"], before["version"]);
}

#[tokio::test]
async fn bots_agree_to_a_takeback_and_take_no_draws() {
    let server = quick_server().await;
    let host = server.guest().await;
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "shepherd"}]);
    let body = json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false});
    let id = new_game(&host, &body).await;
    let before = state(&host, &id).await["update"].clone();
    play_turn(&[&host], &id, &mut Random::new(4)).await;
    until(&host, &id, |state| state["update"]["turn"] == 0).await;
    host.post(&format!("/api/games/{id}/takeback"), &json!({"accept": true})).await.ok();
    assert_eq!(state(&host, &id).await["update"]["view"], before["view"]);
    let draw = host.post(&format!("/api/games/{id}/draw"), &json!({"accept": true})).await;
    assert_eq!(draw.refused(409), "conflict");
}

#[tokio::test]
async fn a_clock_that_runs_out_lets_the_rule_play_in_casual_games() {
    let server = quick_server().await;
    let clock = json!({"clock": {"kind": "move", "per_move_ms": 1000}});
    let (host, _other, id) = game_for_two(&server, clock).await;
    let first = state(&host, &id).await;
    assert_eq!(first["update"]["clocks"]["running"], 0);
    let later = until(&host, &id, |state| state["update"]["ply"].as_u64() > Some(3)).await;
    assert_eq!(later["info"]["status"], "playing");
    assert_eq!(later["info"]["seats"][0]["out"], Value::Null);
    assert_eq!(later["update"]["view"]["meeples"], json!([]), "a placement and no meeple");
}

#[tokio::test]
async fn among_three_who_runs_out_of_time_is_out() {
    let server = quick_server().await;
    let host = server.guest().await;
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "shepherd"},
        {"kind": "bot", "bot": "shepherd"}]);
    let clock = json!({"kind": "game", "initial_ms": 1500, "increment_ms": 600});
    let body = json!({"game": "carcassonne", "seats": seats, "clock": clock});
    let id = new_game(&host, &body).await;
    let over = until_over(&host, &id).await;
    let info = &over["info"];
    let me = info["seats"].as_array().unwrap().iter().position(|s| s["sitter"]["kind"] == "user");
    assert_eq!(info["seats"][me.unwrap()]["out"], "time");
    assert_eq!(info["result"]["places"][me.unwrap()], 3, "{}", info["result"]);
}

#[tokio::test]
async fn for_a_player_who_left_the_rule_plays_while_the_other_waits() {
    let server = server_with(|settings| settings.away = Duration::from_millis(500)).await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let mut waits = SocketPlayer::sit(&other, &id).await;
    // The host never connects; the countdown is shown, then the rule plays.
    while !waits.to_move() {
        waits.next().await;
    }
    assert_eq!(waits.update["view"]["meeples"], json!([]));
    // Nobody waits for the other one while the host is away: nothing happens to them.
    drop(waits);
    until(&host, &id, |state| state["info"]["seats"][1]["online"] == false).await;
    let before = state(&host, &id).await["update"]["version"].clone();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(state(&host, &id).await["update"]["version"], before);
}

#[tokio::test]
async fn clocks_are_paused_while_the_server_is_down() {
    let server = quick_server().await;
    let clock = json!({"clock": {"kind": "game", "initial_ms": 600_000, "increment_ms": 0}});
    let (host, other, id) = game_for_two(&server, clock).await;
    play_turn(&[&host, &other], &id, &mut Random::new(5)).await;
    let before = state(&host, &id).await["update"]["clocks"].clone();
    let stopped = server.stop().await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let server = stopped.start().await;
    let after = state(&host.moved_to(server.address), &id).await["update"]["clocks"].clone();
    assert_eq!(after["running"], 1);
    let left = |clocks: &Value| clocks["left_ms"][1].as_u64().unwrap();
    assert!(left(&after) + 2_000 > left(&before), "{before} {after}");
}
