//! The rows of chat.

use crate::error::Refusal;
use crate::play::table::chat::KEPT_LINES;
use crate::storage::db::{Db, Statement};
use crate::wire::ChatLine;
use sqlx::Row;
use sqlx::any::AnyRow;
use std::collections::VecDeque;

/// The last lines of a game, the oldest first, with the names that their speakers have now.
pub(super) async fn read_last(db: &Db, id: &str) -> Result<VecDeque<ChatLine>, Refusal> {
    let sql = "SELECT c.number, c.user_id, COALESCE(u.name, c.name) AS name, c.players, c.text, \
               c.at FROM chat c LEFT JOIN users u ON u.id = c.user_id WHERE c.game_id = $1 \
               ORDER BY c.number DESC LIMIT $2";
    let kept = KEPT_LINES as i64;
    let rows = sqlx::query(sql).bind(id).bind(kept).fetch_all(&db.pool).await?;
    rows.iter().rev().map(read_row).collect()
}

fn read_row(row: &AnyRow) -> Result<ChatLine, Refusal> {
    Ok(ChatLine {
        number: row.try_get::<i64, _>("number")?.unsigned_abs(),
        at: row.try_get("at")?,
        user: row.try_get("user_id")?,
        name: row.try_get("name")?,
        players: row.try_get::<i64, _>("players")? != 0,
        text: row.try_get("text")?,
    })
}

/// What writes a line.
pub(in crate::play::table) fn insert(game: &str, line: &ChatLine) -> Statement {
    Statement::new(
        "INSERT INTO chat (game_id, number, user_id, name, players, text, at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        vec![
            game.into(),
            i64::try_from(line.number).unwrap_or(i64::MAX).into(),
            line.user.as_str().into(),
            line.name.as_str().into(),
            line.players.into(),
            line.text.as_str().into(),
            line.at.into(),
        ],
    )
}
