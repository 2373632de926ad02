//! Engine help: none on the board of people who play people, unless all of them allow it.

use crate::common::{Client, Server};
use crate::support::*;
use game::Random;
use serde_json::{Value, json};

/// What a private window would send: the record of a game as everybody can see it.
async fn question(server: &Server, id: &str) -> Value {
    let shown: Value = server.client().get(&format!("/api/games/{id}/replay")).await.value();
    let setup = shown["setup"].as_str().unwrap();
    let plies = shown["plies"].as_array().unwrap().iter();
    let moves: Vec<&str> = plies.map(|ply| ply["move"].as_str().unwrap()).collect();
    json!({"record": format!("carcassonne {setup}\n{}", moves.join("\n")), "time_ms": 10})
}

async fn help(client: &Client, id: &str, accept: bool) {
    client.post(&format!("/api/games/{id}/help"), &json!({"accept": accept})).await.ok();
}

#[tokio::test]
async fn a_private_window_gets_no_help_on_a_casual_game_of_two_people() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    play_turns(&[&host, &other], &id, 5, &mut Random::new(5)).await;
    assert_eq!(state(&host, &id).await["info"]["help_allowed"], false);
    let asked = question(&server, &id).await;
    let (window, third) = (server.client(), server.guest().await);
    for asker in [&window, &third, &host, &other] {
        assert_eq!(asker.post("/api/analyse", &asked).await.refused(403), "forbidden");
        let thoughts = asker.get(&format!("/api/games/{id}/thoughts?time_ms=10")).await;
        assert_eq!(thoughts.refused(403), "forbidden");
    }
    assert_eq!(
        third.post(&format!("/api/games/{id}/hint"), &json!({})).await.refused(403),
        "forbidden"
    );
    // Not by taking it in as a game of one's own either.
    let taken = third.post("/api/import", &json!({"record": asked["record"]})).await.value();
    let path = format!("/api/games/{}/thoughts?time_ms=10", taken["id"].as_str().unwrap());
    assert_eq!(third.get(&path).await.refused(403), "forbidden");
    // Nor by letting a bot play on from there.
    let play_on = json!({"game": "carcassonne", "shuffle_seats": false,
        "seats": [{"kind": "bot", "bot": "shepherd"}, {"kind": "me"}],
        "from": {"record": asked["record"]}});
    for asker in [&third, &host] {
        assert_eq!(asker.post("/api/games", &play_on).await.refused(403), "forbidden");
    }
    // Other games may be asked about, by the players too; this one when it is over.
    let another = json!({"record": "carcassonne\nU; 1,0 r0; road0; E", "time_ms": 10});
    host.post("/api/analyse", &another).await.ok();
    host.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    window.post("/api/analyse", &asked).await.ok();
    third.get(&path).await.ok();
    assert_eq!(third.post("/api/games", &play_on).await.status, 201);
}

#[tokio::test]
async fn help_that_was_agreed_on_when_the_game_was_made_is_open_to_all() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({"help": true})).await;
    play_turns(&[&host, &other], &id, 3, &mut Random::new(6)).await;
    let info = state(&other, &id).await["info"].clone();
    assert_eq!((&info["help_agreed"], &info["help_allowed"]), (&json!(true), &json!(true)));
    let asked = question(&server, &id).await;
    for asker in [&server.client(), &host, &other] {
        asker.post("/api/analyse", &asked).await.ok();
    }
    host.post(&format!("/api/games/{id}/hint"), &json!({})).await.ok();
    // It stays so after a restart, until one of them wants it no more.
    let server = server.restart().await;
    let (host, other) = (host.moved_to(server.address), other.moved_to(server.address));
    host.post("/api/analyse", &asked).await.ok();
    help(&other, &id, false).await;
    assert_eq!(host.post("/api/analyse", &asked).await.refused(403), "forbidden");
    let rated = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}],
        "rated": true, "help": true, "clock": {"kind": "move", "per_move_ms": 60_000}});
    let refused = registered(&server).await.post("/api/games", &rated).await;
    assert_eq!(refused.refused(400), "bad_request");
}

#[tokio::test]
async fn help_is_allowed_once_every_player_says_so() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    play_turns(&[&host, &other], &id, 3, &mut Random::new(7)).await;
    let asked = question(&server, &id).await;
    let window = server.client();
    help(&host, &id, true).await;
    assert_eq!(state(&other, &id).await["info"]["offers"]["help"], json!([0]));
    assert_eq!(window.post("/api/analyse", &asked).await.refused(403), "forbidden");
    let stranger = server.guest().await;
    let meddled = stranger.post(&format!("/api/games/{id}/help"), &json!({"accept": true})).await;
    assert_eq!(meddled.refused(403), "forbidden");
    help(&other, &id, true).await;
    let info = state(&window, &id).await["info"].clone();
    assert_eq!((&info["help_agreed"], &info["offers"]["help"]), (&json!(true), &json!([])));
    window.post("/api/analyse", &asked).await.ok();
    let (host, _, id) = rated_game(&server, json!({})).await;
    let offered = host.post(&format!("/api/games/{id}/help"), &json!({"accept": true})).await;
    assert_eq!(offered.refused(409), "conflict");
}

#[tokio::test]
async fn one_person_against_bots_keeps_the_hints() {
    let server = quick_server().await;
    let host = server.guest().await;
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "shepherd"}]);
    let body = json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false});
    let id = new_game(&host, &body).await;
    assert_eq!(state(&host, &id).await["info"]["help_allowed"], true);
    host.post(&format!("/api/games/{id}/hint"), &json!({})).await.ok();
}
