//! Clients that do what they should not: each gets a clear answer, and nothing changes.

use crate::common::Server;
use crate::support::*;
use futures_util::StreamExt;
use game::Random;
use reqwest::Method;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

/// What must not change: everything but the clocks and who is there.
async fn essence(client: &crate::common::Client, id: &str) -> Value {
    let state = state(client, id).await;
    json!([
        state["update"]["version"],
        state["update"]["view"],
        state["info"]["status"],
        state["info"]["offers"],
        state["chat"]
    ])
}

#[tokio::test]
async fn wrong_seats_forged_ids_and_others_tokens_are_refused() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let stranger = server.guest().await;
    let before = essence(&host, &id).await;
    let legal = state(&host, &id).await["update"]["legal"][0]["move"].clone();
    let path = format!("/api/games/{id}/play");
    let play = json!({"moves": [legal]});
    assert_eq!(other.post(&path, &play).await.refused(403), "not_your_turn");
    assert_eq!(stranger.post(&path, &play).await.refused(403), "forbidden");
    assert_eq!(server.client().post(&path, &play).await.refused(401), "not_logged_in");
    let forged = server.client().with_token(&"0".repeat(64));
    assert_eq!(forged.post(&path, &play).await.refused(401), "not_logged_in");
    // The id in the body is no proof: it must be the asker's own.
    let victim = user_id(&host).await;
    let payload = json!({"x": 0, "y": 1, "rotation": 0});
    for body in [
        json!({"player_id": victim, "moves": [legal]}),
        json!({"action": {"action_type": "place_tile", "player_id": victim, "payload": payload}}),
        json!({"action_type": "place_tile", "player_id": victim, "payload": payload}),
        json!({"player_id": 7, "x": 0, "y": 1, "rotation": 0}),
    ] {
        assert_eq!(other.post(&path, &body).await.refused(403), "forbidden", "{body}");
    }
    assert_eq!(essence(&host, &id).await, before);
    // One's own id is fine.
    let own = json!({"player_id": victim, "moves": [legal]});
    assert_eq!(host.post(&path, &own).await.value()["phase"], "place_meeple");
}

#[tokio::test]
async fn games_that_are_not_there_are_not_found() {
    let server = quick_server().await;
    let guest = server.guest().await;
    for id in ["nosuchgame", "..%2F..%2Fetc", &"a".repeat(5000), "'%20OR%201=1"] {
        let path = format!("/api/games/{id}");
        assert_eq!(guest.get(&path).await.refused(404), "not_found", "{id}");
        let play = guest.post(&format!("{path}/play"), &json!({"moves": ["pass"]})).await;
        assert_eq!(play.refused(404), "not_found", "{id}");
        assert!(guest.try_socket(&format!("{path}/socket"), &[]).await.is_err());
    }
}

#[tokio::test]
async fn large_bodies_long_lines_and_random_bytes_change_nothing() {
    let server = quick_server().await;
    let (host, _other, id) = game_for_two(&server, json!({})).await;
    let before = essence(&host, &id).await;
    let path = format!("/api/games/{id}/play");
    let ten_megabytes = vec![b' '; 10 * 1024 * 1024];
    let send = |body: Vec<u8>, kind: &'static str| {
        let request = host.request(Method::POST, &path).header("content-type", kind);
        crate::common::Answer::of(request.body(body))
    };
    assert_eq!(send(ten_megabytes, "application/json").await.refused(413), "too_large");
    let long = json!({"moves": ["x".repeat(100_000)]}).to_string();
    let answer = send(long.into_bytes(), "application/json").await;
    assert!(answer.text.len() < 1000, "an answer does not repeat all that was sent");
    assert_eq!(answer.refused(400), "bad_request");
    let million = json!({"text": "x".repeat(1_000_000)}).to_string();
    let chat = host.request(Method::POST, &format!("/api/games/{id}/chat"));
    let chat = chat.header("content-type", "application/json").body(million);
    assert_eq!(crate::common::Answer::of(chat).await.refused(413), "too_large");
    let mut random = Random::new(6);
    for length in 0..60 {
        let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        let answer = send(bytes, "application/json").await;
        assert_eq!(answer.refused(400), "bad_request");
    }
    for body in [
        "[]",
        "{}",
        "null",
        "{\"moves\": 3}",
        "{\"moves\": []}",
        "{\"version\": -1}",
        "{\"moves\": [\"pass\"], \"version\": \"x\"}",
        "{\"moves\": [\"pass\"], \"evil\": 1}",
        "{\"x\": 1e99, \"y\": 0, \"rotation\": 0}",
        "{\"x\": 0, \"y\": 1, \"rotation\": 45}",
        "{\"events\": [{\"event\": \"feature_scored\", \"points\": 99}]}",
    ] {
        let answer = send(body.as_bytes().to_vec(), "application/json").await;
        assert!([400, 422].contains(&answer.status.as_u16()), "{body}: {}", answer.text);
    }
    assert_eq!(essence(&host, &id).await, before);
}

#[tokio::test]
async fn sockets_answer_nonsense_and_close_on_what_is_too_long() {
    let server = quick_server().await;
    let (host, _other, id) = game_for_two(&server, json!({})).await;
    let before = essence(&host, &id).await;
    let mut player = SocketPlayer::sit(&host, &id).await;
    for text in [
        "",
        "nonsense",
        "[]",
        "{\"type\":\"win\"}",
        "{\"type\":\"play\",\"id\":3}",
        "{\"type\":\"update\",\"update\":{\"version\":99}}",
        "{\"type\":\"draw\",\"id\":-1}",
    ] {
        player.socket.send_text(text.to_owned()).await;
        let answer = player.next_of("refused").await;
        assert_eq!(answer["problem"]["code"], "bad_request", "{text}");
    }
    player.socket.send_text("{\"type\":\"play\",\"id\":3}".to_owned()).await;
    assert_eq!(player.next_of("refused").await["id"], 3, "the number is given back");
    use futures_util::SinkExt;
    player.socket.0.send(Message::binary(vec![1, 2, 255])).await.unwrap();
    assert_eq!(player.next_of("refused").await["problem"]["code"], "bad_request");
    player.socket.send(&json!({"type": "ping"})).await;
    player.next_of("pong").await;
    // Larger than a frame may be: the server says so and closes.
    for size in [5_000, 1_000_000] {
        let mut player = SocketPlayer::sit(&host, &id).await;
        let _ = player.socket.0.send(Message::text("x".repeat(size))).await;
        let closed = close_frame(&mut player).await;
        assert!(closed.is_none_or(|frame| u16::from(frame.code) == 1009), "too large");
    }
    assert_eq!(essence(&host, &id).await, before);
    let still = SocketPlayer::sit(&host, &id).await;
    assert!(still.to_move());
}

async fn close_frame(player: &mut SocketPlayer) -> Option<CloseFrame> {
    while let Some(Ok(message)) = player.socket.0.next().await {
        if let Message::Close(frame) = message {
            return frame;
        }
    }
    None
}

#[tokio::test]
async fn spectators_watch_and_touch_nothing() {
    let server = quick_server().await;
    let (host, _other, id) = game_for_two(&server, json!({})).await;
    let before = essence(&host, &id).await;
    let guest = server.guest().await;
    let mut known = SocketPlayer::sit(&guest, &id).await;
    let mut unknown = SocketPlayer::sit(&server.client(), &id).await;
    for kind in ["resign", "abort"] {
        let message = json!({"type": kind, "id": 1});
        assert_eq!(known.ask(&message).await["problem"]["code"], "forbidden");
        assert_eq!(unknown.ask(&message).await["problem"]["code"], "not_logged_in");
    }
    for kind in ["draw", "takeback", "rematch"] {
        let message = json!({"type": kind, "id": 2, "accept": true});
        assert_eq!(known.ask(&message).await["type"], "refused");
    }
    let view = guest.get(&format!("/api/games/{id}/view?as=player")).await;
    assert_eq!(view.refused(403), "forbidden");
    let view = guest.get(&format!("/api/games/{id}/view?as=god")).await;
    assert_eq!(view.refused(400), "bad_request");
    assert_eq!(essence(&host, &id).await, before);
    let count = until(&host, &id, |state| state["info"]["spectators"] == 2).await;
    assert_eq!(count["info"]["spectators"], 2);
}

#[tokio::test]
async fn a_client_that_does_not_read_is_dropped_and_the_others_go_on() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let _deaf = SocketPlayer::sit(&server.guest().await, &id).await;
    // What the system keeps for a socket can be large; a queue of three messages is not.
    let (queue, mut messages) = tokio::sync::mpsc::channel(3);
    server.app.tables.watch(&id, None, None, false, &queue).await.unwrap();
    drop(queue);
    let mut random = Random::new(12);
    play_turns(&[&host, &other], &id, 70, &mut random).await;
    assert!(state(&host, &id).await["update"]["ply"].as_u64() > Some(200));
    let mut came = 0;
    while messages.recv().await.is_some() {
        came += 1;
    }
    assert_eq!(came, 3, "then the queue ends, and with it the socket");
}

#[tokio::test]
async fn who_is_silent_for_too_long_is_gone() {
    let server =
        Server::start_with(|config| config.silence = std::time::Duration::from_secs(1)).await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let _here = SocketPlayer::sit(&other, &id).await;
    // Whoever does not read does not answer either.
    let mut silent = SocketPlayer::sit(&host, &id).await;
    until(&other, &id, |state| state["info"]["seats"][0]["online"] == false).await;
    let frame = close_frame(&mut silent).await.expect("it says why");
    assert_eq!(u16::from(frame.code), 1001);
}

#[tokio::test]
async fn who_sends_too_much_is_read_slowly() {
    let server = Server::start_with(|config| config.limits = true).await;
    let (host, _other, id) = game_for_two(&server, json!({})).await;
    let mut player = SocketPlayer::sit(&host, &id).await;
    let begun = std::time::Instant::now();
    for _ in 0..60 {
        player.socket.send(&json!({"type": "ping"})).await;
    }
    for _ in 0..60 {
        player.next_of("pong").await;
    }
    // Thirty at once, and of what follows at most twenty a second.
    assert!(begun.elapsed() > std::time::Duration::from_millis(1400), "{:?}", begun.elapsed());
    let mut refused = false;
    for number in 0..40 {
        let message = json!({"type": "draw", "id": number, "accept": false});
        refused |= player.ask(&message).await["problem"]["code"] == "too_many_requests";
    }
    assert!(refused, "and told so");
}

#[tokio::test]
async fn an_address_keeps_a_number_of_connections_open() {
    let server = Server::start_with(|config| {
        config.limits = true;
        config.connections_per_address = 3;
    })
    .await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let first = SocketPlayer::sit(&host, &id).await;
    let _second = SocketPlayer::sit(&other, &id).await;
    let _stream = host.request(Method::GET, "/api/stream").send().await.unwrap();
    let path = format!("/api/games/{id}/socket");
    assert!(host.try_socket(&path, &[]).await.is_err());
    let poll = host.get(&format!("/api/games/{id}/updates?wait=1")).await;
    assert_eq!(poll.refused(429), "too_many_requests");
    // Everything else goes on, and a place that is given up is free.
    assert_eq!(state(&host, &id).await["info"]["status"], "playing");
    drop(first);
    while host.try_socket(&path, &[]).await.is_err() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn chat_is_apart_filtered_and_muted() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let (watcher, silent) = (server.guest().await, server.guest().await);
    let name = watcher.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let muted = silent.request(Method::PUT, &format!("/api/mutes/{name}"));
    crate::common::Answer::of(muted).await.ok();
    let mut sockets = [
        SocketPlayer::sit(&host, &id).await,
        SocketPlayer::sit(&other, &id).await,
        SocketPlayer::sit(&watcher, &id).await,
        SocketPlayer::sit(&silent, &id).await,
    ];
    let say = |text: &str, id: u64| json!({"type": "chat", "id": id, "text": text});
    assert_eq!(sockets[2].ask(&say("take the city!", 1)).await["type"], "done");
    assert_eq!(sockets[0].ask(&say("good luck", 1)).await["type"], "done");
    assert_eq!(sockets[0].ask(&say("good luck", 1)).await["type"], "done", "once");
    let heard = sockets[1].next_of("chat").await;
    assert_eq!(heard["line"]["text"], "good luck", "players hear players only");
    let hidden = ["a\u{202e}b", "\u{200b}", "\u{200d}"];
    for text in ["", "   ", "a\u{7}b", &"x".repeat(301)].into_iter().chain(hidden) {
        assert_eq!(sockets[0].ask(&say(text, 9)).await["problem"]["code"], "bad_request");
    }
    let lines = |state: &Value| state["chat"].as_array().unwrap().len();
    assert_eq!(lines(&state(&host, &id).await), 1);
    assert_eq!(lines(&state(&watcher, &id).await), 1);
    let welcome = SocketPlayer::sit(&silent, &id).await;
    drop(welcome);
    sockets[3].socket.send(&json!({"type": "ping"})).await;
    loop {
        let message = sockets[3].next().await;
        assert_ne!(message["type"], "chat", "muted");
        if message["type"] == "pong" {
            break;
        }
    }
}
