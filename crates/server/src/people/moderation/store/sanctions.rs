//! The table `sanctions`.

use super::people::card_if_any;
use super::{read, word};
use crate::people::moderation::sanctions::PendingSanction;
use crate::storage::db::Db;
use crate::time;
use crate::wire::{Sanction, SanctionKind};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

pub(in crate::people::moderation) async fn add(
    to: &mut AnyConnection,
    id: &str,
    new: &PendingSanction,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO sanctions (id, kind, user_id, network, game_id, report_id, reason, \
               author, created, ends) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let network = new.network.as_ref().map(|(network, _)| network.clone());
    let insert =
        sqlx::query(sql).bind(id).bind(word(new.kind)).bind(new.user.clone()).bind(network);
    let insert = insert.bind(new.game.clone()).bind(new.report.clone()).bind(&new.reason);
    let insert = insert.bind(new.actor.user().map(str::to_owned)).bind(time::now()).bind(new.ends);
    insert.execute(to).await?;
    Ok(())
}

/// When the sanctions end that keep a user out now; `None` for one without an end.
pub(in crate::people::moderation) async fn ends_of_bans(
    from: &mut AnyConnection,
    user: &str,
) -> Result<Vec<Option<i64>>, sqlx::Error> {
    let sql = "SELECT ends FROM sanctions WHERE user_id = $1 AND kind IN ('ban', 'closed') \
               AND lifted IS NULL AND (ends IS NULL OR ends > $2)";
    sqlx::query_scalar(sql).bind(user).bind(time::now()).fetch_all(from).await
}

/// Networks that are kept out now, each with the end of the ban, if it has one.
pub(in crate::people::moderation) async fn banned_networks(
    db: &Db,
) -> Result<Vec<(String, Option<i64>)>, sqlx::Error> {
    let sql = "SELECT network, ends FROM sanctions WHERE kind = 'address_ban' \
               AND lifted IS NULL AND network IS NOT NULL AND (ends IS NULL OR ends > $1)";
    sqlx::query_as(sql).bind(time::now()).fetch_all(&db.pool).await
}

/// Lifts a sanction. Whether it was not lifted before.
pub(in crate::people::moderation) async fn lift(
    to: &mut AnyConnection,
    id: &str,
    by: Option<&str>,
) -> Result<bool, sqlx::Error> {
    let sql = "UPDATE sanctions SET lifted = $1, lifted_by = $2 WHERE id = $3 AND lifted IS NULL";
    let update = sqlx::query(sql).bind(time::now()).bind(by.map(str::to_owned)).bind(id);
    Ok(update.execute(to).await?.rows_affected() == 1)
}

/// Lifts all that keeps a user out, bans of the addresses they were seen at among it.
pub(in crate::people::moderation) async fn lift_bans(
    to: &mut AnyConnection,
    user: &str,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE sanctions SET lifted = $1 WHERE lifted IS NULL \
               AND ((user_id = $2 AND kind IN ('ban', 'closed')) \
               OR (kind = 'address_ban' AND network IN \
               (SELECT network FROM addresses WHERE user_id = $2)))";
    sqlx::query(sql).bind(time::now()).bind(user).execute(to).await?;
    Ok(())
}

const SANCTIONS: &str = "SELECT s.id, s.kind, s.network, s.game_id, s.reason, s.created, s.ends, \
    s.lifted, u.id AS u_id, u.name AS u_name, u.guest AS u_guest, a.id AS a_id, a.name AS a_name, \
    a.guest AS a_guest FROM sanctions s LEFT JOIN users u ON u.id = s.user_id \
    LEFT JOIN users a ON a.id = s.author";

/// The most sanctions that are listed at once.
const LISTED: i64 = 100;

/// What was done to a person, the latest first.
pub(in crate::people::moderation) async fn of_user(
    db: &Db,
    user: &str,
) -> Result<Vec<Sanction>, sqlx::Error> {
    let sql =
        format!("{SANCTIONS} WHERE s.user_id = $1 ORDER BY s.created DESC, s.id LIMIT {LISTED}");
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(user).fetch_all(&db.pool).await?;
    rows.iter().map(from_row).collect()
}

/// What holds now, the latest first.
pub(in crate::people::moderation) async fn active(db: &Db) -> Result<Vec<Sanction>, sqlx::Error> {
    let sql = format!(
        "{SANCTIONS} WHERE s.lifted IS NULL AND s.kind <> 'annulled' \
         AND (s.ends IS NULL OR s.ends > $1) ORDER BY s.created DESC, s.id LIMIT {LISTED}"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(time::now());
    rows.fetch_all(&db.pool).await?.iter().map(from_row).collect()
}

pub(in crate::people::moderation) async fn find(
    db: &Db,
    id: &str,
) -> Result<Option<Sanction>, sqlx::Error> {
    let sql = format!("{SANCTIONS} WHERE s.id = $1");
    let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(&db.pool).await?;
    row.map(|row| from_row(&row)).transpose()
}

/// Whether a moderator has closed an account.
pub(in crate::people::moderation) async fn is_closed(
    db: &Db,
    user: &str,
) -> Result<bool, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM sanctions \
               WHERE user_id = $1 AND kind = 'closed' AND lifted IS NULL";
    Ok(sqlx::query_scalar::<_, i64>(sql).bind(user).fetch_one(&db.pool).await? > 0)
}

fn from_row(row: &AnyRow) -> Result<Sanction, sqlx::Error> {
    let (ends, lifted): (Option<i64>, Option<i64>) = (row.try_get("ends")?, row.try_get("lifted")?);
    Ok(Sanction {
        id: row.try_get("id")?,
        kind: read(row, "kind")?.unwrap_or(SanctionKind::Ban),
        user: card_if_any(row, "u_id", "u_name", "u_guest")?,
        address: row.try_get("network")?,
        game: row.try_get("game_id")?,
        reason: row.try_get("reason")?,
        author: card_if_any(row, "a_id", "a_name", "a_guest")?,
        created: row.try_get("created")?,
        ends,
        lifted,
        active: lifted.is_none() && ends.is_none_or(|ends| ends > time::now()),
    })
}
