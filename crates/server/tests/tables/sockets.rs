//! Whole games over sockets; reconnecting, resending, stale versions.

use crate::support::*;
use game::Random;
use serde_json::{Value, json};

/// Plays to the end, each player at a socket of their own.
async fn play_out(players: &mut [SocketPlayer], random: &mut Random) {
    while !players[0].is_over() {
        let mover = players.iter().position(SocketPlayer::to_move).expect("somebody is to move");
        let (version, turn) = (players[mover].version(), pick_turn(&players[mover].update, random));
        let answer = players[mover].play(version, &turn).await;
        assert_eq!(answer["type"], "done", "{answer}");
        let now = answer["played"]["version"].as_u64().unwrap();
        for player in &mut *players {
            while player.version() < now {
                player.next().await;
            }
        }
    }
}

#[tokio::test]
async fn two_people_play_a_whole_game_over_sockets_and_a_spectator_sees_it_all() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let mut players =
        vec![SocketPlayer::sit(&host, &id).await, SocketPlayer::sit(&other, &id).await];
    let mut watcher = SocketPlayer::sit(&server.client(), &id).await;
    assert_eq!(watcher.update["seats"], json!([]));
    play_out(&mut players, &mut Random::new(1)).await;
    while !watcher.is_over() {
        watcher.next().await;
        assert_eq!(watcher.update["legal"], Value::Null, "what is legal is the mover's alone");
    }
    assert_eq!(watcher.update["view"], players[0].update["view"]);
    assert_eq!(watcher.update["view"]["tiles_remaining"], 0);
    let result = &watcher.update["result"];
    assert_eq!(result["reason"], "normal");
    assert_eq!(result["scores"], watcher.update["view"]["scores"]);
    let info = watcher.next_of("info").await["info"].clone();
    assert_eq!(info["status"], "over");
}

#[tokio::test]
async fn three_people_and_three_bots_finish_a_game() {
    let server = quick_server().await;
    let host = server.guest().await;
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "shepherd"}, {"kind": "open"},
        {"kind": "bot", "bot": "shepherd"}, {"kind": "open"}, {"kind": "bot", "bot": "abbess"}]);
    let id = new_game(&host, &json!({"game": "carcassonne", "seats": seats})).await;
    let others = [server.guest().await, server.guest().await];
    for other in &others {
        other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    }
    let people = [host, others[0].clone(), others[1].clone()];
    let mut tasks = Vec::new();
    for (number, client) in people.into_iter().enumerate() {
        let id = id.clone();
        tasks.push(tokio::spawn(async move {
            let mut player = SocketPlayer::sit(&client, &id).await;
            let mut random = Random::new(number as u64);
            while !player.is_over() {
                if player.to_move() {
                    let (version, turn) =
                        (player.version(), pick_turn(&player.update, &mut random));
                    assert_eq!(player.play(version, &turn).await["type"], "done");
                } else {
                    player.next().await;
                }
            }
            player.update["result"].clone()
        }));
    }
    for task in tasks {
        let result = task.await.unwrap();
        assert_eq!(result["places"].as_array().unwrap().len(), 6);
        assert_eq!(result["reason"], "normal");
    }
}

#[tokio::test]
async fn who_comes_back_gets_what_was_missed() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let mut random = Random::new(3);
    let mut watcher = SocketPlayer::sit(&other, &id).await;
    let seen = watcher.version();
    let mut told = Vec::new();
    for _ in 0..3 {
        play_turn(&[&host, &other], &id, &mut random).await;
        watcher.next_of("update").await;
        told.extend(watcher.update["events"].as_array().unwrap().clone());
    }
    let back = SocketPlayer::sit_from(&other, &id, Some(seen)).await;
    assert_eq!(back.update["version"], watcher.update["version"]);
    assert_eq!(back.update["events"], json!(told), "all events since the version last seen");
    assert_eq!(back.update["view"], watcher.update["view"]);
    // Too far back, or from a version that never was: the whole state, without events.
    play_turns(&[&host, &other], &id, 30, &mut random).await;
    for from in [seen, 1_000_000] {
        let back = SocketPlayer::sit_from(&other, &id, Some(from)).await;
        assert_eq!(back.update["events"], json!([]));
        assert_eq!(back.update["view"]["board"]["tiles"].as_object().unwrap().len(), 34);
    }
    // The same after a restart: the log knows.
    let seen = watcher.version();
    let server = server.restart().await;
    let other = same_client(&server, &other);
    let again = SocketPlayer::sit_from(&other, &id, None).await;
    assert!(again.version() > seen);
    assert_eq!(again.update["seats"], json!([1]));
}

/// The same person at a server that has another address now.
fn same_client(
    server: &crate::common::Server,
    client: &crate::common::Client,
) -> crate::common::Client {
    client.moved_to(server.address)
}

#[tokio::test]
async fn a_move_sent_twice_is_one_move() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let mut player = SocketPlayer::sit(&host, &id).await;
    let (version, turn) = (player.version(), pick_turn(&player.update, &mut Random::new(4)));
    let message = json!({"type": "play", "id": 7, "version": version, "moves": turn});
    let first = player.ask(&message).await;
    assert_eq!(first["type"], "done");
    // Draw, tile, meeple, draw; more only if a tile fitted nowhere and another was drawn.
    let ply = state(&other, &id).await["update"]["ply"].as_u64().expect("a number");
    assert!(ply >= 4, "{ply}");
    let again = player.ask(&message).await;
    assert_eq!(again, first, "the same answer");
    // The acknowledgement was lost with the connection: the same moves for the same version.
    let mut back = SocketPlayer::sit(&host, &id).await;
    let lost = back.ask(&json!({"type": "play", "id": 8, "version": version, "moves": turn})).await;
    assert_eq!(lost["type"], "done");
    assert_eq!(lost["played"]["version"], first["played"]["version"]);
    assert_eq!(state(&other, &id).await["update"]["ply"], ply, "nothing was played again");
    // Other moves for that version are stale.
    let stale = back.play(version, &["99,99 r0".to_owned()]).await;
    assert_eq!(stale["problem"]["code"], "stale_version");
    let future = back.play(version + 100, &turn).await;
    assert_eq!(future["problem"]["code"], "stale_version");
    assert_eq!(state(&other, &id).await["update"]["ply"], 4);
}

#[tokio::test]
async fn a_second_tab_changes_nothing() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let first = SocketPlayer::sit(&host, &id).await;
    let second = SocketPlayer::sit(&host, &id).await;
    let mut watching = SocketPlayer::sit(&other, &id).await;
    drop(second);
    watching.next_of("info").await;
    let seats = &state(&other, &id).await["info"]["seats"];
    assert_eq!(seats[0]["online"], true, "the first tab is still open");
    assert_eq!(seats[0]["leaves_in_ms"], Value::Null);
    drop(first);
    let gone = until(&other, &id, |state| state["info"]["seats"][0]["online"] == false).await;
    assert!(gone["info"]["seats"][0]["leaves_in_ms"].as_u64().unwrap() > 60_000, "a countdown");
    let _back = SocketPlayer::sit(&host, &id).await;
    until(&other, &id, |state| state["info"]["seats"][0]["leaves_in_ms"].is_null()).await;
}
