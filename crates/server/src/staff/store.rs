//! What staff read and write beside accounts and moderation: the table `orders`, and lists of users and
//! their games.

use super::admin::Listed;
use crate::ids;
use crate::people::accounts::Role;
use crate::storage::db::{Db, Statement};
use crate::time;
use sqlx::{AnyConnection, Row};

/// An order that nobody has carried out yet.
pub(super) struct Order {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) subject: String,
}

/// Leaves the running server an order; gives its id.
pub(super) async fn add_order(
    to: &mut AnyConnection,
    kind: &str,
    subject: &str,
) -> Result<String, sqlx::Error> {
    let id = ids::new_id();
    let sql = "INSERT INTO orders (id, kind, subject, created) VALUES ($1, $2, $3, $4)";
    let insert = sqlx::query(sql).bind(&id).bind(kind).bind(subject).bind(time::now());
    insert.execute(to).await?;
    Ok(id)
}

/// Orders that wait, the oldest first.
pub(super) async fn open_orders(db: &Db) -> Result<Vec<Order>, sqlx::Error> {
    let sql = "SELECT id, kind, subject FROM orders WHERE done IS NULL ORDER BY created LIMIT 20";
    let rows = sqlx::query(sql).fetch_all(&db.pool).await?;
    let orders = rows.iter().map(|row| {
        Ok(Order {
            id: row.try_get("id")?,
            kind: row.try_get("kind")?,
            subject: row.try_get("subject")?,
        })
    });
    orders.collect()
}

pub(super) async fn answer_order(db: &Db, id: &str, answer: &str) -> Result<(), sqlx::Error> {
    let done = sqlx::query("UPDATE orders SET done = $1, answer = $2 WHERE id = $3");
    done.bind(time::now()).bind(answer).bind(id).execute(&db.pool).await?;
    Ok(())
}

/// What the server answered to an order, if it has.
pub(super) async fn answer_to(db: &Db, id: &str) -> Result<Option<String>, sqlx::Error> {
    let sql = "SELECT answer FROM orders WHERE id = $1 AND done IS NOT NULL";
    let answer = sqlx::query_scalar::<_, Option<String>>(sql).bind(id);
    Ok(answer.fetch_optional(&db.pool).await?.map(Option::unwrap_or_default))
}

/// Users whose name contains a text, the last seen first.
pub(super) async fn users(
    db: &Db,
    containing: &str,
    guests: bool,
    most: i64,
) -> Result<Vec<Listed>, sqlx::Error> {
    let sql = "SELECT u.id, u.name, u.guest, u.banned, u.role, u.created, u.seen, \
               (SELECT COUNT(DISTINCT s.game_id) FROM seats s WHERE s.user_id = u.id) AS games \
               FROM users u WHERE u.deleted = 0 AND u.guest <= $1 AND u.name_key LIKE $2 \
               ORDER BY u.seen DESC, u.id LIMIT $3";
    let like = format!("%{}%", containing.to_lowercase().replace(['%', '_'], ""));
    let rows = sqlx::query(sql).bind(i64::from(guests)).bind(like).bind(most);
    let rows = rows.fetch_all(&db.pool).await?;
    let listed = rows.iter().map(|row| {
        Ok(Listed {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            guest: row.try_get::<i64, _>("guest")? != 0,
            banned: row.try_get::<i64, _>("banned")? != 0,
            role: Role::of(&row.try_get::<String, _>("role")?),
            created: row.try_get("created")?,
            seen: row.try_get("seen")?,
            games: row.try_get("games")?,
        })
    });
    listed.collect()
}

/// The games that a user sits in or is invited to and that are not over, with their status.
pub(super) async fn unfinished_games(
    db: &Db,
    user: &str,
) -> Result<Vec<(String, String)>, sqlx::Error> {
    let sql = "SELECT g.id, g.status FROM games g JOIN seats s ON s.game_id = g.id \
               WHERE s.user_id = $1 AND g.status <> 'over' GROUP BY g.id, g.status ORDER BY g.id";
    sqlx::query_as(sql).bind(user).fetch_all(&db.pool).await
}

/// How a game stands; `None` if there is none.
pub(super) async fn status_of_game(db: &Db, id: &str) -> Result<Option<String>, sqlx::Error> {
    let status = sqlx::query_scalar("SELECT status FROM games WHERE id = $1").bind(id);
    status.fetch_optional(&db.pool).await
}

/// What ends a game that has no table; `result` is JSON.
pub(super) fn end_game(id: &str, result: String) -> Statement {
    Statement::guarded(
        "UPDATE games SET status = 'over', ended = $1, result = $2, sleep = NULL, wake = NULL \
         WHERE id = $3 AND status <> 'over'",
        vec![time::now().into(), result.into(), id.into()],
    )
}
