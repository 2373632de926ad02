//! Errors that other servers of this kind had, each as a test that bears its name.

use crate::support::*;
use game::Random;
use serde_json::{Value, json};

#[tokio::test]
async fn a_token_given_out_for_any_existing_name() {
    let server = quick_server().await;
    let victim = registered(&server).await;
    let name = victim.get("/api/me").await.value()["name"].clone();
    let thief = server.client();
    for body in [
        json!({"name": name}),
        json!({"name": name, "password": ""}),
        json!({"name": name, "password": "guessed wrong"}),
    ] {
        let answer = thief.post("/api/login", &body).await;
        assert!(answer.status.is_client_error(), "{}", answer.text);
        assert!(answer.headers.get("set-cookie").is_none());
    }
    assert_eq!(thief.post("/api/me/tokens", &json!({"label": "x"})).await.refused(401), {
        "not_logged_in"
    });
}

#[tokio::test]
async fn the_players_id_trusted_from_the_request_body() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let victim = user_id(&host).await;
    let legal = state(&host, &id).await["update"]["legal"][0]["move"].clone();
    let body = json!({"player_id": victim, "moves": [legal]});
    let forged = other.post(&format!("/api/games/{id}/play"), &body).await;
    assert_eq!(forged.refused(403), "forbidden");
    // Wherever it stands.
    let payload = json!({"x": 1, "y": 0, "rotation": 0, "player_id": victim});
    for body in [
        json!({"action_type": "place_tile", "payload": payload}),
        json!({"action": {"action_type": "place_tile", "payload": payload}}),
        json!({"action": {"action_type": "place_tile", "player_id": victim, "payload": {}}}),
    ] {
        let forged = other.post(&format!("/api/games/{id}/play"), &body).await;
        assert_eq!(forged.refused(403), "forbidden", "{body}");
    }
    assert_eq!(state(&host, &id).await["update"]["ply"], 1);
}

#[tokio::test]
async fn a_second_tabs_closing_marking_the_player_gone() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let _first = SocketPlayer::sit(&host, &id).await;
    let _waits = SocketPlayer::sit(&other, &id).await;
    drop(SocketPlayer::sit(&host, &id).await);
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    let seat = state(&other, &id).await["info"]["seats"][0].clone();
    assert_eq!((&seat["online"], &seat["leaves_in_ms"]), (&json!(true), &Value::Null));
}

#[tokio::test]
async fn two_bots_of_one_level_in_a_room_failing() {
    let server = quick_server().await;
    let host = server.guest().await;
    let bot = json!({"kind": "bot", "bot": "shepherd"});
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, bot, bot, bot]});
    let id = new_game(&host, &body).await;
    for _ in 0..3 {
        until(&host, &id, |state| state["update"]["legal"].is_array()).await;
        play_turn(&[&host], &id, &mut Random::new(1)).await;
    }
}

#[tokio::test]
async fn resign_accepted_and_ignored() {
    let server = quick_server().await;
    let host = server.guest().await;
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "shepherd"}]);
    let id = new_game(&host, &json!({"game": "carcassonne", "seats": seats})).await;
    host.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    let info = state(&host, &id).await["info"].clone();
    assert_eq!((&info["status"], &info["result"]["reason"]), (&json!("over"), &json!("resign")));
}

#[tokio::test]
async fn an_undrawn_tile_or_the_opponents_meeple_accepted() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let now = state(&host, &id).await["update"].clone();
    let tile = now["legal"][0]["move"].as_str().unwrap();
    let drawn = now["view"]["current_tile"].as_str().unwrap();
    let path = format!("/api/games/{id}/play");
    // A draw is nobody's move: not instead of the tile in hand, not before a placement.
    let another = if drawn == "B" { "C" } else { "B" };
    for moves in [json!([another]), json!([another, tile]), json!([drawn, tile])] {
        let body = json!({"version": now["version"], "moves": moves});
        assert_eq!(host.post(&path, &body).await.refused(422), "illegal_move");
    }
    for body in [
        json!({"tile": another, "x": 0, "y": 1, "rotation": 0, "player": 1}),
        json!({"action_type": "place_tile", "payload": {"tile": "X", "x": 90, "y": 0, "rotation": 0}}),
        json!({"meeple_spot": "city_N", "player": 1}),
    ] {
        let refused = host.post(&path, &body).await;
        assert!([400, 422].contains(&refused.status.as_u16()), "{body}: {}", refused.text);
    }
    assert_eq!(state(&other, &id).await["update"]["version"], now["version"]);
    // A meeple that is placed is the mover's own.
    let both = [&host, &other];
    let mut random = Random::new(7);
    for _ in 0..12 {
        let seat = state(&host, &id).await["update"]["turn"].clone();
        let played = play_turn(&both, &id, &mut random).await;
        for event in played["events"].as_array().unwrap() {
            if event["event"] == "meeple_placed" {
                assert_eq!(event["player"], seat);
            }
        }
    }
}

#[tokio::test]
async fn asking_for_the_final_count_ending_an_unfinished_rated_game() {
    let server = quick_server().await;
    let (host, other, id) = rated_game(&server, json!({})).await;
    play_turns(&[&host, &other], &id, 2, &mut Random::new(8)).await;
    let before = state(&host, &id).await["update"].clone();
    for end in ["finish", "end", "score", "final", "over"] {
        let path = format!("/api/games/{id}/{end}");
        assert!(host.post(&path, &json!({})).await.status.is_client_error());
        assert!(host.get(&path).await.status.is_client_error());
    }
    let projected = &before["view"]["projected_scores"];
    assert!(projected.is_array(), "the count is in the view, and changes nothing");
    let after = state(&host, &id).await;
    assert_eq!(after["info"]["status"], "playing");
    assert_eq!(after["update"]["version"], before["version"]);
}

#[tokio::test]
async fn a_bad_meeple_leaving_the_game_half_written() {
    let server = quick_server().await;
    let (host, _other, id) = game_for_two(&server, json!({})).await;
    let before = state(&host, &id).await["update"].clone();
    let tile = before["legal"][0]["move"].clone();
    let legal = before["legal"][0]["then"].as_array().unwrap();
    let bad = ["city0", "city1", "road0", "road3", "field9", "monastery7", "nowhere"];
    for meeple in bad.into_iter().filter(|meeple| !legal.contains(&json!(meeple))) {
        let body = json!({"version": before["version"], "moves": [tile, meeple]});
        let refused = host.post(&format!("/api/games/{id}/play"), &body).await;
        assert!(refused.status.is_client_error(), "{meeple}");
    }
    let server = server.restart().await;
    let after = state(&host.moved_to(server.address), &id).await["update"].clone();
    assert_eq!(after["version"], before["version"], "in memory as in the log");
    assert_eq!(after["view"], before["view"]);
}

#[tokio::test]
async fn a_placeable_tile_discarded_at_will() {
    let server = quick_server().await;
    let (host, _other, id) = game_for_two(&server, json!({})).await;
    let before = state(&host, &id).await["update"].clone();
    let path = format!("/api/games/{id}/play");
    for body in [
        json!({"moves": ["pass"]}),
        json!({"skip": true}),
        json!({"discard": true}),
        json!({"action": {"action_type": "discard", "payload": {}}}),
        json!({"action_type": "place_meeple", "payload": {"skip": true}}),
    ] {
        let refused = host.post(&path, &body).await;
        assert!([400, 422].contains(&refused.status.as_u16()), "{body}: {}", refused.text);
    }
    let after = state(&host, &id).await["update"].clone();
    assert_eq!(after["view"]["current_tile"], before["view"]["current_tile"]);
    assert_eq!(after["view"]["discards"], before["view"]["discards"]);
}

#[tokio::test]
async fn events_forged_by_a_client() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let mut watcher = SocketPlayer::sit(&other, &id).await;
    let mut forger = SocketPlayer::sit(&host, &id).await;
    let version = forger.version();
    for message in [
        json!({"type": "update", "update": {"version": 50, "events": []}}),
        json!({"type": "chat", "id": 1, "text": "hi", "user": "somebody else"}),
        json!({"type": "info", "info": {"status": "over"}}),
        json!({"type": "play", "id": 2, "version": version, "moves": ["pass"],
            "events": [{"event": "feature_scored", "player": 0, "points": 99}]}),
        json!({"type": "done", "id": 3}),
    ] {
        forger.socket.send(&message).await;
        assert_eq!(forger.next_of("refused").await["problem"]["code"], "bad_request");
    }
    watcher.socket.send(&json!({"type": "ping"})).await;
    loop {
        let message = watcher.next().await;
        assert!(message["type"] == "pong" || message["type"] == "info", "{message}");
        if message["type"] == "pong" {
            break;
        }
    }
    assert_eq!(state(&host, &id).await["update"]["view"]["scores"], json!([0, 0]));
}

#[tokio::test]
async fn anyones_profile_edited_and_its_e_mail_returned() {
    let server = quick_server().await;
    let victim = registered(&server).await;
    let me = victim.get("/api/me").await.value();
    let thief = registered(&server).await;
    let body = json!({"id": me["id"], "name": me["name"], "password": "wrong password",
        "new_name": "thief"});
    assert!(thief.patch("/api/me", &body).await.status.is_client_error());
    for path in [
        format!("/api/users/{}", me["id"].as_str().unwrap()),
        format!("/api/users/{}", me["name"].as_str().unwrap()),
    ] {
        assert!(thief.patch(&path, &body).await.status.is_client_error());
        let shown = thief.get(&path).await.text;
        assert!(!shown.contains("mail") && !shown.contains("password"), "{shown}");
    }
    assert_eq!(victim.get("/api/me").await.value()["name"], me["name"]);
}

#[tokio::test]
async fn a_board_far_from_the_origin_crashing_the_view() {
    let server = quick_server().await;
    let host = server.guest().await;
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let id = new_game(&host, &json!({"game": "carcassonne", "seats": seats})).await;
    // Always the placement farthest to the east: one long line.
    loop {
        let update = state(&host, &id).await["update"].clone();
        if update["result"].is_object() {
            break;
        }
        let x = |m: &Value| {
            let text = m["move"].as_str().unwrap();
            text.split(',').next().unwrap().parse::<i64>().unwrap()
        };
        let east = update["legal"].as_array().unwrap().iter().max_by_key(|m| x(m)).unwrap();
        let body = json!({"version": update["version"], "moves": [east["move"], "pass"]});
        host.post(&format!("/api/games/{id}/play"), &body).await.ok();
        for eyes in ["player", "bot", "spectator"] {
            host.get(&format!("/api/games/{id}/view?as={eyes}")).await.ok();
        }
    }
    let over = state(&host, &id).await["update"].clone();
    let tiles = over["view"]["board"]["tiles"].as_object().unwrap();
    let farthest = tiles.keys().map(|cell| cell.split(',').next().unwrap().parse::<i64>().unwrap());
    assert!(farthest.max() > Some(20), "it went far");
    // A cell that no board reaches is refused like any other.
    for cell in ["32767,0 r0", "-40000,1 r0", "99999999999999999999,0 r0"] {
        let body = json!({"moves": [cell]});
        assert!(host.post(&format!("/api/games/{id}/play"), &body).await.status.is_client_error());
    }
}
