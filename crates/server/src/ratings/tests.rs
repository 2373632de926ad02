//! What players must be able to rely on in their ratings.

use super::*;

async fn database() -> Db {
    let folder = std::env::temp_dir().join(format!("bastide_ratings_{}", crate::ids::new_id()));
    std::fs::create_dir_all(&folder).unwrap();
    let url = format!("sqlite:{}?mode=rwc", folder.join("t.db").display());
    Db::open(&url, 2).await.unwrap()
}

async fn run(db: &Db, sql: &'static str, values: &[&str]) {
    let query = values.iter().fold(sqlx::query(sql), |query, value| query.bind(*value));
    query.execute(&db.pool).await.unwrap();
}

/// A game that is over; a seat that begins with `bot ` is a bot's.
async fn game(db: &Db, id: &str, ended: i64, seats: &[&str], places: &[usize], rated: bool) {
    let result = GameResult {
        winners: Vec::new(),
        scores: vec![0; seats.len()],
        places: places.to_vec(),
        reason: if places.is_empty() { Reason::Abort } else { Reason::Normal },
    };
    let sql = "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
               pass_and_play, host, seed, seed_given, commitment, created, ended, result, turns) VALUES \
               ($1, 'carcassonne', '', '{}', 'over', $2, 'public', '{}', 0, 'u', '', 0, '', 0, \
               $3, $4, 60)";
    let insert = sqlx::query(sql).bind(id).bind(i64::from(rated)).bind(ended);
    insert.bind(serde_json::to_string(&result).unwrap()).execute(&db.pool).await.unwrap();
    for (seat, name) in seats.iter().enumerate() {
        let (user, bot) = match name.strip_prefix("bot ") {
            Some(bot) => (None, Some(bot)),
            None => (Some(*name), None),
        };
        let sql = "INSERT INTO seats (game_id, seat, kind, user_id, bot, name, nonce) \
                   VALUES ($1, $2, 'user', $3, $4, '', '')";
        let insert = sqlx::query(sql).bind(id).bind(seat as i64).bind(user).bind(bot);
        insert.execute(&db.pool).await.unwrap();
    }
    let mut transaction = db.pool.begin().await.unwrap();
    on_game_over(&mut transaction, id).await.unwrap();
    transaction.commit().await.unwrap();
}

async fn stored(db: &Db) -> BTreeMap<(String, Pool), Standing> {
    let mut all = BTreeMap::new();
    let rows = sqlx::query("SELECT subject, pool FROM ratings").fetch_all(&db.pool).await.unwrap();
    for row in rows {
        let (subject, name): (String, String) = (row.get("subject"), row.get("pool"));
        let pool = Pool::ALL.into_iter().find(|pool| pool.name() == name).unwrap();
        let mut connection = db.pool.acquire().await.unwrap();
        let standing = Standing::read(&mut connection, &subject, pool).await.unwrap();
        all.insert((subject, pool), standing);
    }
    all
}

#[tokio::test]
async fn ratings_are_settled_once_and_follow_from_the_games() {
    let db = database().await;
    run(
        &db,
        "INSERT INTO users (id, name, name_key, guest, created, seen) \
              VALUES ('u', 'u', 'u', 0, 0, 0)",
        &[],
    )
    .await;
    game(&db, "g1", 100, &["ada", "bob"], &[1, 2], true).await;
    // Ended before the first one was written, and at the same moment as the next.
    game(&db, "g2", 90, &["bob", "bot mason"], &[1, 1], true).await;
    game(&db, "g3", 90, &["ada", "bot mason", "bot mason", "eve"], &[2, 1, 4, 3], true).await;
    game(&db, "g4", 90, &["ada", "bob"], &[2, 1], true).await;
    game(&db, "casual", 91, &["ada", "bob"], &[1, 2], false).await;
    game(&db, "aborted", 92, &["ada", "bob"], &[], true).await;
    game(&db, "alone", 93, &["bot mason", "bot mason"], &[1, 2], true).await;
    let first = stored(&db).await;
    let expected = [
        ("bot:carcassonne/mason", Pool::Two, 1),
        ("bot:carcassonne/mason", Pool::Many, 1),
        ("user:ada", Pool::Two, 2),
        ("user:ada", Pool::Many, 1),
        ("user:bob", Pool::Two, 3),
        ("user:eve", Pool::Many, 1),
    ];
    let games: Vec<_> =
        first.iter().map(|((subject, pool), s)| (subject.as_str(), *pool, s.games)).collect();
    assert_eq!(games, expected);
    for id in ["g1", "g2", "g3", "g4"] {
        let mut transaction = db.pool.begin().await.unwrap();
        on_game_over(&mut transaction, id).await.unwrap();
        transaction.commit().await.unwrap();
    }
    assert_eq!(stored(&db).await, first, "a game counts once");
    assert_eq!(recomputed(&db).await.unwrap(), first, "ratings follow from the games");
    let sql = "SELECT rating, rating_change FROM seats WHERE game_id = 'g1' ORDER BY seat";
    let rows = sqlx::query(sql).fetch_all(&db.pool).await.unwrap();
    let changes: Vec<f64> = rows.iter().map(|row| row.get("rating_change")).collect();
    assert!(changes[0] > 100.0 && (changes[0] + changes[1]).abs() < 1e-6, "{changes:?}");
    assert!(rows.iter().all(|row| row.get::<f64, _>("rating") == 1500.0));
}

#[tokio::test]
async fn a_transaction_that_is_not_committed_changes_no_rating() {
    let db = database().await;
    run(
        &db,
        "INSERT INTO users (id, name, name_key, guest, created, seen) \
              VALUES ('u', 'u', 'u', 0, 0, 0)",
        &[],
    )
    .await;
    game(&db, "g1", 100, &["ada", "bob"], &[1, 2], true).await;
    let before = stored(&db).await;
    let mut transaction = db.pool.begin().await.unwrap();
    let sql = "DELETE FROM rating_history";
    sqlx::query(sql).execute(&mut *transaction).await.unwrap();
    on_game_over(&mut transaction, "g1").await.unwrap();
    transaction.rollback().await.unwrap();
    assert_eq!(stored(&db).await, before);
}
