//! The table `audit`. Rows are only ever added.

use crate::people::moderation::audit::AuditEntry;
use crate::storage::db::{DatabaseKind, Db};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Executor, Row};

fn from_row(row: &AnyRow) -> Result<AuditEntry, sqlx::Error> {
    Ok(AuditEntry {
        number: row.try_get("number")?,
        at: row.try_get("at")?,
        actor: row.try_get("actor")?,
        actor_name: row.try_get("actor_name")?,
        action: row.try_get("action")?,
        subject: row.try_get("subject")?,
        details: row.try_get("details")?,
        previous: row.try_get("previous")?,
        hash: row.try_get("hash")?,
    })
}

/// Number and hash of the last row. Until the transaction ends, nobody else adds one: writers take
/// turns, because each must see the row of the one before.
pub(in crate::people::moderation) async fn last_of_all(
    to: &mut AnyConnection,
    kind: DatabaseKind,
) -> Result<Option<(i64, String)>, sqlx::Error> {
    if kind == DatabaseKind::Postgres {
        to.execute("LOCK TABLE audit IN EXCLUSIVE MODE").await?;
    }
    let last = sqlx::query_as("SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1");
    last.fetch_optional(to).await
}

pub(in crate::people::moderation) async fn add(
    to: &mut AnyConnection,
    entry: &AuditEntry,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO audit (number, at, actor, actor_name, action, subject, details, \
               previous, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let insert = sqlx::query(sql).bind(entry.number).bind(entry.at).bind(&entry.actor);
    let insert = insert.bind(&entry.actor_name).bind(&entry.action).bind(&entry.subject);
    insert.bind(&entry.details).bind(&entry.previous).bind(&entry.hash).execute(to).await?;
    Ok(())
}

/// Rows before a number, the latest first; of one subject, if one is given.
pub(in crate::people::moderation) async fn before(
    db: &Db,
    number: i64,
    subject: Option<&str>,
    most: i64,
) -> Result<Vec<AuditEntry>, sqlx::Error> {
    let sql = "SELECT number, at, actor, actor_name, action, subject, details, previous, hash \
               FROM audit WHERE number < $1 AND ($2 = '' OR subject = $2) \
               ORDER BY number DESC LIMIT $3";
    let rows = sqlx::query(sql).bind(number).bind(subject.unwrap_or_default()).bind(most);
    rows.fetch_all(&db.pool).await?.iter().map(from_row).collect()
}

/// Rows after a number, in order.
pub(in crate::people::moderation) async fn after(
    from: &mut AnyConnection,
    number: i64,
    most: i64,
) -> Result<Vec<AuditEntry>, sqlx::Error> {
    let sql = "SELECT number, at, actor, actor_name, action, subject, details, previous, hash \
               FROM audit WHERE number > $1 ORDER BY number LIMIT $2";
    let rows = sqlx::query(sql).bind(number).bind(most).fetch_all(from).await?;
    rows.iter().map(from_row).collect()
}
