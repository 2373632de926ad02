//! Taking back a game's rating: ranking, profile and seats are as if it had not been rated.

use crate::common::{Client, Server};
use crate::support::*;
use serde_json::{Value, json};
use server::people::accounts::Role;
use server::people::ratings::{annul, on_game_over, recomputed};
use sqlx::{AnyConnection, Row};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A rated game of two that is over; the first one won.
async fn rated(server: &Server, id: &str, ended: i64, winner: &str, loser: &str) {
    let mut changes = server.app.db.begin().await.unwrap();
    insert_rated(&mut changes, id, ended, winner, loser).await;
    changes.commit().await.unwrap();
}

async fn insert_rated(
    changes: &mut AnyConnection,
    id: &str,
    ended: i64,
    winner: &str,
    loser: &str,
) {
    let result = json!({"winners": [0], "scores": [50, 40], "places": [1, 2], "reason": "normal"});
    let sql = "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
               pass_and_play, host, seed, seed_given, commitment, created, ended, result, turns) \
               VALUES ($1, 'carcassonne', 'players=2', '{}', 'over', 1, 'public', \
               '{\"kind\":\"none\"}', 0, $2, $3, 0, '', 0, $4, $5, 60)";
    let insert = sqlx::query(sql).bind(id).bind(winner).bind("00".repeat(32)).bind(ended);
    insert.bind(result.to_string()).execute(&mut *changes).await.unwrap();
    for (seat, user) in [winner, loser].into_iter().enumerate() {
        let sql = "INSERT INTO seats (game_id, seat, kind, user_id, name, nonce, place, score) \
                   VALUES ($1, $2, 'user', $3, $3, 'n', $4, 1)";
        let insert = sqlx::query(sql).bind(id).bind(seat as i64).bind(user).bind(seat as i64 + 1);
        insert.execute(&mut *changes).await.unwrap();
    }
    on_game_over(changes, id).await.unwrap();
}

/// The stored ratings: subject, rating, deviation, volatility, games.
async fn stored(server: &Server) -> BTreeMap<String, (f64, f64, f64, i64)> {
    let sql = "SELECT subject, rating, deviation, volatility, games FROM ratings";
    let rows = sqlx::query(sql).fetch_all(&server.app.db.pool).await.unwrap();
    let number = |row: &sqlx::any::AnyRow, column: &str| row.get::<f64, _>(column);
    rows.iter()
        .map(|row| {
            let rating =
                (number(row, "rating"), number(row, "deviation"), number(row, "volatility"));
            (row.get("subject"), (rating.0, rating.1, rating.2, row.get("games")))
        })
        .collect()
}

async fn change_of(client: &Client, game: &str, seat: usize) -> Value {
    client.get(&format!("/api/games/{game}")).await.value()["info"]["seats"][seat]["rating_change"]
        .clone()
}

#[tokio::test]
async fn a_game_that_is_taken_back_was_never_rated() {
    let server = Server::start().await;
    let mut people = Vec::new();
    for _ in 0..4 {
        let (client, name) = registered(&server).await;
        let id = id_of(&client).await;
        people.push((client, name, id));
    }
    let [a, b, c, d] = [0, 1, 2, 3].map(|n: usize| people[n].2.as_str());
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    // Beside the tainted game: what came before, what it led to, what has nothing to do with it.
    for (id, ended, winner, loser) in [
        ("before00aa", 1000, a, b),
        ("tainted0aa", 2000, a, b),
        ("later000aa", 3000, b, c),
        ("apart000aa", 3500, d, c),
        ("later000bb", 4000, a, c),
        ("later000cc", 5000, d, a),
    ] {
        rated(&server, id, ended, winner, loser).await;
    }
    let before = stored(&server).await;
    assert_eq!(before[&format!("user:{a}")].3, 4);
    let path = "/api/moderation/games/tainted0aa/annul";
    assert_eq!(moderator.post(path, &json!({"reason": ""})).await.refused(400), "bad_request");
    let because = json!({"reason": "lost on purpose"});
    moderator.post(path, &because).await.ok();
    assert_eq!(moderator.post(path, &because).await.refused(409), "conflict");

    // As if all games but this one were rated from the start.
    let expected = recomputed(&server.app.db).await.unwrap();
    let after = stored(&server).await;
    assert_eq!(after.len(), expected.len());
    for ((subject, _), standing) in &expected {
        let (rating, deviation, volatility, games) = after[subject];
        assert!((rating - standing.rating.rating).abs() < 1e-9, "{subject}");
        assert!((deviation - standing.rating.deviation).abs() < 1e-9, "{subject}");
        assert!((volatility - standing.rating.volatility).abs() < 1e-9, "{subject}");
        assert_eq!(games, standing.games, "{subject}");
    }
    assert_ne!(after[&format!("user:{c}")], before[&format!("user:{c}")], "its effects too");
    assert_eq!(after[&format!("user:{a}")].3, 3);

    // Seats, tables, profiles and the log follow.
    let info = moderator.get("/api/games/tainted0aa").await.value()["info"].clone();
    assert_eq!((&info["not_rated"], &info["rating_weight"]), (&json!("annulled"), &Value::Null));
    assert_eq!(change_of(&moderator, "tainted0aa", 0).await, Value::Null);
    for (game, winner) in [("later000aa", b), ("later000bb", a), ("later000cc", d)] {
        let change = change_of(&moderator, game, 0).await.as_f64().unwrap();
        let sql = "SELECT rating FROM rating_history WHERE game_id = $1 AND subject = $2";
        let rating: f64 = sqlx::query_scalar(sql)
            .bind(game)
            .bind(format!("user:{winner}"))
            .fetch_one(&server.app.db.pool)
            .await
            .unwrap();
        let sql = "SELECT rating FROM seats WHERE game_id = $1 AND seat = 0";
        let was: f64 =
            sqlx::query_scalar(sql).bind(game).fetch_one(&server.app.db.pool).await.unwrap();
        assert!((was + change - rating).abs() < 1e-9, "{game}");
    }
    let profile = moderator.get(&format!("/api/users/{}", people[0].1)).await.value();
    assert_eq!(profile["history_two"].as_array().unwrap().len(), 3);
    let shown = profile["rating_two"]["rating"].as_f64().unwrap();
    assert!((shown - after[&format!("user:{a}")].0).abs() < 1e-9);
    let last = profile["history_two"][2]["rating"].as_f64().unwrap();
    assert!((last - shown).abs() < 1e-9, "the plot ends where the rating is");
    let log = moderator.get("/api/moderation/audit").await.ok().text;
    assert!(log.contains("annul_rating") && log.contains("lost on purpose"), "{log}");
}

#[tokio::test]
async fn the_only_game_of_two_leaves_no_rating_behind() {
    let server = Server::start().await;
    let (first, _) = registered(&server).await;
    let (second, _) = registered(&server).await;
    let (administrator, _) = with_role(&server, Role::Administrator).await;
    rated(&server, "onlygame00", 1000, &id_of(&first).await, &id_of(&second).await).await;
    let because = json!({"reason": "one person on both seats"});
    administrator.post("/api/moderation/games/onlygame00/annul", &because).await.ok();
    assert!(stored(&server).await.is_empty());
}

#[tokio::test]
async fn what_was_not_rated_or_is_ones_own_is_not_taken_back() {
    let server = Server::start().await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let (other, _) = registered(&server).await;
    let because = json!({"reason": "I lost"});
    let casual = game_of(&other, &server.guest().await).await;
    let path = |game: &str| format!("/api/moderation/games/{game}/annul");
    assert_eq!(moderator.post(&path(&casual), &because).await.refused(409), "conflict");
    assert_eq!(moderator.post(&path("nonesuch"), &because).await.refused(404), "not_found");
    rated(&server, "myown00000", 1000, &id_of(&other).await, &id_of(&moderator).await).await;
    assert_eq!(moderator.post(&path("myown00000"), &because).await.refused(403), "forbidden");
    let (colleague, _) = with_role(&server, Role::Moderator).await;
    let (administrator, _) = with_role(&server, Role::Administrator).await;
    rated(&server, "theirs0000", 1000, &id_of(&other).await, &id_of(&colleague).await).await;
    assert_eq!(moderator.post(&path("theirs0000"), &because).await.refused(403), "forbidden");
    administrator.post(&path("theirs0000"), &because).await.ok();
}

/// Takes back the first game of a chain of so many, and makes games meanwhile. How many were made
/// before it was done, the longest that one of them took, and how long all of it took.
async fn annul_among(later: i64) -> (usize, Duration, Duration) {
    let server = Server::start().await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(id_of(&registered(&server).await.0).await);
    }
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let maker = server.guest().await;
    rated(&server, "tainted0aa", 1000, &ids[0], &ids[1]).await;
    let mut changes = server.app.db.begin().await.unwrap();
    for game in 0..later {
        // The days between them let each one count fully.
        let at = 2000 + game * server::time::DAY;
        let players = [&ids[(game % 4) as usize], &ids[((game + 1) % 4) as usize]];
        insert_rated(&mut changes, &format!("later{game:06}"), at, players[0], players[1]).await;
    }
    changes.commit().await.unwrap();
    let begun = Instant::now();
    let annulled = tokio::spawn(async move {
        let because = json!({"reason": "lost on purpose"});
        moderator.post("/api/moderation/games/tainted0aa/annul", &because).await.ok();
    });
    let (mut made, mut longest) = (0, Duration::ZERO);
    while !annulled.is_finished() {
        let asked = Instant::now();
        let wanted = json!({"game": "tinytown", "seats": [{"kind": "me"}]});
        maker.post("/api/games", &wanted).await.ok();
        longest = longest.max(asked.elapsed());
        made += 1;
    }
    let whole = begun.elapsed();
    annulled.await.unwrap();
    let after = stored(&server).await;
    for ((subject, _), standing) in recomputed(&server.app.db).await.unwrap() {
        assert!((after[&subject].0 - standing.rating.rating).abs() < 1e-6, "{subject}");
        assert_eq!(after[&subject].3, standing.games, "{subject}");
    }
    server.stop().await;
    (made, longest, whole)
}

#[tokio::test]
async fn what_a_killed_server_left_to_recompute_is_done_after_the_next_start() {
    let server = Server::start().await;
    let (ada, bob) = (registered(&server).await.0, registered(&server).await.0);
    let (ada, bob) = (id_of(&ada).await, id_of(&bob).await);
    rated(&server, "tainted0aa", 1000, &ada, &bob).await;
    rated(&server, "later00001", 1000 + server::time::DAY, &bob, &ada).await;
    // A server that took the game back and was killed before it came to the later one.
    let mut changes = server.app.db.begin().await.unwrap();
    assert!(annul(&mut changes, "tainted0aa").await.unwrap());
    changes.commit().await.unwrap();
    let before = stored(&server).await;
    let server = server.restart().await;
    let wanted = recomputed(&server.app.db).await.unwrap();
    let done = async || {
        let now = stored(&server).await;
        wanted
            .iter()
            .all(|((subject, _), standing)| (now[subject].0 - standing.rating.rating).abs() < 1e-6)
    };
    let begun = Instant::now();
    while !done().await {
        assert!(begun.elapsed() < Duration::from_secs(20), "ratings stand as before: {before:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn moves_are_written_while_later_games_are_recomputed() {
    let (made, longest, whole) = annul_among(1500).await;
    assert!(made >= 5, "{made} games were made, the longest in {longest:?} of {whole:?}");
}

#[tokio::test]
#[ignore = "measures; shows what others wait for while 10,000 games are recomputed"]
async fn waiting_while_ten_thousand_games_are_recomputed() {
    let (made, longest, whole) = annul_among(10_000).await;
    println!("recomputed in {whole:?}; {made} games made meanwhile, the longest in {longest:?}");
}
