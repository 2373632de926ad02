//! The rows by which boards of games that sleep are found: a few numbers each.

use crate::games::SKETCH;
use crate::storage::db::{Bound, Db, Statement};
use sqlx::AssertSqlSafe;

/// How many numbers a board is kept under.
pub(in crate::play::table) const MARKS: usize = SKETCH + 1;

/// How many boards are compared with a question at most: those that have the most in common.
const COMPARED: i64 = 64;

/// What keeps a board while its game sleeps.
pub(in crate::play::table) fn keep(game: &str, marks: [i64; MARKS]) -> Vec<Statement> {
    let mut values = vec![game.into()];
    values.extend(marks.into_iter().map(Bound::from));
    let sql = "INSERT INTO sleeping_boards (game_id, mark) VALUES \
               ($1, $2), ($1, $3), ($1, $4), ($1, $5), ($1, $6), ($1, $7), ($1, $8), ($1, $9), \
               ($1, $10), ($1, $11), ($1, $12), ($1, $13), ($1, $14), ($1, $15), ($1, $16), \
               ($1, $17), ($1, $18), ($1, $19), ($1, $20), ($1, $21), ($1, $22) \
               ON CONFLICT DO NOTHING";
    vec![forget(game), Statement::new(sql, values)]
}

/// What forgets it again.
pub(in crate::play::table) fn forget(game: &str) -> Statement {
    Statement::new("DELETE FROM sleeping_boards WHERE game_id = $1", vec![game.into()])
}

/// Games that sleep whose boards are kept under some of these numbers, those under most of them first.
pub(in crate::play::table) async fn find(
    db: &Db,
    marks: Vec<i64>,
) -> Result<Vec<String>, sqlx::Error> {
    let places: Vec<String> = (1..=marks.len()).map(|place| format!("${place}")).collect();
    let sql = format!(
        "SELECT game_id FROM sleeping_boards WHERE mark IN ({}) \
         GROUP BY game_id ORDER BY COUNT(*) DESC, game_id LIMIT {COMPARED}",
        places.join(", ")
    );
    let mut query = sqlx::query_scalar(AssertSqlSafe(sql));
    for mark in marks {
        query = query.bind(mark);
    }
    query.fetch_all(&db.pool).await
}
