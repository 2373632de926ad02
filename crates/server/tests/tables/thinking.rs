//! How long people think is kept for each turn, and summed up for each game.

use crate::common::Server;
use crate::support::*;
use game::Random;
use serde_json::json;
use server::wire::SignKind;
use sqlx::Row;
use std::time::Duration;

#[tokio::test]
async fn the_time_of_every_turn_is_kept_and_summed_up_when_the_game_is_over() {
    let server = quick_server().await;
    let host = server.guest().await;
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "shepherd"}]);
    let body = json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false});
    let id = new_game(&host, &body).await;
    let mut random = Random::new(1);
    for _ in 0..3 {
        until(&host, &id, |state| state["update"]["turn"] == 0).await;
        tokio::time::sleep(Duration::from_millis(700)).await;
        play_turn(&[&host], &id, &mut random).await;
    }
    until(&host, &id, |state| state["update"]["turn"] == 0).await;
    let sql = "SELECT seat, kind, spent FROM log WHERE game_id = $1 ORDER BY ply";
    let rows = sqlx::query(sql).bind(&id).fetch_all(&server.app.db.pool).await.unwrap();
    let times: Vec<(Option<i64>, i64)> = rows
        .iter()
        .filter_map(|row| Some((row.get("seat"), row.get::<Option<i64>, _>("spent")?)))
        .collect();
    assert_eq!(times.len(), 3, "one time a turn, and none for the bot: {times:?}");
    assert!(times.iter().all(|(seat, ms)| *seat == Some(0) && *ms >= 700), "{times:?}");
    host.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    let sql = "SELECT seat, user_id, turns, mean_ms, deviation_ms, instant, agreement \
               FROM thinking WHERE game_id = $1";
    let rows = sqlx::query(sql).bind(&id).fetch_all(&server.app.db.pool).await.unwrap();
    assert_eq!(rows.len(), 1, "our bots are not watched");
    let row = &rows[0];
    assert_eq!(row.get::<String, _>("user_id"), user_id(&host).await);
    assert_eq!((row.get::<i64, _>("turns"), row.get::<i64, _>("instant")), (3, 0));
    assert!(row.get::<f64, _>("mean_ms") >= 700.0);
    assert_eq!(row.get::<Option<f64>, _>("agreement"), None, "no review has told yet");
}

/// A finished rated game of two accounts, written as the tables would.
async fn finished(server: &Server, id: &str, users: [&str; 2], ratings: [f64; 2], change: f64) {
    let now = server::time::now();
    let sql = "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
               pass_and_play, host, seed, seed_given, commitment, created, ended, turns) VALUES \
               ($1, 'carcassonne', '', '{}', 'over', 1, 'public', '{}', 0, $2, '', 0, '', $3, $3, 60)";
    let insert = sqlx::query(sql).bind(id).bind(users[0]).bind(now);
    insert.execute(&server.app.db.pool).await.unwrap();
    for seat in 0..2 {
        let sql = "INSERT INTO seats (game_id, seat, kind, user_id, name, nonce, place, rating, \
                   rating_change) VALUES ($1, $2, 'user', $3, '', '', $4, $5, $6)";
        let place = i64::try_from(seat).unwrap() + 1;
        let change = if seat == 0 { change } else { -change };
        let insert = sqlx::query(sql).bind(id).bind(place - 1).bind(users[seat]).bind(place);
        insert.bind(ratings[seat]).bind(change).execute(&server.app.db.pool).await.unwrap();
        let sql = "INSERT INTO thinking (game_id, seat, user_id, ended, turns, mean_ms, \
                   deviation_ms, instant) VALUES ($1, $2, $3, $4, 30, 4000.0, $5, 0)";
        let deviation = if seat == 0 { 300.0 } else { 3000.0 };
        let insert = sqlx::query(sql).bind(id).bind(place - 1).bind(users[seat]).bind(now);
        insert.bind(deviation).execute(&server.app.db.pool).await.unwrap();
    }
}

#[tokio::test]
async fn players_who_stand_out_are_listed_with_the_figures_and_others_are_not() {
    let server = quick_server().await;
    let (steady, victim, other) =
        (registered(&server).await, registered(&server).await, registered(&server).await);
    let (steady, victim) = (user_id(&steady).await, user_id(&victim).await);
    assert!(server::people::fairplay::standouts(&server.app.db).await.unwrap().is_empty());
    for number in 0..10 {
        let id = format!("game{number}");
        finished(&server, &id, [&steady, &victim], [1500.0, 1800.0], 40.0).await;
    }
    let leaver = user_id(&other).await;
    for number in 0..5 {
        let sql = "INSERT INTO early_exits (user_id, game_id, at) VALUES ($1, $2, $3)";
        let insert = sqlx::query(sql).bind(&leaver).bind(format!("game{number}"));
        insert.bind(server::time::now()).execute(&server.app.db.pool).await.unwrap();
    }
    let listed = server::people::fairplay::standouts(&server.app.db).await.unwrap();
    let signs = |user: &str| -> Vec<(SignKind, f64, u32)> {
        let found = listed.iter().find(|one| one.user.id == user);
        let signs = found.map_or(&[][..], |one| &one.signs);
        signs.iter().map(|sign| (sign.kind, sign.value, sign.games)).collect()
    };
    assert_eq!(listed[0].user.id, steady, "the most signs come first");
    let expected = [
        (SignKind::Steady, 0.075, 10),
        (SignKind::Upsets, 1.0, 10),
        (SignKind::Rise, 400.0, 10),
        (SignKind::Pair, 10.0, 10),
    ];
    assert_eq!(signs(&steady), expected);
    assert_eq!(signs(&victim), [(SignKind::Pair, 10.0, 10)]);
    assert_eq!(signs(&leaver), [(SignKind::Exits, 5.0, 5)]);
    assert_eq!(listed.len(), 3);
    // Moderators see it, and nobody else.
    let path = "/api/moderation/standouts";
    assert_eq!(server.client().get(path).await.refused(401), "not_logged_in");
    assert_eq!(other.get(path).await.refused(403), "forbidden");
    let sql = "UPDATE users SET role = 'moderator' WHERE id = $1";
    sqlx::query(sql).bind(&leaver).execute(&server.app.db.pool).await.unwrap();
    assert_eq!(other.get(path).await.value().as_array().unwrap().len(), 3);
}
