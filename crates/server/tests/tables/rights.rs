//! Who may do what at a table: spectators, strangers at private tables, those who did not agree, those
//! who do not move.

use crate::common::{Client, Server};
use crate::support::*;
use game::Random;
use serde_json::{Value, json};

/// A game for three guests, on seats in this order.
async fn game_for_three(server: &Server, clock: Value) -> ([Client; 3], String) {
    let people = [server.guest().await, server.guest().await, server.guest().await];
    let seats = json!([{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]);
    let body =
        json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false, "clock": clock});
    let id = new_game(&people[0], &body).await;
    for other in &people[1..] {
        other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    }
    (people, id)
}

fn texts(state: &Value) -> Vec<&str> {
    let lines = state["chat"].as_array().expect("lines of chat");
    lines.iter().map(|line| line["text"].as_str().expect("a text")).collect()
}

#[tokio::test]
async fn a_spectator_does_not_chat_as_a_player() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let (watcher, second) = (server.guest().await, server.guest().await);
    let path = format!("/api/games/{id}/chat");
    watcher.post(&path, &json!({"text": "take the city"})).await.ok();
    host.post(&path, &json!({"text": "good luck"})).await.ok();
    for player in [&host, &other] {
        assert_eq!(texts(&state(player, &id).await), ["good luck"], "players read players only");
    }
    for spectator in [&watcher, &second] {
        let seen = state(spectator, &id).await;
        assert_eq!(texts(&seen), ["take the city"], "spectators read spectators only");
        assert_eq!(seen["chat"][0]["players"], false);
    }
    let server = server.restart().await;
    let again = state(&other.moved_to(server.address), &id).await;
    assert_eq!(texts(&again), ["good luck"], "it is stored so");
}

#[tokio::test]
async fn who_misses_two_turns_among_three_is_out() {
    let server = quick_server().await;
    let clock = json!({"kind": "move", "per_move_ms": 1000});
    let ([host, other, third], id) = game_for_three(&server, clock).await;
    // The host's first turn is played by the rule, the second one is one too many. The others move.
    let mut random = Random::new(7);
    let seen = loop {
        let seen = state(&host, &id).await;
        let host_is_out = !seen["info"]["seats"][0]["out"].is_null();
        if host_is_out || seen["update"]["ply"].as_u64() > Some(30) {
            break seen;
        }
        if seen["update"]["turn"] == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        } else {
            play_turn(&[&other, &third], &id, &mut random).await;
        }
    };
    assert_eq!(seen["info"]["seats"][0]["out"], "time", "{}", seen["info"]);
    assert_eq!(seen["info"]["status"], "playing", "the others play on");
}

#[tokio::test]
async fn a_takeback_waits_for_everybody_who_plays() {
    let server = quick_server().await;
    let ([host, other, third], id) = game_for_three(&server, json!({"kind": "none"})).await;
    let stranger = server.guest().await;
    play_turns(&[&host, &other, &third], &id, 3, &mut Random::new(8)).await;
    let path = format!("/api/games/{id}/takeback");
    let accept = json!({"accept": true});
    let before = state(&host, &id).await["update"]["view"].clone();
    // Asking twice is not the consent of another, and a spectator has none to give.
    host.post(&path, &accept).await.ok();
    host.post(&path, &accept).await.ok();
    assert_eq!(stranger.post(&path, &accept).await.refused(403), "forbidden");
    other.post(&path, &accept).await.ok();
    let now = state(&host, &id).await;
    assert_eq!(now["update"]["view"], before, "one has not agreed");
    assert_eq!(now["info"]["offers"]["takeback"], json!([0, 1]));
    third.post(&path, &json!({"accept": false})).await.ok();
    let now = state(&host, &id).await;
    assert_eq!((&now["update"]["view"], &now["info"]["offers"]["takeback"]), (&before, &json!([])));
    for player in [&host, &other, &third] {
        player.post(&path, &accept).await.ok();
    }
    assert_ne!(state(&host, &id).await["update"]["view"], before, "all have agreed");
}

#[tokio::test]
async fn a_stranger_does_nothing_at_a_private_table() {
    let server = quick_server().await;
    let (host, friend, stranger) =
        (server.guest().await, server.guest().await, server.guest().await);
    let name = friend.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let seats = json!([{"kind": "me"}, {"kind": "user", "name": name}]);
    let body = json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false,
        "visibility": "private"});
    let id = new_game(&host, &body).await;
    let accept = json!({"accept": true});
    let actions = [
        ("play", json!({"moves": ["pass"]})),
        ("join", json!({})),
        ("leave", json!({})),
        ("chat", json!({"text": "hello"})),
        ("resign", json!({})),
        ("draw", accept.clone()),
        ("takeback", accept.clone()),
        ("help", accept.clone()),
        ("rematch", accept.clone()),
        ("claim", json!({"win": true})),
        ("abort", json!({})),
        ("hint", json!({})),
    ];
    for begun in [false, true] {
        if begun {
            friend.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
            play_turn(&[&host, &friend], &id, &mut Random::new(9)).await;
        }
        let before = state(&host, &id).await;
        for (action, body) in &actions {
            let answer = stranger.post(&format!("/api/games/{id}/{action}"), body).await;
            assert_eq!(answer.refused(404), "not_found", "{action}, begun: {begun}");
        }
        let after = state(&host, &id).await;
        for part in ["/update/version", "/info/status", "/info/offers", "/chat"] {
            assert_eq!(after.pointer(part), before.pointer(part), "{part}");
        }
    }
}

#[tokio::test]
async fn a_guest_does_not_get_into_a_rated_game() {
    let server = quick_server().await;
    let (host, guest) = (registered(&server).await, server.guest().await);
    let name = guest.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let clock = json!({"kind": "move", "per_move_ms": 600_000});
    let rated = |seat: Value| {
        json!({"game": "carcassonne", "seats": [{"kind": "me"}, seat], "shuffle_seats": false,
            "rated": true, "clock": clock})
    };
    let own = guest.post("/api/games", &rated(json!({"kind": "bot", "bot": "shepherd"}))).await;
    assert_eq!(own.refused(403), "forbidden");
    let invited = host.post("/api/games", &rated(json!({"kind": "user", "name": name}))).await;
    assert_eq!(invited.refused(400), "bad_request");
    let id = new_game(&host, &rated(json!({"kind": "open"}))).await;
    let join = format!("/api/games/{id}/join");
    assert_eq!(guest.post(&join, &json!({})).await.refused(403), "forbidden");
    assert_eq!(state(&host, &id).await["info"]["seats"][1]["sitter"]["kind"], "open");
    // Who makes an account of the guest may.
    let credentials = json!({"name": "formerguest", "password": "a long password"});
    guest.post("/api/register", &credentials).await.ok();
    guest.post(&join, &json!({})).await.ok();
    assert_eq!(state(&host, &id).await["info"]["status"], "playing");
}
