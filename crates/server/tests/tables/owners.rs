//! One server changes the games of a database: one that lost its right changes nothing.

use crate::common::{Answer, Client, Server};
use crate::support::{game_for_two, new_game, pick_turn, play_turns, quick_server, state, user_id};
use game::Random;
use reqwest::Method;
use serde_json::{Value, json};
use server::StartError;
use server::storage::db::{DatabaseKind, OpenError};
use sqlx::Row;
use std::time::Duration;

/// Ends what shows that a server owns its database, as an operator or a network might.
async fn end_the_lock(server: &Server) {
    match server.app.db.kind {
        DatabaseKind::Sqlite => {
            let lock = server.config.data.join("bastide.db.lock");
            std::fs::remove_file(lock).expect("the lock is a file beside the database");
        }
        DatabaseKind::Postgres => {
            let sql = "SELECT pg_terminate_backend(l.pid)::text FROM pg_locks l \
                       JOIN pg_database d ON d.oid = l.database \
                       WHERE l.locktype = 'advisory' AND d.datname = current_database()";
            sqlx::query(sql).fetch_all(&server.app.db.pool).await.expect("it may be ended");
        }
    }
}

/// A second server on the same database, though the first still runs.
async fn taken_over(server: &Server) -> Server {
    for _ in 0..10 {
        let second = server.beside();
        // It waits for the lock; the first one notices the end only a little later.
        let end = async {
            tokio::time::sleep(Duration::from_millis(150)).await;
            end_the_lock(server).await;
        };
        let (second, ()) = tokio::join!(second, end);
        match second {
            Ok(second) => return second,
            // The first one was quicker and has it again.
            Err(StartError::Database(OpenError::InUse(_))) => {}
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the first server was always quicker");
}

/// Everything that the games of a database are made of.
async fn rows(server: &Server) -> Vec<String> {
    let mut all = Vec::new();
    for sql in [
        "SELECT id || ' ' || status || ' ' || COALESCE(rematch, '') FROM games ORDER BY id",
        "SELECT game_id || seat || kind || COALESCE(user_id, '') || COALESCE(out_reason, '') \
         FROM seats ORDER BY game_id, seat",
        "SELECT game_id || ' ' || ply || ' ' || body FROM log ORDER BY game_id, ply",
        "SELECT game_id || ' ' || number || text FROM chat ORDER BY game_id, number",
        "SELECT subject || rating FROM ratings ORDER BY subject, pool",
    ] {
        let found = sqlx::query(sql).fetch_all(&server.app.db.pool).await.unwrap();
        all.extend(found.iter().map(|row| row.try_get::<String, _>(0).unwrap()));
    }
    all
}

/// A request that must not succeed; its server may have ended.
async fn fails(client: &Client, path: &str, body: &Value) {
    if let Ok(answer) = client.request(Method::POST, path).json(body).send().await {
        let (status, text) = (answer.status(), answer.text().await.unwrap_or_default());
        assert!(!status.is_success(), "{path}: {status} {text}");
        assert!(!status.is_server_error() || status == 503, "{path}: {status} {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_lost_the_database_changes_nothing() {
    let mut first = quick_server().await;
    let (host, other, id) = game_for_two(&first, json!({})).await;
    play_turns(&[&host, &other], &id, 3, &mut Random::new(1)).await;
    let open = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]});
    let waiting = new_game(&host, &open).await;
    let (second_guest, third) = (first.guest().await, first.guest().await);
    let record = host.get(&format!("/api/games/{id}/record")).await.ok().text;

    let second = taken_over(&first).await;
    let joined = second_guest.moved_to(second.address);
    joined.post(&format!("/api/games/{waiting}/join"), &json!({})).await.ok();
    let before = rows(&second).await;
    for player in [&host, &other] {
        let update = state(&player.moved_to(second.address), &id).await["update"].clone();
        if update["legal"].is_array() {
            let moves = pick_turn(&update, &mut Random::new(2));
            let body = json!({"version": update["version"], "moves": moves});
            fails(player, &format!("/api/games/{id}/play"), &body).await;
        }
    }
    fails(&third, &format!("/api/games/{waiting}/join"), &json!({})).await;
    fails(&host, "/api/games", &open).await;
    fails(&host, "/api/import", &json!({"record": record})).await;
    fails(&host, &format!("/api/games/{id}/chat"), &json!({"text": "who is there?"})).await;
    fails(&other, &format!("/api/games/{id}/resign"), &json!({})).await;
    assert_eq!(rows(&second).await, before, "the first server changed something");
    let seat = state(&joined, &waiting).await["info"]["seats"].to_string();
    assert!(seat.contains(&user_id(&joined).await), "the seat is whose it was: {seat}");

    // It knows that it has nothing to say any more: it is not ready, and ends.
    let ended = tokio::time::timeout(Duration::from_secs(30), first.ended()).await;
    assert!(ended.expect("it ends by itself").is_err(), "and says why");
    play_turns(
        &[&host.moved_to(second.address), &other.moved_to(second.address)],
        &id,
        2,
        &mut Random::new(3),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_that_ended_is_taken_again() {
    let server = quick_server().await;
    if server.app.db.kind == DatabaseKind::Sqlite {
        // The system keeps the lock on a file as long as the process lives.
        return;
    }
    let (host, other, id) = game_for_two(&server, json!({})).await;
    end_the_lock(&server).await;
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let sql = "SELECT COUNT(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database \
                   WHERE l.locktype = 'advisory' AND d.datname = current_database()";
        let held: i64 = sqlx::query_scalar(sql).fetch_one(&server.app.db.pool).await.unwrap();
        if held > 0 {
            break;
        }
    }
    assert!(matches!(
        server.beside().await.map(|_| ()),
        Err(StartError::Database(OpenError::InUse(_)))
    ));
    let ready = async || Answer::of(server.client().request(Method::GET, "/readyz")).await.status;
    for _ in 0..50 {
        if ready().await == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(ready().await, 200);
    play_turns(&[&host, &other], &id, 2, &mut Random::new(1)).await;
}

/// PostgreSQL ends one of two transactions that wait for each other; if it is the journal's, the
/// player does not notice.
#[tokio::test(flavor = "multi_thread")]
async fn a_deadlock_refuses_nobody() {
    let server = quick_server().await;
    if server.app.db.kind == DatabaseKind::Sqlite {
        // It has one writer at a time.
        return;
    }
    let (host, _other, id) = game_for_two(&server, json!({})).await;
    let mut rival = server.app.db.begin().await.unwrap();
    let seats = "UPDATE seats SET name = name WHERE game_id = $1";
    sqlx::query(seats).bind(&id).execute(&mut *rival).await.unwrap();
    let path = format!("/api/games/{id}/resign");
    let nothing = json!({});
    let (resigned, ()) = tokio::join!(host.post(&path, &nothing), async {
        // The journal holds the row of the owner and waits for the seat.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let owner = "UPDATE owner SET alive = alive WHERE id = 1";
        // If this one is ended instead, the journal goes on in any case.
        let _ = sqlx::query(owner).execute(&mut *rival).await;
        let _ = rival.commit().await;
    });
    resigned.ok();
    assert_eq!(state(&host, &id).await["info"]["status"], "over");
}

/// Whatever a table believes, a seat on which somebody sits is not given to another.
#[tokio::test]
async fn a_seat_that_was_taken_elsewhere_is_not_taken_again() {
    let server = quick_server().await;
    let (host, seated, third) = (server.guest().await, server.guest().await, server.guest().await);
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}],
        "shuffle_seats": false});
    let id = new_game(&host, &body).await;
    let sql = "UPDATE seats SET kind = 'user', user_id = $1 WHERE game_id = $2 AND seat = 1";
    let seated_id = user_id(&seated).await;
    sqlx::query(sql).bind(&seated_id).bind(&id).execute(&server.app.db.pool).await.unwrap();
    let join = format!("/api/games/{id}/join");
    third.post(&join, &json!({})).await.refused(503);
    let sits = "SELECT user_id FROM seats WHERE game_id = $1 AND seat = 1";
    let sits: String =
        sqlx::query_scalar(sits).bind(&id).fetch_one(&server.app.db.pool).await.unwrap();
    assert_eq!(sits, seated_id, "a third player took the seat");
    // The table reads its rows again, and then knows better.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    third.post(&join, &json!({})).await.refused(409);
}
