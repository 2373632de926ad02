//! Games that everybody has left: they leave memory, keep their time, and come back as they were.

use crate::common::{Client, Server};
use crate::support::{
    SocketPlayer, game_for_two, new_game, play_turns, rated_game, registered, server_with, state,
    until, until_over, user_id,
};
use game::Random;
use serde_json::{Value, json};
use std::time::Duration;

/// A server whose tables leave memory soon.
async fn sleepy_server() -> Server {
    server_with(|settings| settings.idle = Duration::from_millis(200)).await
}

/// Waits until no table is in memory; nobody is asked, so that nobody is woken.
async fn until_asleep(server: &Server) {
    for _ in 0..600 {
        if server.app.tables.open_tables() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{} tables stay in memory", server.app.tables.open_tables());
}

async fn act(client: &Client, id: &str, what: &str, body: Value) {
    client.post(&format!("/api/games/{id}/{what}"), &body).await.ok();
}

#[tokio::test]
async fn a_game_that_everybody_left_leaves_memory_and_comes_back_as_it_was() {
    let server = sleepy_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let mut random = Random::new(1);
    play_turns(&[&host, &other], &id, 3, &mut random).await;
    act(&host, &id, "chat", json!({"text": "good night"})).await;
    act(&host, &id, "draw", json!({"accept": true})).await;
    let before = state(&other, &id).await;
    until_asleep(&server).await;
    let listed = host.get("/api/lobby").await.value();
    assert_eq!(server.app.tables.open_tables(), 0, "the lobby wakes nobody");
    let game = &listed["mine"][0];
    assert_eq!(game["info"]["id"], id.as_str());
    assert_eq!(game["info"]["status"], "playing");
    assert_eq!(game["turn"], before["update"]["turn"]);
    assert_eq!(game["turns"], 3);
    assert_eq!(game["scores"].as_array().unwrap().len(), 2);
    // What is shown to strangers as being played has somebody at it.
    assert_eq!(listed["playing"], json!([]));
    let after = state(&other, &id).await;
    for part in ["/update", "/info/offers", "/chat", "/info/seats/0/sitter"] {
        assert_eq!(after.pointer(part), before.pointer(part), "{part}");
    }
    assert_eq!(after["info"]["offers"]["draw"], json!([0]));
    act(&other, &id, "draw", json!({"accept": true})).await;
    assert_eq!(state(&host, &id).await["info"]["result"]["reason"], "draw");
}

#[tokio::test]
async fn a_game_that_somebody_watches_stays() {
    let server = sleepy_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let mut watching = SocketPlayer::sit(&host, &id).await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    assert_eq!(server.app.tables.open_tables(), 1);
    play_turns(&[&host, &other], &id, 2, &mut Random::new(1)).await;
    while watching.version() < 5 {
        watching.next().await;
    }
    drop(watching);
    until_asleep(&server).await;
    // A socket wakes it, and hears of what follows.
    let mut watching = SocketPlayer::sit(&other, &id).await;
    let seen = watching.version();
    play_turns(&[&host, &other], &id, 1, &mut Random::new(1)).await;
    while watching.version() == seen {
        watching.next().await;
    }
}

#[tokio::test]
async fn a_clock_runs_out_while_its_game_sleeps() {
    let server = sleepy_server().await;
    let clock = json!({"kind": "game", "initial_ms": 5000, "increment_ms": 0});
    let (host, other, id) = rated_game(&server, json!({"clock": clock})).await;
    play_turns(&[&host, &other], &id, 2, &mut Random::new(1)).await;
    let begun = std::time::Instant::now();
    until_asleep(&server).await;
    assert!(begun.elapsed() < Duration::from_secs(4), "it slept before the clock ran out");
    // Nobody asks: it ends by itself, and is gone from the rows that are to be woken.
    let sql = "SELECT ended FROM games WHERE id = $1";
    let ended = async || -> Option<i64> {
        sqlx::query_scalar(sql).bind(&id).fetch_one(&server.app.db.pool).await.unwrap()
    };
    while ended().await.is_none() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the clock never ran out");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(begun.elapsed() >= Duration::from_millis(4900), "{:?}", begun.elapsed());
    let over = state(&host, &id).await;
    assert_eq!(over["info"]["result"]["reason"], "time", "{}", over["info"]);
    assert_eq!(over["update"]["clocks"]["left_ms"][0], 0);
}

#[tokio::test]
async fn a_clock_runs_while_its_game_sleeps_but_not_while_the_server_is_down() {
    let server = sleepy_server().await;
    let clock = json!({"kind": "game", "initial_ms": 600_000, "increment_ms": 0});
    let (host, other, id) = game_for_two(&server, json!({"clock": clock})).await;
    play_turns(&[&host, &other], &id, 2, &mut Random::new(1)).await;
    let left = |state: &Value| state["update"]["clocks"]["left_ms"][0].as_u64().unwrap();
    let before = left(&state(&host, &id).await);
    until_asleep(&server).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let awake = left(&state(&host, &id).await);
    // The first moments of a turn are free.
    assert!(awake <= before - 1200, "it ran: {before} then {awake}");
    until_asleep(&server).await;
    let slept = std::time::Instant::now();
    let stopped = server.stop().await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    let down = slept.elapsed();
    let server = stopped.start().await;
    assert_eq!(server.app.tables.open_tables(), 0, "who sleeps is not loaded at the start");
    let (host, back) = (host.moved_to(server.address), std::time::Instant::now());
    let after = left(&state(&host, &id).await);
    assert!(after <= awake, "nothing is given back: {awake} then {after}");
    let charged = Duration::from_millis(awake - after);
    assert!(charged < down + back.elapsed() - Duration::from_secs(2), "charged {charged:?}");
}

#[tokio::test]
async fn turns_missed_in_a_row_are_counted_over_sleep() {
    let server = sleepy_server().await;
    let people = [server.guest().await, server.guest().await, server.guest().await];
    let open = json!({"kind": "open"});
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, open, open],
        "shuffle_seats": false, "clock": {"kind": "move", "per_move_ms": 3000}});
    let id = new_game(&people[0], &body).await;
    act(&people[1], &id, "join", json!({})).await;
    act(&people[2], &id, "join", json!({})).await;
    // The others move at once, the first never: out after the second missed turn.
    let all = [&people[1], &people[2]];
    for _ in 0..2 {
        until_asleep(&server).await;
        tokio::time::sleep(Duration::from_millis(3200)).await;
        until(&people[1], &id, |state| state["update"]["turn"] != 0 || out(state)).await;
        if out(&state(&people[1], &id).await) {
            return;
        }
        play_turns(&all, &id, 2, &mut Random::new(5)).await;
    }
    let seats = state(&people[1], &id).await["info"]["seats"].clone();
    panic!("a seat that misses every turn still plays: {seats}");
}

fn out(state: &Value) -> bool {
    state["info"]["seats"][0]["out"] == "time"
}

#[tokio::test]
async fn a_game_that_waits_for_players_is_called_off_from_its_sleep() {
    let server = server_with(|settings| {
        settings.idle = Duration::from_millis(200);
        settings.waiting = Duration::from_secs(4);
    })
    .await;
    let host = server.guest().await;
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]});
    let id = new_game(&host, &body).await;
    let begun = std::time::Instant::now();
    until_asleep(&server).await;
    assert!(begun.elapsed() < Duration::from_secs(3));
    let waiting = server.client().get("/api/lobby").await.value();
    assert_eq!(waiting["waiting"][0]["info"]["id"], id.as_str(), "who sleeps can be joined");
    let over = until_over(&host, &id).await;
    assert_eq!(over["info"]["result"]["reason"], "abort");
    assert!(begun.elapsed() >= Duration::from_millis(3900));
}

#[tokio::test]
async fn who_is_renamed_while_a_game_sleeps_has_the_new_name_there() {
    let server = sleepy_server().await;
    let host = registered(&server).await;
    let other = server.guest().await;
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}],
        "shuffle_seats": false});
    let id = new_game(&host, &body).await;
    act(&other, &id, "join", json!({})).await;
    act(&host, &id, "chat", json!({"text": "hello"})).await;
    until_asleep(&server).await;
    host.patch("/api/me", &json!({"new_name": "Morning", "password": "a long password"}))
        .await
        .ok();
    let seen = other.get("/api/lobby").await.value();
    assert_eq!(seen["mine"][0]["info"]["seats"][0]["sitter"]["name"], "Morning");
    let seen = state(&other, &id).await;
    assert_eq!(seen["info"]["host"]["name"], "Morning");
    assert_eq!(seen["chat"][0]["name"], "Morning");
}

/// Makes games that wait for a second player.
async fn many_games(host: &Client, games: usize) -> Vec<String> {
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]});
    let mut ids = Vec::new();
    for _ in 0..games {
        ids.push(new_game(host, &body).await);
    }
    ids
}

#[tokio::test]
async fn the_lists_of_the_lobby_are_bounded_and_go_on() {
    let server = sleepy_server().await;
    let host = server.guest().await;
    let mut made = many_games(&host, 130).await;
    let lobby = host.get("/api/lobby").await.value();
    let first = lobby["mine"].as_array().unwrap().clone();
    assert!(first.len() <= 50, "{} games of one's own at once", first.len());
    let ids = |games: &[Value]| -> Vec<String> {
        games.iter().map(|game| game["info"]["id"].as_str().unwrap().to_owned()).collect()
    };
    let mut seen = ids(&first);
    let mut next = lobby["mine_next"].as_str().map(str::to_owned);
    while let Some(before) = next {
        let page = host.get(&format!("/api/lobby/mine?before={before}")).await.value();
        let games = page["games"].as_array().unwrap();
        assert!(!games.is_empty() && games.len() <= 50);
        seen.extend(ids(games));
        next = page["next"].as_str().map(str::to_owned);
    }
    seen.sort();
    made.sort();
    assert_eq!(seen, made, "every game once");
    let public = server.client().get("/api/lobby").await.value();
    assert!(public["waiting"].as_array().unwrap().len() <= 100);
    assert_eq!(host.get("/api/lobby/mine?before=x").await.refused(400), "bad_request");
    server.client().get("/api/lobby/mine").await.refused(401);
}

#[tokio::test]
async fn a_program_that_comes_hears_of_games_that_sleep() {
    let server = sleepy_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    until_asleep(&server).await;
    let to_move = state(&host, &id).await["update"]["turn"] == 0;
    let player = if to_move { &host } else { &other };
    until_asleep(&server).await;
    let stream = player.request(reqwest::Method::GET, "/api/stream").send().await.unwrap();
    let mut lines = String::new();
    let mut stream = stream;
    while !lines.contains("your_turn") {
        let chunk = tokio::time::timeout(Duration::from_secs(30), stream.chunk()).await;
        let chunk = chunk.expect("a line comes").unwrap().expect("the stream is open");
        lines.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    assert!(lines.contains("game_start") && lines.contains(&id), "{lines}");
    assert!(!user_id(player).await.is_empty());
}

#[tokio::test]
async fn a_game_to_which_no_player_comes_back_is_called_off() {
    let server = server_with(|settings| {
        settings.idle = Duration::from_millis(200);
        settings.given_up = Duration::from_secs(4);
    })
    .await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    play_turns(&[&host, &other], &id, 3, &mut Random::new(1)).await;
    let left = std::time::Instant::now();
    until_asleep(&server).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    // A stranger who looks does not keep it.
    server.client().get(&format!("/api/games/{id}")).await.ok();
    let status = async || -> String {
        let sql = "SELECT status FROM games WHERE id = $1";
        sqlx::query_scalar(sql).bind(&id).fetch_one(&server.app.db.pool).await.unwrap()
    };
    assert_eq!(status().await, "playing");
    while status().await == "playing" {
        assert!(left.elapsed() < Duration::from_secs(60), "it stays for ever");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(left.elapsed() >= Duration::from_millis(3900), "{:?}", left.elapsed());
    assert_eq!(state(&host, &id).await["info"]["result"]["reason"], "abort");
}

/// Who waits until a game sleeps gets no help on its board either.
#[tokio::test]
async fn the_engine_does_not_help_in_a_rated_game_that_sleeps() {
    let server = sleepy_server().await;
    let clock = json!({"kind": "move", "per_move_ms": 86_400_000});
    let (host, other, id) = rated_game(&server, json!({"clock": clock})).await;
    play_turns(&[&host, &other], &id, 12, &mut Random::new(1)).await;
    let record = host.get(&format!("/api/games/{id}/record")).await.ok().text;
    until_asleep(&server).await;
    let ask = async |client: &Client, record: &str| {
        let question = json!({"record": record, "time_ms": 10});
        client.post("/api/analyse", &question).await
    };
    assert_eq!(ask(&host, &record).await.refused(403), "forbidden");
    let stranger = server.guest().await;
    assert_eq!(ask(&stranger, &record).await.refused(403), "forbidden");
    // A tile less, and without the meeples: the board is known all the same.
    let lines: Vec<&str> = record.lines().collect();
    let shorter = lines[..lines.len() - 3].join("\n");
    assert_eq!(ask(&stranger, &shorter).await.refused(403), "forbidden");
    assert_eq!(server.app.tables.open_tables(), 0, "nobody was woken for it");
    let other_board = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "me"}]});
    let mine = new_game(&stranger, &other_board).await;
    play_turns(&[&stranger], &mine, 12, &mut Random::new(77)).await;
    let record = stranger.get(&format!("/api/games/{mine}/record")).await.ok().text;
    ask(&stranger, &record).await.ok();
}

#[tokio::test]
async fn games_with_bots_count_while_they_sleep() {
    let server = Server::start_with(|config| {
        config.limits = true;
        config.tables.idle = Duration::from_millis(200);
        config.tables.bot_games_per_user = 2;
        config.tables.bot_games_per_address = 3;
    })
    .await;
    let (host, other) = (server.guest().await, server.guest().await);
    let body = json!({"game": "carcassonne", "shuffle_seats": false,
        "seats": [{"kind": "me"}, {"kind": "bot", "bot": "shepherd"}]});
    let first = new_game(&host, &body).await;
    new_game(&host, &body).await;
    until_asleep(&server).await;
    let refused = host.post("/api/games", &body).await;
    assert!(refused.text.contains("you have 2 games with bots"), "{}", refused.text);
    assert_eq!(refused.refused(409), "conflict");
    new_game(&other, &body).await;
    until_asleep(&server).await;
    let refused = other.post("/api/games", &body).await;
    assert!(refused.text.contains("3 games against bots are going on"), "{}", refused.text);
    assert_eq!(refused.refused(409), "conflict");
    act(&host, &first, "resign", json!({})).await;
    new_game(&other, &body).await;
}
