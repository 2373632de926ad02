//! Bots: ours in a pool that blocks nobody, other people's over HTTP.

use crate::support::*;
use game::Random;
use serde_json::json;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

#[tokio::test]
async fn a_bots_search_does_not_block_the_server() {
    let server = server_with(|settings| {
        settings.bot_time = Duration::from_secs(60);
    })
    .await;
    let host = server.guest().await;
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "best"}]);
    for _ in 0..4 {
        let body = json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false});
        let id = new_game(&host, &body).await;
        play_turn(&[&host], &id, &mut Random::new(1)).await;
    }
    // All four bots think or wait to, for a minute; people play on meanwhile.
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let before = std::time::Instant::now();
    play_turns(&[&host, &other], &id, 20, &mut Random::new(2)).await;
    assert!(before.elapsed() < Duration::from_secs(55), "nobody waited for a bot");
}

#[tokio::test]
async fn a_game_goes_on_by_itself_when_the_database_is_back() {
    let server = server_with(|settings| settings.bot_pause = Duration::from_millis(150)).await;
    let host = server.guest().await;
    let bot = json!({"kind": "bot", "bot": "random"});
    new_game(&host, &json!({"game": "carcassonne", "seats": [bot, bot]})).await;
    // The lobby asks no table: nobody wakes the game up.
    let turns = async || {
        let lobby = host.get("/api/lobby").await.value();
        lobby["mine"][0]["turns"].as_u64()
    };
    let run = async |sql: &'static str| {
        sqlx::query(sql).execute(&server.app.db.pool).await.expect("the database answers");
    };
    while turns().await < Some(2) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    run("ALTER TABLE log RENAME TO log_away").await;
    // Long enough for the first attempt to fail.
    tokio::time::sleep(Duration::from_millis(2500)).await;
    let stuck = turns().await;
    assert!(stuck < Some(30), "{stuck:?}");
    run("ALTER TABLE log_away RENAME TO log").await;
    let mut waited = 0;
    while turns().await <= stuck {
        waited += 1;
        assert!(waited < 1200, "the game is stuck at turn {stuck:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn the_sample_client_plays_a_whole_game_over_http() {
    let server = quick_server().await;
    let (_client, token) = bot_account(&server).await;
    let host = server.guest().await;
    let bot = _client.get("/api/me").await.value();
    let seats = json!([{"kind": "bot", "bot": "shepherd"}, {"kind": "user", "name": bot["name"]}]);
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/http_bot.py");
    let mut program = Command::new("python3")
        .arg(sample)
        .arg(server.url(""))
        .arg(&token)
        .args(["--games", "2"])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("python3 is there");
    let mut games = Vec::new();
    for _ in 0..2 {
        games.push(new_game(&host, &json!({"game": "carcassonne", "seats": seats})).await);
    }
    for id in &games {
        let over = until_over(&host, id).await;
        assert_eq!(over["info"]["result"]["reason"], "normal");
        let seats = over["info"]["seats"].as_array().unwrap();
        assert!(seats.iter().any(|seat| seat["sitter"]["bot_account"] == true), "marked as a bot");
    }
    let ended = tokio::time::timeout(Duration::from_secs(60), program.wait()).await;
    assert!(ended.expect("it stops after its games").expect("it runs").success());
}

#[tokio::test]
async fn the_stream_greets_with_what_is_going_on() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let mut lines = Lines::open(&host).await;
    assert_eq!(lines.next().await["type"], "game_start");
    let turn = lines.next().await;
    assert_eq!((&turn["type"], &turn["game"]), (&json!("your_turn"), &json!(id)));
    assert!(!turn["view"]["valid_actions"].as_array().unwrap().is_empty());
    let seats = &state(&other, &id).await["info"]["seats"];
    assert_eq!(seats[0]["online"], true, "who listens is there");
    other.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    let over = lines.next().await;
    assert_eq!((&over["type"], &over["result"]["winners"]), (&json!("game_over"), &json!([0])));
    let nobody = server.client().get("/api/stream").await;
    assert_eq!(nobody.refused(401), "not_logged_in");
}

#[tokio::test]
async fn a_stream_tells_a_turn_once_and_the_beginning_once() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let mut lines = Lines::open(&host).await;
    assert_eq!(lines.next().await["type"], "game_start");
    let play = async |client: &crate::common::Client| {
        let legal = state(client, &id).await["update"]["legal"][0].clone();
        let moves = json!({"moves": [legal["move"]]});
        client.post(&format!("/api/games/{id}/play"), &moves).await.value()
    };
    let mut versions = Vec::new();
    for _ in 0..3 {
        let turn = lines.next().await;
        assert_eq!((&turn["type"], &turn["phase"]), (&json!("your_turn"), &json!("place_tile")));
        versions.push(turn["version"].as_u64().unwrap());
        // The tile and the meeple, one after the other; then everything that is no turn.
        for client in [&host, &other] {
            let placed = play(client).await;
            assert_eq!(placed["phase"], "place_meeple");
            play(client).await;
        }
        host.post(&format!("/api/games/{id}/chat"), &json!({"text": "your turn"})).await.ok();
    }
    assert!(versions.is_sorted_by(|one, next| one < next), "{versions:?}");
    // Taking back a turn begins it anew.
    lines.next().await;
    play(&host).await;
    play(&host).await;
    for client in [&host, &other] {
        let accept = json!({"accept": true});
        client.post(&format!("/api/games/{id}/takeback"), &accept).await.ok();
    }
    let again = lines.next().await;
    assert_eq!((&again["type"], &again["phase"]), (&json!("your_turn"), &json!("place_tile")));
}

#[tokio::test]
async fn an_open_stream_hears_of_an_invitation_and_can_decline() {
    let server = quick_server().await;
    let (program, _) = bot_account(&server).await;
    let mut lines = Lines::open(&program).await;
    let host = server.guest().await;
    let name = program.get("/api/me").await.value()["name"].clone();
    let seats = json!([{"kind": "me"}, {"kind": "user", "name": name}]);
    let id = new_game(&host, &json!({"game": "carcassonne", "seats": seats})).await;
    let line = tokio::time::timeout(Duration::from_secs(20), lines.next()).await;
    let line = line.expect("the invitation comes at once");
    assert_eq!((&line["type"], &line["game"]), (&json!("invitation"), &json!(id)));
    program.post(&format!("/api/games/{id}/leave"), &json!({})).await.ok();
    let seats = state(&host, &id).await["info"]["seats"].clone();
    assert!(seats.as_array().unwrap().iter().any(|seat| seat["sitter"]["kind"] == "open"));
}

/// The lines of a stream.
struct Lines {
    response: reqwest::Response,
    rest: String,
}

impl Lines {
    async fn open(client: &crate::common::Client) -> Self {
        let request = client.request(reqwest::Method::GET, "/api/stream");
        Self { response: request.send().await.expect("the server answers"), rest: String::new() }
    }

    async fn next(&mut self) -> serde_json::Value {
        loop {
            if let Some((line, rest)) = self.rest.split_once('\n') {
                let (line, rest) = (line.to_owned(), rest.to_owned());
                self.rest = rest;
                if !line.is_empty() {
                    return serde_json::from_str(&line).expect("a line of JSON");
                }
            } else {
                let chunk = self.response.chunk().await.expect("it is open").expect("more");
                self.rest.push_str(std::str::from_utf8(&chunk).expect("text"));
            }
        }
    }
}
