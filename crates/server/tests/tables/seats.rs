//! How games come about: any mix of seats, links, invitations, the lobby, rematches.

use crate::support::*;
use game::Random;
use serde_json::{Value, json};

fn bot(name: &str) -> Value {
    json!({"kind": "bot", "bot": name})
}

#[tokio::test]
async fn a_game_waits_in_the_lobby_until_its_seats_are_taken() {
    let server = quick_server().await;
    let (host, other, third) = (server.guest().await, server.guest().await, server.guest().await);
    let id = new_game(
        &host,
        &json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}],
            "nonce": "my share"}),
    )
    .await;
    let waiting = state(&host, &id).await;
    assert_eq!(waiting["info"]["status"], "waiting");
    assert_eq!(waiting["update"]["version"], 0);
    let commit = waiting["info"]["commit"].as_str().unwrap().to_owned();
    assert_eq!(commit.len(), 64, "published before the first draw");
    let play = host.post(&format!("/api/games/{id}/play"), &json!({"moves": ["0,1 r0"]})).await;
    assert_eq!(play.refused(409), "conflict");
    let lobby = other.get("/api/lobby").await.value();
    assert!(lobby["waiting"].as_array().unwrap().iter().any(|game| game["info"]["id"] == *id));
    let lobby = host.get("/api/lobby").await.value();
    assert!(lobby["mine"].as_array().unwrap().iter().any(|game| game["info"]["id"] == *id));

    other.post(&format!("/api/games/{id}/join"), &json!({"nonce": "another"})).await.ok();
    other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    let late = third.post(&format!("/api/games/{id}/join"), &json!({})).await;
    assert_eq!(late.refused(409), "conflict");
    let playing = state(&third, &id).await;
    assert_eq!(playing["info"]["status"], "playing");
    assert_eq!(playing["info"]["commit"], *commit);
    let lobby = third.get("/api/lobby").await.value();
    assert!(lobby["waiting"].as_array().unwrap().is_empty());
    assert!(lobby["playing"].as_array().unwrap().iter().any(|game| game["info"]["id"] == *id));
}

#[tokio::test]
async fn who_leaves_before_the_start_opens_the_seat_and_the_host_ends_the_game() {
    let server = quick_server().await;
    let (host, other) = (server.guest().await, server.guest().await);
    let seats = json!([{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]);
    let id = new_game(&host, &json!({"game": "carcassonne", "seats": seats})).await;
    let open = |state: &Value| {
        let seats = state["info"]["seats"].as_array().unwrap();
        seats.iter().filter(|seat| seat["sitter"]["kind"] == "open").count()
    };
    other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    assert_eq!(open(&state(&host, &id).await), 1);
    other.post(&format!("/api/games/{id}/leave"), &json!({})).await.ok();
    assert_eq!(open(&state(&host, &id).await), 2);
    assert_eq!(other.post(&format!("/api/games/{id}/abort"), &json!({})).await.refused(403), {
        "forbidden"
    });
    host.post(&format!("/api/games/{id}/leave"), &json!({})).await.ok();
    let over = state(&host, &id).await;
    assert_eq!(over["info"]["result"]["reason"], "abort");
    assert_eq!(over["info"]["result"]["winners"], json!([]));
}

#[tokio::test]
async fn an_invited_user_finds_the_seat_and_nobody_else_sees_a_private_game() {
    let server = quick_server().await;
    let (host, friend, stranger) =
        (server.guest().await, server.guest().await, server.guest().await);
    let name = friend.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let seats = json!([{"kind": "me"}, {"kind": "user", "name": name}]);
    let body = json!({"game": "carcassonne", "seats": seats, "visibility": "private"});
    let id = new_game(&host, &body).await;
    let lobby = friend.get("/api/lobby").await.value();
    assert_eq!(lobby["invitations"][0]["info"]["id"], *id);
    for path in ["", "/view?as=spectator", "/updates?from=0&wait=0"] {
        let path = format!("/api/games/{id}{path}");
        assert_eq!(stranger.get(&path).await.refused(404), "not_found");
    }
    assert!(stranger.try_socket(&format!("/api/games/{id}/socket"), &[]).await.is_err());
    let joined = stranger.post(&format!("/api/games/{id}/join"), &json!({})).await;
    assert_eq!(joined.refused(404), "not_found");
    friend.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    assert_eq!(state(&friend, &id).await["info"]["status"], "playing");

    // Declining opens the seat.
    let body = json!({"game": "carcassonne", "seats": seats, "visibility": "link"});
    let id = new_game(&host, &body).await;
    friend.post(&format!("/api/games/{id}/leave"), &json!({})).await.ok();
    stranger.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
}

#[tokio::test]
async fn what_cannot_be_is_refused_with_what_can() {
    let server = quick_server().await;
    let host = server.guest().await;
    let two = json!([{"kind": "me"}, {"kind": "open"}]);
    let cases = [
        (json!({"game": "chess", "seats": two}), 400, "carcassonne"),
        (json!({"game": "carcassonne", "seats": [{"kind": "me"}]}), 400, "2 to 6"),
        (json!({"game": "carcassonne", "seats": [{"kind": "me"}, bot("hal")]}), 400, "shepherd"),
        (
            json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "user", "name": "nobody-here"}]}),
            400,
            "nobody is called",
        ),
        (json!({"game": "carcassonne", "seats": two, "rated": true}), 403, "register"),
        (json!({"game": "carcassonne", "seats": two, "visibility": "private"}), 400, "open seats"),
        (json!({"game": "carcassonne", "seats": two, "seed": "abc"}), 400, "64"),
        (json!({"game": "carcassonne", "seats": two, "nonce": "x".repeat(65)}), 400, "64"),
        (
            json!({"game": "carcassonne", "seats": two, "clock": {"kind": "move", "per_move_ms": 1}}),
            400,
            "per_move_ms",
        ),
        (json!({"game": "carcassonne", "seats": two, "options": {"color": "red"}}), 400, "color"),
        (json!({"game": "carcassonne", "seats": two, "colour": "red"}), 400, "colour"),
    ];
    for (body, status, says) in cases {
        let answer = host.post("/api/games", &body).await;
        let text = answer.text.clone();
        answer.refused(status);
        assert!(text.contains(says), "{body}: {text}");
    }
    assert_eq!(server.client().post("/api/games", &json!({})).await.refused(401), "not_logged_in");
}

#[tokio::test]
async fn one_person_plays_all_seats_on_one_device_and_takes_back_at_will() {
    let server = quick_server().await;
    let host = server.guest().await;
    let seats = json!([{"kind": "me"}, {"kind": "me"}, {"kind": "me"}]);
    let id = new_game(&host, &json!({"game": "carcassonne", "seats": seats})).await;
    let before = state(&host, &id).await;
    assert_eq!(before["info"]["pass_and_play"], true);
    assert_eq!(before["update"]["seats"], json!([0, 1, 2]));
    let mut random = Random::new(8);
    play_turns(&[&host], &id, 3, &mut random).await;
    host.post(&format!("/api/games/{id}/takeback"), &json!({"accept": true})).await.ok();
    let after = state(&host, &id).await["update"].clone();
    assert_eq!(after["turn"], 2, "the last turn only");
    play_turns(&[&host], &id, 60, &mut random).await;
}

#[tokio::test]
async fn bots_alone_play_to_the_end_also_the_same_level_twice() {
    let server = quick_server().await;
    let host = server.guest().await;
    let seats = json!([bot("pilgrim"), bot("pilgrim"), bot("shepherd")]);
    let id = new_game(&host, &json!({"game": "carcassonne", "seats": seats})).await;
    let over = until_over(&host, &id).await;
    assert_eq!(over["info"]["result"]["reason"], "normal");
    assert_eq!(over["update"]["view"]["tiles_remaining"], 0);
}

#[tokio::test]
async fn a_given_seed_gives_the_same_draws_and_is_told() {
    let server = quick_server().await;
    let host = server.guest().await;
    let seed = "5a".repeat(32);
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let body = json!({"game": "carcassonne", "seats": seats, "seed": seed});
    let id = new_game(&host, &body).await;
    let shown = host.get(&format!("/api/games/{id}")).await;
    assert!(shown.text.contains("\"seed_given\":true"));
    assert!(!shown.text.contains(&seed), "it is not revealed before the end");
}

#[tokio::test]
async fn a_rematch_swaps_the_seats() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let early = host.post(&format!("/api/games/{id}/rematch"), &json!({"accept": true})).await;
    assert_eq!(early.refused(409), "conflict");
    host.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    host.post(&format!("/api/games/{id}/rematch"), &json!({"accept": true})).await.ok();
    assert_eq!(state(&other, &id).await["info"]["offers"]["rematch"], json!([0]));
    other.post(&format!("/api/games/{id}/rematch"), &json!({"accept": false})).await.ok();
    assert_eq!(state(&other, &id).await["info"]["rematch"], Value::Null);
    host.post(&format!("/api/games/{id}/rematch"), &json!({"accept": true})).await.ok();
    other.post(&format!("/api/games/{id}/rematch"), &json!({"accept": true})).await.ok();
    let info = state(&other, &id).await["info"].clone();
    let next = info["rematch"].as_str().expect("the rematch").to_owned();
    let rematch = state(&other, &next).await["info"].clone();
    assert_eq!(rematch["rematch_of"], *id);
    assert_eq!(rematch["status"], "playing");
    for seat in 0..2 {
        assert_eq!(
            rematch["seats"][seat]["sitter"]["user"],
            info["seats"][1 - seat]["sitter"]["user"]
        );
    }
    assert_ne!(rematch["commit"], info["commit"], "another deck");
}

#[tokio::test]
async fn tinytown_is_played_alone() {
    let server = quick_server().await;
    let host = server.guest().await;
    let body = json!({"game": "tinytown", "seats": [{"kind": "me"}]});
    let id = new_game(&host, &body).await;
    let mut random = Random::new(9);
    for _ in 0..500 {
        let now = state(&host, &id).await;
        if now["info"]["status"] == "over" {
            assert_eq!(now["info"]["result"]["reason"], "normal");
            return;
        }
        play_turn(&[&host], &id, &mut random).await;
    }
    panic!("the game never ends");
}
