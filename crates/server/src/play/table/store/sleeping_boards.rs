//! The rows by which boards of games that sleep are found: a few numbers each.

use crate::games::SKETCH;
use crate::storage::db::{Bound, Db, Statement};
use sqlx::AssertSqlSafe;

/// How many numbers a board is kept under.
pub(in crate::play::table) const MARKS: usize = SKETCH + 1;

/// How many boards are compared with a question at most; it has hardly ever one.
const COMPARED: i64 = 64;

/// What keeps a board while its game sleeps.
pub(in crate::play::table) fn keep(game: &str, marks: [i64; MARKS]) -> Vec<Statement> {
    let mut values = vec![game.into()];
    values.extend(marks.into_iter().map(Bound::from));
    vec![
        forget(game),
        Statement::new(
            "INSERT INTO sleeping_boards (game_id, mark) VALUES ($1, $2), ($1, $3), ($1, $4), \
             ($1, $5), ($1, $6), ($1, $7), ($1, $8) ON CONFLICT DO NOTHING",
            values,
        ),
    ]
}

/// What forgets it again.
pub(in crate::play::table) fn forget(game: &str) -> Statement {
    Statement::new("DELETE FROM sleeping_boards WHERE game_id = $1", vec![game.into()])
}

/// Games that sleep whose boards are kept under one of these numbers.
pub(in crate::play::table) async fn find(
    db: &Db,
    marks: Vec<i64>,
) -> Result<Vec<String>, sqlx::Error> {
    let places: Vec<String> = (1..=marks.len()).map(|place| format!("${place}")).collect();
    let sql = format!(
        "SELECT DISTINCT game_id FROM sleeping_boards WHERE mark IN ({}) LIMIT {COMPARED}",
        places.join(", ")
    );
    let mut query = sqlx::query_scalar(AssertSqlSafe(sql));
    for mark in marks {
        query = query.bind(mark);
    }
    query.fetch_all(&db.pool).await
}
