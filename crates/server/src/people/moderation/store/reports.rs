//! The table `reports`, and the lines of chat that are their evidence.

use super::people::{card, card_if_any};
use super::{read, word};
use crate::people::moderation::reports::ReportFilter;
use crate::storage::db::Db;
use crate::time;
use crate::wire::{ChatLine, OwnReport, Report, ReportOutcome, ReportReason, ReportState};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::ops::RangeInclusive;

/// The most reports that are listed at once.
const LISTED: i64 = 50;

/// What is kept of a new report beside what its maker sees of it.
pub(in crate::people::moderation) struct Filed<'a> {
    pub(in crate::people::moderation) who: &'a str,
    pub(in crate::people::moderation) game: Option<String>,
    pub(in crate::people::moderation) line: Option<i64>,
    pub(in crate::people::moderation) words: String,
    /// As JSON.
    pub(in crate::people::moderation) evidence: String,
}

pub(in crate::people::moderation) async fn add(
    db: &Db,
    report: &OwnReport,
    filed: Filed<'_>,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO reports (id, reporter, subject, game_id, line, reason, words, evidence, \
               state, created) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'open', $9)";
    let insert = sqlx::query(sql).bind(&report.id).bind(filed.who).bind(&report.user.id);
    let insert = insert.bind(filed.game).bind(filed.line).bind(word(report.reason));
    let insert = insert.bind(filed.words).bind(filed.evidence).bind(report.created);
    insert.execute(&db.pool).await?;
    Ok(())
}

/// Lines of chat of one side of a table, by their numbers.
pub(in crate::people::moderation) async fn chat(
    db: &Db,
    game: &str,
    players: bool,
    range: RangeInclusive<i64>,
) -> Result<Vec<ChatLine>, sqlx::Error> {
    let sql = "SELECT number, user_id, name, players, text, at FROM chat \
               WHERE game_id = $1 AND players = $2 AND number BETWEEN $3 AND $4 ORDER BY number";
    let rows = sqlx::query(sql).bind(game).bind(i64::from(players));
    let rows = rows.bind(*range.start()).bind(*range.end()).fetch_all(&db.pool).await?;
    let lines = rows.iter().map(|row| {
        Ok(ChatLine {
            number: row.try_get::<i64, _>("number")?.unsigned_abs(),
            at: row.try_get("at")?,
            user: row.try_get("user_id")?,
            name: row.try_get("name")?,
            players: row.try_get::<i64, _>("players")? != 0,
            text: row.try_get("text")?,
        })
    });
    lines.collect()
}

/// The reports that somebody made, the latest first.
pub(in crate::people::moderation) async fn made_by(
    db: &Db,
    user: &str,
) -> Result<Vec<OwnReport>, sqlx::Error> {
    let sql = "SELECT r.id, r.reason, r.created, r.state, u.id AS user_id, u.name, u.guest \
               FROM reports r JOIN users u ON u.id = r.subject \
               WHERE r.reporter = $1 ORDER BY r.created DESC, r.id LIMIT $2";
    let rows = sqlx::query(sql).bind(user).bind(LISTED).fetch_all(&db.pool).await?;
    let reports = rows.iter().map(|row| {
        Ok(OwnReport {
            id: row.try_get("id")?,
            user: card(row, "user_id", "name", "guest")?,
            reason: read(row, "reason")?.unwrap_or(ReportReason::Other),
            created: row.try_get("created")?,
            handled: row.try_get::<String, _>("state")? == word(ReportState::Done),
        })
    });
    reports.collect()
}

const REPORTS: &str = "SELECT r.id, r.game_id, r.line, r.reason, r.words, r.evidence, r.state, \
    r.outcome, r.note, r.created, r.done, f.id AS f_id, f.name AS f_name, f.guest AS f_guest, \
    u.id AS u_id, u.name AS u_name, u.guest AS u_guest, m.id AS m_id, m.name AS m_name, \
    m.guest AS m_guest FROM reports r JOIN users f ON f.id = r.reporter \
    JOIN users u ON u.id = r.subject LEFT JOIN users m ON m.id = r.taken_by";

/// Reports about the moderator, and about people on whom the moderator may not act, are left to
/// others.
const MAY_SEE: &str = "u.id <> $1 AND ($2 = 1 OR u.role = 'user')";

/// The part of the queue, and whether the oldest come first.
const fn condition(which: ReportFilter) -> (&'static str, &'static str) {
    match which {
        ReportFilter::Open => ("r.state = 'open'", "ASC"),
        ReportFilter::Mine => ("r.state = 'taken' AND r.taken_by = $1", "ASC"),
        ReportFilter::Others => ("r.state = 'taken' AND r.taken_by <> $1", "ASC"),
        ReportFilter::Done => ("r.state = 'done'", "DESC"),
    }
}

/// A part of the queue as a moderator may see it: `all` if also what is about moderators.
pub(in crate::people::moderation) async fn of_queue(
    db: &Db,
    moderator: &str,
    all: bool,
    which: ReportFilter,
) -> Result<Vec<Report>, sqlx::Error> {
    let (condition, order) = condition(which);
    let sql = format!(
        "{REPORTS} WHERE {condition} AND {MAY_SEE} ORDER BY r.created {order}, r.id LIMIT {LISTED}"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(moderator).bind(i64::from(all));
    rows.fetch_all(&db.pool).await?.iter().map(from_row).collect()
}

/// How many reports there are in a part of the queue.
pub(in crate::people::moderation) async fn count(
    db: &Db,
    moderator: &str,
    all: bool,
    which: ReportFilter,
) -> Result<u32, sqlx::Error> {
    let (condition, _) = condition(which);
    let sql = format!(
        "SELECT COUNT(*) FROM reports r JOIN users u ON u.id = r.subject \
         WHERE {condition} AND {MAY_SEE}"
    );
    let count = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql)).bind(moderator);
    let count = count.bind(i64::from(all)).fetch_one(&db.pool).await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Whether a report that a moderator may see names a game.
pub(in crate::people::moderation) async fn is_evidence(
    db: &Db,
    moderator: &str,
    all: bool,
    game: &str,
) -> Result<bool, sqlx::Error> {
    let sql = format!(
        "SELECT COUNT(*) FROM reports r JOIN users u ON u.id = r.subject \
         WHERE r.game_id = $3 AND {MAY_SEE}"
    );
    let count = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql)).bind(moderator);
    Ok(count.bind(i64::from(all)).bind(game).fetch_one(&db.pool).await? > 0)
}

/// Reports about a person, the latest first.
pub(in crate::people::moderation) async fn about(
    db: &Db,
    user: &str,
) -> Result<Vec<Report>, sqlx::Error> {
    let sql =
        format!("{REPORTS} WHERE r.subject = $1 ORDER BY r.created DESC, r.id LIMIT {LISTED}");
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(user).fetch_all(&db.pool).await?;
    rows.iter().map(from_row).collect()
}

/// How many reports a person made, and how many of them led to something.
pub(in crate::people::moderation) async fn made_and_upheld(
    db: &Db,
    user: &str,
) -> Result<(u32, u32), sqlx::Error> {
    let count = async |sql: &'static str| {
        let count: i64 = sqlx::query_scalar(sql).bind(user).fetch_one(&db.pool).await?;
        Ok::<u32, sqlx::Error>(u32::try_from(count).unwrap_or(u32::MAX))
    };
    Ok((
        count("SELECT COUNT(*) FROM reports WHERE reporter = $1").await?,
        count("SELECT COUNT(*) FROM reports WHERE reporter = $1 AND outcome = 'acted'").await?,
    ))
}

pub(in crate::people::moderation) async fn exists(db: &Db, id: &str) -> Result<bool, sqlx::Error> {
    let count = sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM reports WHERE id = $1");
    Ok(count.bind(id).fetch_one(&db.pool).await? > 0)
}

/// A report that a moderator may see.
pub(in crate::people::moderation) async fn find(
    from: &mut AnyConnection,
    moderator: &str,
    all: bool,
    id: &str,
) -> Result<Option<Report>, sqlx::Error> {
    let sql = format!("{REPORTS} WHERE r.id = $3 AND {MAY_SEE}");
    let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(moderator).bind(i64::from(all)).bind(id);
    let row = row.fetch_optional(from).await?;
    row.map(|row| from_row(&row)).transpose()
}

/// A moderator looks at a report.
pub(in crate::people::moderation) async fn take(
    to: &mut AnyConnection,
    id: &str,
    moderator: &str,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE reports SET state = 'taken', taken_by = $1 WHERE id = $2";
    sqlx::query(sql).bind(moderator).bind(id).execute(to).await?;
    Ok(())
}

/// Nobody looks at a report any more.
pub(in crate::people::moderation) async fn release(
    to: &mut AnyConnection,
    id: &str,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE reports SET state = 'open', taken_by = NULL WHERE id = $1";
    sqlx::query(sql).bind(id).execute(to).await?;
    Ok(())
}

/// A moderator has dealt with a report.
pub(in crate::people::moderation) async fn close(
    to: &mut AnyConnection,
    id: &str,
    moderator: &str,
    outcome: ReportOutcome,
    note: &str,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE reports SET state = 'done', taken_by = $1, outcome = $2, note = $3, \
               done = $4 WHERE id = $5";
    let update = sqlx::query(sql).bind(moderator).bind(word(outcome)).bind(note);
    update.bind(time::now()).bind(id).execute(to).await?;
    Ok(())
}

pub(in crate::people::moderation) async fn remove_done_before(
    db: &Db,
    before: i64,
) -> Result<(), sqlx::Error> {
    let remove = sqlx::query("DELETE FROM reports WHERE done IS NOT NULL AND done < $1");
    remove.bind(before).execute(&db.pool).await?;
    Ok(())
}

fn from_row(row: &AnyRow) -> Result<Report, sqlx::Error> {
    let line: Option<i64> = row.try_get("line")?;
    let evidence: String = row.try_get("evidence")?;
    Ok(Report {
        id: row.try_get("id")?,
        reporter: card(row, "f_id", "f_name", "f_guest")?,
        subject: card(row, "u_id", "u_name", "u_guest")?,
        game: row.try_get("game_id")?,
        line: line.map(i64::unsigned_abs),
        reason: read(row, "reason")?.unwrap_or(ReportReason::Other),
        words: row.try_get("words")?,
        evidence: serde_json::from_str(&evidence).unwrap_or_default(),
        state: read(row, "state")?.unwrap_or(ReportState::Open),
        taken_by: card_if_any(row, "m_id", "m_name", "m_guest")?,
        outcome: read(row, "outcome")?,
        note: row.try_get("note")?,
        created: row.try_get("created")?,
        done: row.try_get("done")?,
    })
}
