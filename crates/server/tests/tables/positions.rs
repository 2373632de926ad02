//! Games that begin with a position of a record: what was played before stands, the rest of the bag is
//! shuffled anew, and nothing of it counts.

use crate::common::{Client, Server};
use crate::support::{
    game_for_two, new_game, play_turns, quick_server, registered, server_with, state, until,
    until_over,
};
use carcassonne::Carcassonne;
use game::{Game as _, Random};
use serde_json::{Value, json};
use std::time::Duration;

/// A game of two people, some turns long, and its record. The seed is given: a tile that fits nowhere
/// would be drawn once more, and the plies would not be those that the tests count.
async fn record_of(server: &Server, turns: usize) -> String {
    let (host, other, id) = game_for_two(server, json!({"seed": "0".repeat(64)})).await;
    play_turns(&[&host, &other], &id, turns, &mut Random::new(7)).await;
    host.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    host.get(&format!("/api/games/{id}/record")).await.ok().text
}

fn moves_of(record: &str) -> Vec<String> {
    let lines = record.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.flat_map(|line| line.split(';').map(|one| one.trim().to_owned())).collect()
}

fn against_a_bot(record: &str, ply: usize) -> Value {
    json!({
        "game": "carcassonne",
        "seats": [{"kind": "me"}, {"kind": "bot", "bot": "shepherd"}],
        "shuffle_seats": false,
        "from": {"record": record, "ply": ply},
    })
}

async fn record(client: &Client, id: &str) -> Vec<String> {
    moves_of(&client.get(&format!("/api/games/{id}/record")).await.ok().text)
}

/// Plays a turn against a bot once it has answered; false when the game is over.
async fn own_turn(client: &Client, id: &str, random: &mut Random) -> bool {
    let ready = |now: &Value| now["info"]["status"] == "over" || now["update"]["legal"].is_array();
    let plays = until(client, id, ready).await["info"]["status"] == "playing";
    if plays {
        play_turns(&[client], id, 1, random).await;
    }
    plays
}

/// Everything that is drawn in a whole game of two, in the order of the names.
fn bag() -> Vec<String> {
    let game = Carcassonne::new(&"players=2".parse().unwrap());
    let mut outcomes = Vec::new();
    game.moves(&mut outcomes);
    let copies = |m: &carcassonne::Move| vec![m.to_string(); game.odds(*m) as usize];
    let mut all: Vec<String> = outcomes.iter().flat_map(copies).collect();
    all.sort();
    all
}

#[tokio::test]
async fn a_game_goes_on_from_a_position_to_its_end_with_what_is_left_in_the_bag() {
    let server = quick_server().await;
    let text = record_of(&server, 6).await;
    let moves = moves_of(&text);
    let ada = registered(&server).await;
    // Six turns are eighteen plies; the nineteenth is the tile in hand.
    let id = new_game(&ada, &against_a_bot(&text, 19)).await;
    let now = state(&ada, &id).await;
    assert_eq!(now["info"]["from_ply"], 19);
    assert_eq!((&now["info"]["rated"], &now["info"]["status"]), (&json!(false), &json!("playing")));
    assert_eq!(now["update"]["ply"], 19);
    assert_eq!(now["update"]["view"]["current_tile"].as_str().unwrap(), moves[18]);
    let nothing = ada.post(&format!("/api/games/{id}/takeback"), &json!({"accept": true})).await;
    assert!(nothing.text.contains("you have not moved yet"), "{}", nothing.text);
    nothing.refused(409);

    let mut random = Random::new(3);
    for _ in 0..2 {
        own_turn(&ada, &id, &mut random).await;
    }
    let played = record(&ada, &id).await;
    assert_eq!(played[..19], moves[..19], "what was given stands");
    // The log rebuilds it: moves, draws to come, and that it began with a position.
    let before = until(&ada, &id, |now| now["update"]["legal"].is_array()).await;
    let server = server.restart().await;
    let ada = ada.moved_to(server.address);
    let after = state(&ada, &id).await;
    assert_eq!(after["info"]["from_ply"], 19);
    assert_eq!(after["update"]["view"], before["update"]["view"]);
    while own_turn(&ada, &id, &mut random).await {}
    let over = until_over(&ada, &id).await;
    assert_eq!(over["info"]["result"]["reason"], "normal");
    let all = ada.get(&format!("/api/games/{id}/replay")).await.value()["plies"].clone();
    let drawn = all.as_array().unwrap().iter().skip(1).filter(|ply| ply["seat"].is_null());
    let mut drawn: Vec<_> = drawn.map(|ply| ply["move"].as_str().unwrap().to_owned()).collect();
    drawn.sort();
    assert_eq!(drawn, bag(), "every tile was drawn once");

    let replay = ada.get(&format!("/api/games/{id}/replay?ply=19")).await.value();
    assert_eq!(replay["view"]["current_tile"].as_str().unwrap(), moves[18]);
    let fair = ada.get(&format!("/api/games/{id}/fairness")).await;
    assert!(fair.text.contains("began with a position"), "{}", fair.text);
    fair.refused(409);
    let listed = ada.get("/api/games").await.value();
    assert_eq!(listed["games"][0]["info"]["from_ply"], 19);
    server.stop().await;
}

#[tokio::test]
async fn it_sleeps_and_wakes_as_it_was_and_counts_for_nothing() {
    let server = server_with(|settings| settings.idle = Duration::from_millis(200)).await;
    let text = record_of(&server, 4).await;
    let (ada, bob) = (registered(&server).await, server.guest().await);
    let mut asked = against_a_bot(&text, 12);
    asked["seats"][1] = json!({"kind": "open"});
    let id = new_game(&ada, &asked).await;
    let waiting = state(&ada, &id).await;
    assert_eq!(
        (&waiting["info"]["status"], &waiting["update"]["ply"]),
        (&json!("waiting"), &json!(12))
    );
    bob.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    let begun = state(&ada, &id).await;
    assert_eq!(begun["update"]["ply"], 13, "the next tile is drawn when the game begins");
    for _ in 0..600 {
        if server.app.tables.open_tables() == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(server.app.tables.open_tables(), 0);
    let listed = ada.get("/api/lobby/mine").await.value();
    assert_eq!(listed["games"][0]["info"]["from_ply"], 12);
    let woken = state(&ada, &id).await;
    assert_eq!(woken["update"]["view"], begun["update"]["view"]);
    // Whoever looks at the game that the position is of is not taken for a cheat.
    let thought = json!({"record": text, "ply": 13, "nodes": 10});
    server.guest().await.post("/api/analyse", &thought).await.ok();
    ada.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    until_over(&ada, &id).await;
    let name = ada.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let profile = ada.get(&format!("/api/users/{name}")).await.value();
    assert_eq!((&profile["games"], &profile["balance"]["lost"]), (&json!(0), &json!(0)));
    server.stop().await;
}

#[tokio::test]
async fn what_cannot_be_played_on_from_is_refused_with_what_can() {
    let server = quick_server().await;
    let ada = registered(&server).await;
    let short = "carcassonne players=2 board=1x1";
    let record = "carcassonne players=2\nU; 1,0 r0; road0\nE; 0,1 r2; city0";
    let with = |more: Value| {
        let mut asked = against_a_bot(record, 3);
        for (key, value) in more.as_object().unwrap() {
            asked[key] = value.clone();
        }
        asked
    };
    let from = |record: &str, ply: usize| with(json!({"from": {"record": record, "ply": ply}}));
    let clock = json!({"kind": "move", "per_move_ms": 60_000});
    let me = json!({"kind": "me"});
    for (asked, status, word) in [
        (from(record, 7), 400, "the record has 6 plies"),
        (from("", 0), 400, "a record begins with"),
        (from("chess\ne4", 1), 400, "a record begins with"),
        (from("carcassonne players=2\nU; 9,9 r0", 2), 422, "ply 2"),
        (from("carcassonne players=2\nU; U; U", 1), 422, "ply 2"),
        (from("carcassonne players=9", 0), 422, "players"),
        (from(&"x".repeat(300_000), 0), 413, "larger than 262144 bytes"),
        (from(&format!("{short}\n{}", "D; ".repeat(90)), 9), 422, "ply"),
        (from("tinytown 3x3\nbrick 0,0", 1), 400, "the record is of tinytown"),
        (with(json!({"seats": [me, me, me]})), 400, "the record is of a game for 2"),
        (with(json!({"options": {"farmers": false}})), 400, "leave 'options' out, or give {"),
        (with(json!({"rated": true, "clock": clock})), 400, "is not rated"),
        (with(json!({"seed": "0".repeat(64)})), 400, "draws its own seed"),
        (with(json!({"from": {"record": record, "ply": -1}})), 400, "from.ply"),
        (with(json!({"from": {"record": record, "until": 1}})), 400, "until"),
    ] {
        let answer = ada.post("/api/games", &asked).await;
        assert!(answer.text.contains(word), "{word}: {} {}", answer.status, answer.text);
        assert_eq!(answer.status.as_u16(), status, "{word}: {}", answer.text);
    }
    // What agrees with the record may be said again; without a ply all of it stands.
    let agreed = with(json!({"options": {"farmers": true}, "from": {"record": record}}));
    let id = new_game(&ada, &agreed).await;
    assert_eq!(state(&ada, &id).await["info"]["from_ply"], 6);
    server.stop().await;
}

#[tokio::test]
async fn a_finished_game_is_no_position_to_play_on_from() {
    let server = quick_server().await;
    let ada = registered(&server).await;
    let seats = json!([{"kind": "bot", "bot": "shepherd"}, {"kind": "bot", "bot": "shepherd"}]);
    let small = json!({"game": "carcassonne", "seats": seats, "options": {"board": "3x3"}});
    let id = new_game(&ada, &small).await;
    until_over(&ada, &id).await;
    let text = ada.get(&format!("/api/games/{id}/record")).await.ok().text;
    let last = moves_of(&text).len();
    let over = ada.post("/api/games", &against_a_bot(&text, last)).await;
    assert!(over.text.contains("the game is over: play on from an earlier one"), "{}", over.text);
    over.refused(400);
    // Later the board may be full already, while tiles are still drawn in vain.
    let earlier = new_game(&ada, &against_a_bot(&text, 3)).await;
    assert_eq!(state(&ada, &earlier).await["info"]["from_ply"], 3);
    server.stop().await;
}
