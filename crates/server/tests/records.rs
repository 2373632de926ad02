//! Games as they are stored: taken in, replayed, listed, thought about.

mod common;

use common::{Client, Server, whole_game};
use game::Game as _;
use serde_json::{Value, json};
use server::wire::{
    Analysis, Balance, Fairness, Imported, Library, Profile, Replay, SiteStatistics,
};
use std::slice::from_ref;
use std::time::Duration;

#[tokio::test]
async fn a_game_taken_in_comes_back_as_it_was_at_every_ply() {
    let server = Server::start().await;
    let ada = server.guest().await;
    let text = whole_game("players=3", 5);
    let asked = json!({"record": text, "names": ["Ada", "Grace"]});
    let imported: Imported = ada.post("/api/import", &asked).await.json();
    assert!(imported.finished);
    let game = format!("/api/games/{}", imported.id);
    let back = ada.get(&format!("{game}/record")).await.ok().text;
    let (comment, record) = back.split_once('\n').unwrap();
    assert!(comment.ends_with("Ada, Grace, Player 3"), "{comment}");
    assert_eq!(record, text);

    let all: Replay = ada.get(&format!("{game}/replay")).await.json();
    let plies = all.plies.unwrap();
    assert_eq!((all.last, plies.len()), (imported.plies, imported.plies + 1));
    assert_eq!((all.phase.as_str(), all.turn), ("game_over", None));
    for ply in [0, 1, 2, 100, imported.plies] {
        let at: Replay = ada.get(&format!("{game}/replay?ply={ply}")).await.json();
        assert_eq!((at.ply, at.last), (ply, imported.plies));
        assert_eq!(at.events, plies[ply].events, "ply {ply}");
        let placed = at.view["board"]["tiles"].as_object().unwrap().len();
        let drawn = plies[..=ply].iter().filter(|p| p.moved.contains(',')).count();
        assert_eq!(placed, drawn + 1);
    }
    let scores: Vec<i64> = serde_json::from_value(all.view["scores"].clone()).unwrap();
    let by_kind = |seat: usize| {
        let parts = all.view["breakdown"][seat].as_object().unwrap().values();
        parts.map(|points| points.as_i64().unwrap()).sum::<i64>()
    };
    assert_eq!(scores, [by_kind(0), by_kind(1), by_kind(2)]);
    let past = ada.get(&format!("{game}/replay?ply=9999")).await.refused(400);
    assert_eq!(past, "bad_request");
    // Its draws were not ours.
    assert_eq!(ada.get(&format!("{game}/fairness")).await.refused(409), "conflict");
    assert_eq!(ada.get("/api/games/nowhere/record").await.refused(404), "not_found");
    server.stop().await;
}

#[tokio::test]
async fn what_cannot_be_taken_in_is_refused_with_the_reason() {
    let server = Server::start().await;
    let ada = server.guest().await;
    for (asked, status, word) in [
        (json!({"record": "carcassonne\nU; 0,1 r0"}), 422, "ply 2"),
        (json!({"record": "carcassonne\nU; 1,0 r0; rode"}), 422, "rode"),
        (json!({"record": "carcassonne players=9"}), 422, "2 to 6"),
        (json!({"record": "chess\ne4"}), 400, "a record begins with 'carcassonne …'"),
        (json!({"record": ""}), 400, "a record begins with"),
        (json!({"record": "[1, 2]"}), 422, "entry 1"),
        (json!({"record": "tinytown 5x5"}), 422, "at most 20"),
        (json!({"record": "carcassonne", "names": ["a", "b", "c"]}), 400, "3 names for 2 seats"),
        (json!({"record": "carcassonne", "names": ["a\nb"]}), 400, "printable"),
        (json!({"record": "carcassonne", "names": ["\u{202e}ada"]}), 400, "printable"),
        (json!({"record": "carcassonne", "extra": 1}), 422, "extra"),
    ] {
        let answer = ada.post("/api/import", &asked).await;
        assert!(answer.text.contains(word), "{asked}: {} {}", answer.status, answer.text);
        if word != "extra" {
            answer.refused(status);
        }
    }
    let nobody = server.client().post("/api/import", &json!({"record": "carcassonne"})).await;
    assert_eq!(nobody.refused(401), "not_logged_in");
    let library: Library = ada.get("/api/games?imported=true").await.json();
    assert!(library.games.is_empty(), "nothing was stored");
    server.stop().await;
}

#[tokio::test]
async fn the_library_has_pages_and_shows_nobody_elses_imports() {
    let server = Server::start().await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let mut ids = Vec::new();
    for seed in 0..5 {
        let asked = json!({"record": whole_game("", seed)});
        let imported: Imported = ada.post("/api/import", &asked).await.json();
        ids.push(imported.id);
    }
    ada.post("/api/import", &json!({"record": "tinytown 3x3\nbrick 0,0"})).await.ok();
    let (mut seen, mut before) = (Vec::new(), String::new());
    loop {
        let path = format!("/api/games?game=carcassonne&limit=2{before}");
        let page: Library = ada.get(&path).await.json();
        assert!(page.games.len() <= 2);
        seen.extend(page.games.into_iter().map(|game| game.info.id));
        match page.next {
            Some(next) => before = format!("&before={next}"),
            None => break,
        }
    }
    seen.sort();
    ids.sort();
    assert_eq!(seen, ids, "every game once");
    let others: Library = bob.get("/api/games").await.json();
    assert!(others.games.is_empty());
    assert_eq!(ada.get("/api/games?before=yesterday").await.refused(400), "bad_request");
    assert_eq!(ada.get("/api/games?user=nobody-here").await.refused(404), "not_found");
    server.stop().await;
}

#[tokio::test]
async fn a_users_games_are_found_among_many() {
    const GAMES: i64 = 5000;
    let server = Server::start().await;
    let ada = server.guest().await;
    let me = ada.get("/api/me").await.value();
    let (id, name) = (me["id"].as_str().unwrap(), me["name"].as_str().unwrap());
    let record = json!({"record": whole_game("players=2", 5)});
    let imported: Imported = ada.post("/api/import", &record).await.json();
    let numbers = "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL \
                   SELECT i + 1 FROM n WHERE i < $1)";
    let games = format!(
        "{numbers} INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
         pass_and_play, host, seed, seed_given, commitment, created, started, ended, result) \
         SELECT 'old' || n.i, game, setup, options, status, rated, 'public', clock, pass_and_play, \
         host, seed, seed_given, commitment, created, started, ended - n.i, result \
         FROM games CROSS JOIN n WHERE id = $2"
    );
    let seats = format!(
        "{numbers} INSERT INTO seats (game_id, seat, kind, user_id, name, nonce) \
         SELECT 'old' || n.i, seat, 'user', CASE seat WHEN 0 THEN $2 ELSE NULL END, name, nonce \
         FROM seats CROSS JOIN n WHERE game_id = $3"
    );
    let pool = &server.app.db.pool;
    let games = sqlx::query(sqlx::AssertSqlSafe(games)).bind(GAMES).bind(&imported.id);
    games.execute(pool).await.unwrap();
    let seats = sqlx::query(sqlx::AssertSqlSafe(seats)).bind(GAMES).bind(id).bind(&imported.id);
    seats.execute(pool).await.unwrap();
    let nobody = server.client();
    for path in [
        format!("/api/games?user={name}&limit=5"),
        format!("/api/games?user={name}&opponent={name}&limit=5"),
        format!("/api/games?opponent={name}&limit=5"),
        "/api/games?limit=5".to_owned(),
    ] {
        let begun = std::time::Instant::now();
        let page: Library = nobody.get(&path).await.json();
        let took = begun.elapsed();
        let found: Vec<&str> = page.games.iter().map(|game| game.info.id.as_str()).collect();
        assert_eq!(found, ["old1", "old2", "old3", "old4", "old5"], "{path}");
        assert!(took < Duration::from_secs(2), "{path}: {took:?}");
        let next = page.next.expect("there are more");
        let page: Library = nobody.get(&format!("{path}&before={next}")).await.json();
        assert_eq!(page.games[0].info.id, "old6", "{path}");
    }
}

#[tokio::test]
async fn the_library_is_narrowed_by_who_played_and_how_it_ended() {
    let server = quick().await;
    let (ada, bob) = (server.client(), server.client());
    for (client, name) in [(&ada, "ada"), (&bob, "bob")] {
        client
            .post("/api/register", &json!({"name": name, "password": "correct horse"}))
            .await
            .ok();
    }
    let duel = json!([{"kind": "me"}, {"kind": "user", "name": "bob"}]);
    let lost = new_game(&ada, duel, false).await;
    bob.post(&format!("{lost}/join"), &json!({})).await.ok();
    ada.post(&format!("{lost}/resign"), &json!({})).await.ok();
    let bot = json!({"kind": "bot", "bot": "random"});
    let three = new_game(&ada, json!([bot, bot, bot]), false).await;
    for _ in 0..600 {
        if ada.get(&three).await.value()["info"]["status"] == "over" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let found = async |query: &str| {
        let page: Library = ada.get(&format!("/api/games?{query}")).await.json();
        page.games.iter().map(|game| format!("/api/games/{}", game.info.id)).collect::<Vec<_>>()
    };
    assert_eq!(found("user=ada&opponent=bob").await, from_ref(&lost));
    assert_eq!(found("user=ada&result=lost&duel=true").await, from_ref(&lost));
    assert_eq!(found("user=bob&result=won").await, from_ref(&lost));
    assert!(found("user=bob&result=lost").await.is_empty());
    assert!(found("user=ada&result=tied").await.is_empty());
    assert_eq!(found("bot=random").await, from_ref(&three));
    assert_eq!(found("duel=false").await, from_ref(&three));
    assert!(found("until=1000").await.is_empty());
    assert_eq!(found("since=1000").await.len(), 2);
    for bad in ["bot=nobody", "result=won", "user=ada&result=drawn", "since=today"] {
        assert_eq!(ada.get(&format!("/api/games?{bad}")).await.refused(400), "bad_request");
    }
    assert_eq!(ada.get("/api/games?opponent=nobody-here").await.refused(404), "not_found");
    server.stop().await;
}

#[tokio::test]
async fn the_engine_answers_a_move_list_within_its_quota() {
    let server = Server::start_with(|config| config.limits = true).await;
    let ada = server.guest().await;
    let asked = json!({
        "record": "carcassonne\nU; 1,0 r0; road0\nE", "bot": "greedy", "top": 2, "time_ms": 200,
    });
    let thoughts: Analysis = ada.post("/api/analyse", &asked).await.json();
    assert_eq!((thoughts.seat, thoughts.best.len(), thoughts.lines.len()), (Some(1), 2, 2));
    let list = r#"[{"tile":"D","rotation":0,"position":[0,0]},{},{"tile":"U"}]"#;
    let asked = json!({"record": list, "bot": "random"});
    let by_list: Analysis = ada.post("/api/analyse", &asked).await.json();
    assert_eq!(by_list.seat, Some(0));
    let over = json!({"record": whole_game("", 1)});
    let answer = ada.post("/api/analyse", &over).await;
    assert!(answer.text.contains("the game is over"), "{}", answer.text);
    answer.refused(409);
    let wrong = ada.post("/api/analyse", &json!({"record": "carcassonne\nU; 5,5 r0"})).await;
    assert_eq!(wrong.refused(422), "illegal_move");
    for _ in 0..20 {
        let asked = json!({"record": "carcassonne\nU", "bot": "random"});
        let answer = ada.post("/api/analyse", &asked).await;
        if answer.status == 429 {
            assert_eq!(answer.refused(429), "too_many_requests");
            server.stop().await;
            return;
        }
        answer.ok();
    }
    panic!("the quota is never used up");
}

#[tokio::test]
async fn statistics_are_there_before_anybody_has_played() {
    let server = Server::start().await;
    let ada = server.guest().await;
    let me: Value = ada.get("/api/me").await.value();
    let name = me["name"].as_str().unwrap();
    let profile: Profile = ada.get(&format!("/api/users/{name}")).await.json();
    assert_eq!((profile.games, profile.streak), (0, 0));
    assert!(profile.rating_two.is_none() && profile.best_score.is_none());
    // A game that was played elsewhere is nobody's achievement.
    ada.post("/api/import", &json!({"record": whole_game("", 3)})).await.ok();
    let site: SiteStatistics = ada.get("/api/statistics").await.json();
    assert_eq!((site.guests, site.finished_games, site.tiles_placed), (1, 0, 0));
    assert!(site.highest_score.is_none() && site.first_seat_wins.is_none());
    // They are computed once for all who ask within some seconds.
    server.guest().await;
    let kept: SiteStatistics = ada.get("/api/statistics").await.json();
    assert_eq!(kept.guests, 1);
    let numbers = &server.app.site_numbers;
    let now = numbers.get(&server.app.db, Duration::ZERO).await.unwrap();
    assert_eq!(now.guests, 2);
    for pool in ["two", "many"] {
        let list = ada.get(&format!("/api/leaderboard?pool={pool}")).await.value();
        // Our bots are there from the beginning, the strongest first.
        let bots: Vec<_> = list.as_array().unwrap().iter().map(|one| &one["bot"]).collect();
        assert_eq!((bots.len(), &list[0]["place"]), (8, &json!(1)));
        assert!(bots[..2].contains(&&json!("master")), "{list}");
        assert!(list.as_array().unwrap().iter().all(|one| one["user"].is_null()), "{list}");
    }
    assert_eq!(ada.get("/api/leaderboard?pool=three").await.refused(400), "bad_request");
    assert_eq!(ada.get("/api/users/nobody-here").await.refused(404), "not_found");
    let types = ada.get("/api/game-types").await.value();
    assert_eq!(types[0]["tiles"].as_array().unwrap().len(), 24);
    server.stop().await;
}

async fn quick() -> Server {
    Server::start_with(|config| {
        config.tables.bot_time = Duration::from_millis(5);
        config.tables.bot_pause = Duration::ZERO;
    })
    .await
}

/// A new game of Carcassonne; gives its address.
async fn new_game(client: &Client, seats: Value, rated: bool) -> String {
    let mut asked = json!({
        "game": "carcassonne", "seats": seats, "rated": rated, "shuffle_seats": false,
    });
    if rated {
        asked["clock"] = json!({"kind": "game", "initial_ms": 600_000, "increment_ms": 0});
    }
    let made = client.post("/api/games", &asked).await.value();
    format!("/api/games/{}", made["info"]["id"].as_str().expect("an id"))
}

/// Plays the first legal turn as soon as it is the client's; waits for whose turn it is then.
async fn play_a_turn(client: &Client, game: &str) {
    for _ in 0..600 {
        let update = client.get(game).await.value()["update"].clone();
        if let Some(first) = update["legal"].get(0) {
            let moves = json!([first["move"], first["then"][0]]);
            let body = json!({"version": update["version"], "moves": moves});
            client.post(&format!("{game}/play"), &body).await.ok();
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it is never the client's turn");
}

#[tokio::test]
async fn a_rated_game_has_no_help_until_it_is_over_and_then_counts() {
    let server = quick().await;
    let ada = server.client();
    let account = json!({"name": "ada", "password": "correct horse"});
    let registered = ada.post("/api/register", &account).await.value();
    let user = format!("user:{}", registered["me"]["id"].as_str().unwrap());
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "shepherd"}]);
    let game = new_game(&ada, seats, true).await;
    // While it is played: no seed, no hint, no thoughts.
    assert_eq!(ada.get(&format!("{game}/fairness")).await.refused(409), "conflict");
    assert_eq!(ada.post(&format!("{game}/hint"), &json!({})).await.refused(403), "forbidden");
    assert_eq!(ada.get(&format!("{game}/thoughts?ply=1")).await.refused(403), "forbidden");
    let stranger = server.client();
    assert_eq!(stranger.get(&format!("{game}/thoughts")).await.refused(403), "forbidden");
    // Three turns each, and a fourth: that counts.
    for _ in 0..4 {
        play_a_turn(&ada, &game).await;
    }
    ada.post(&format!("{game}/resign"), &json!({})).await.ok();

    let told: Fairness = ada.get(&format!("{game}/fairness")).await.json();
    assert!(told.fair && told.drawn.len() >= 8 && told.order.len() == 71);
    let thoughts: Analysis = ada.get(&format!("{game}/thoughts?ply=1&time_ms=20")).await.json();
    assert_eq!(thoughts.seat, Some(0));
    let profile: Profile = ada.get("/api/users/Ada").await.json();
    let lost = Balance { won: 0, tied: 0, lost: 1 };
    assert_eq!((profile.games, profile.balance), (1, lost));
    assert_eq!(profile.by_level[0].label, "shepherd");
    assert_eq!(profile.by_seat[0].label, "1");
    assert_eq!(profile.recent.len(), 1);
    let rating = profile.rating_two.unwrap();
    assert!(rating.rating < 1500.0 && rating.provisional && rating.games == 1);
    assert_eq!(profile.history_two.len(), 1);
    let recomputed = server::people::ratings::recomputed(&server.app.db).await.unwrap();
    let again = recomputed[&(user, server::people::ratings::Pool::TWO)];
    assert!((again.rating.rating - rating.rating).abs() < 1e-9);
    let board = ada.get("/api/leaderboard?pool=two").await.value();
    let people = board.as_array().unwrap().iter().filter(|one| !one["user"].is_null());
    assert_eq!(people.count(), 0, "one game is not enough for the leaderboard: {board}");
    server.stop().await;
}

#[tokio::test]
async fn a_hint_is_for_the_player_of_a_casual_game_against_bots() {
    let server = quick().await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "random"}]);
    let game = new_game(&ada, seats, false).await;
    let hint: Analysis = ada.post(&format!("{game}/hint"), &json!({})).await.json();
    assert_eq!((hint.seat, hint.best.len()), (Some(0), 2));
    assert_eq!(bob.post(&format!("{game}/hint"), &json!({})).await.refused(403), "forbidden");
    let both = json!([{"kind": "me"}, {"kind": "open"}]);
    let game = new_game(&ada, both, false).await;
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    assert_eq!(ada.post(&format!("{game}/hint"), &json!({})).await.refused(403), "forbidden");
    server.stop().await;
}

#[tokio::test]
async fn a_game_of_bots_is_played_to_its_end_and_its_draws_can_be_checked() {
    let server = quick().await;
    let ada = server.guest().await;
    let seats = json!([{"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "random"}]);
    let game = new_game(&ada, seats, false).await;
    for _ in 0..600 {
        let now = ada.get(&game).await.value();
        if now["info"]["status"] == "over" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let told: Fairness = ada.get(&format!("{game}/fairness")).await.json();
    assert!(told.fair, "{told:?}");
    assert_eq!(told.drawn, told.order);
    let record = ada.get(&format!("{game}/record")).await.ok().text;
    let replayed = carcassonne::interpret(&record).unwrap();
    let replay: Replay = ada.get(&format!("{game}/replay")).await.json();
    assert_eq!(replay.view["scores"], json!(replayed.game.scores().as_slice()));
    // One that is called off is no game that was played.
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "random"}]);
    let called_off = new_game(&ada, seats, false).await;
    ada.post(&format!("{called_off}/abort"), &json!({})).await.ok();
    assert_eq!(ada.get(&called_off).await.value()["info"]["status"], "over");
    let site: SiteStatistics = ada.get("/api/statistics").await.json();
    assert_eq!((site.finished_games, site.games_today), (1, 1));
    assert!(site.tiles_placed >= 60 && site.highest_score.is_some());
    let library: Library = server.client().get("/api/games").await.json();
    assert_eq!(library.games.len(), 2, "public games are in everybody's library");
    server.stop().await;
}

#[tokio::test]
async fn positions_are_drawn_for_everybody_and_private_games_for_nobody() {
    let server = Server::start().await;
    let (ada, stranger) = (server.guest().await, server.client());
    let asked = json!({"record": whole_game("players=2", 9), "names": ["Ada", "Grace"]});
    let imported: Imported = ada.post("/api/import", &asked).await.json();
    let path = format!("/api/games/{}/picture", imported.id);
    let fetch = async |client: &Client, path: &str| {
        let answer = client.request(reqwest::Method::GET, path).send().await.expect("an answer");
        let (status, headers) = (answer.status(), answer.headers().clone());
        (status.as_u16(), headers, answer.bytes().await.expect("a body"))
    };
    // Even to its host: what can be embedded anywhere shows only what everybody may see.
    let hidden = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "shepherd"}],
        "visibility": "private"});
    let hidden = ada.post("/api/games", &hidden).await.value();
    let hidden = format!("/api/games/{}", hidden["info"]["id"].as_str().unwrap());
    ada.get(&hidden).await.ok();
    assert_eq!(fetch(&ada, &format!("{hidden}/picture")).await.0, 404);
    assert_eq!(fetch(&ada, &format!("{hidden}/animation")).await.0, 404);

    let (status, headers, png) = fetch(&stranger, &format!("{path}?ply=40&size=300")).await;
    assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, "image/png"));
    assert_eq!(headers["cross-origin-resource-policy"], "cross-origin");
    assert_eq!(&png[1..4], b"PNG");
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert!(side(16).max(side(20)) <= 300 && side(16).max(side(20)) > 200);
    let tag = headers["etag"].clone();
    let again = stranger.request(reqwest::Method::GET, &format!("{path}?ply=40&size=300"));
    let again = again.header("if-none-match", tag).send().await.expect("an answer");
    assert_eq!(again.status().as_u16(), 304);

    let (_, headers, svg) = fetch(&stranger, &format!("{path}?format=svg")).await;
    assert_eq!(headers["content-type"], "image/svg+xml");
    assert!(svg.starts_with(b"<svg "));
    let (_, headers, card) = fetch(&stranger, &format!("{path}?format=card")).await;
    assert_eq!(headers["content-type"], "image/png");
    let side = |at: usize| u32::from_be_bytes(card[at..at + 4].try_into().unwrap());
    assert_eq!((side(16), side(20)), (1200, 630));
    for bad in ["?ply=9999", "?size=5", "?size=90000", "?format=bmp", "?format=", "?plies=3"] {
        assert_eq!(fetch(&stranger, &format!("{path}{bad}")).await.0, 400, "{bad}");
    }
    let animation = format!("/api/games/{}/animation", imported.id);
    let (status, headers, gif) = fetch(&stranger, &animation).await;
    assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, "image/gif"));
    assert_eq!(&gif[..6], b"GIF89a");
    // Nothing else may be embedded.
    let (_, headers, _) = fetch(&stranger, &format!("/api/games/{}/replay", imported.id)).await;
    assert_eq!(headers["cross-origin-resource-policy"], "same-origin");
    assert_eq!(fetch(&stranger, "/api/games/nowhere/picture").await.0, 404);
    server.stop().await;
}
