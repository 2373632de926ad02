//! Reports: what people tell moderators, with its evidence, and what came of it.

use super::audit::{self, NewEntry};
use super::people::{card, card_if_any};
use super::words::check_words;
use crate::error::Refusal;
use crate::people::accounts::{Moderator, Role, Who, find_user, role_of};
use crate::storage::db::Db;
use crate::storage::records::Stored;
use crate::wire::{
    ChatLine, CloseReport, NewReport, OwnReport, Report, ReportOutcome, ReportQueue, ReportReason,
    ReportState, UserCard,
};
use crate::{ids, time};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sqlx::any::AnyRow;
use sqlx::{Any, Row, Transaction};

/// Lines of chat that are kept on each side of the one that is reported.
const AROUND: i64 = 10;

/// The most reports that are listed at once.
const LISTED: i64 = 50;

/// Makes a report.
///
/// # Errors
/// If it names nobody, a game or a line that the reporter may not see, the reporter themselves, or
/// somebody about whom a report of theirs is open.
pub async fn make(db: &Db, who: &Who, new: NewReport) -> Result<OwnReport, Refusal> {
    let words = check_words(&new.words)?.to_owned();
    let game = match &new.game {
        None => None,
        Some(id) => Some(Stored::load(db, id, Some(who)).await?),
    };
    let line = new.line.map(|line| i64::try_from(line).unwrap_or(i64::MAX));
    let evidence = match (&game, line) {
        (None, Some(_)) => {
            return Err(Refusal::Bad("a line of chat is one of a game: name the game".into()));
        }
        (Some(game), Some(line)) => lines_around(db, who, game, line).await?,
        (_, None) => Vec::new(),
    };
    let said = evidence.iter().find(|said| Some(said.number) == new.line);
    let subject = match (said, &new.user) {
        (Some(said), _) => crate::people::accounts::find_user_by_id(db, &said.user).await?,
        (None, Some(name)) => find_user(db, name).await?.ok_or_else(|| {
            Refusal::NotFound(format!("nobody is called '{}'", game::excerpt(name, 40)))
        })?,
        (None, None) => return Err(Refusal::Bad("name the user, or a line of chat".into())),
    };
    if subject.id == who.user {
        return Err(Refusal::Bad("nobody reports themselves".into()));
    }
    if line.is_none()
        && let Some(game) = &game
        && game.seats_of(&subject.id).next().is_none()
        && game.host != subject.id
    {
        return Err(Refusal::Bad(format!("{} does not play that game", subject.name)));
    }
    let report = OwnReport {
        id: ids::new_id(),
        user: UserCard { id: subject.id, name: subject.name, guest: subject.guest },
        reason: new.reason,
        created: time::now(),
        handled: false,
    };
    let sql = "INSERT INTO reports (id, reporter, subject, game_id, line, reason, words, evidence, \
               state, created) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'open', $9)";
    let insert = sqlx::query(sql).bind(&report.id).bind(&who.user).bind(&report.user.id);
    let insert = insert.bind(new.game).bind(line).bind(word(new.reason)).bind(words);
    let evidence = serde_json::to_string(&evidence).map_err(|_| Refusal::Internal)?;
    let insert = insert.bind(evidence).bind(report.created);
    insert.execute(&db.pool).await.map_err(|error| {
        let twice =
            error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation);
        if twice {
            return Refusal::Conflict(format!(
                "you have reported {} already; a moderator will look at it",
                report.user.name
            ));
        }
        error.into()
    })?;
    Ok(report)
}

/// A line of chat with those around it, on the side of the table that the reporter can read.
async fn lines_around(
    db: &Db,
    who: &Who,
    game: &Stored,
    line: i64,
) -> Result<Vec<ChatLine>, Refusal> {
    let sits = game.seats_of(&who.user).next().is_some();
    let sql = "SELECT number, user_id, name, players, text, at FROM chat \
               WHERE game_id = $1 AND players = $2 AND number BETWEEN $3 AND $4 ORDER BY number";
    let rows = sqlx::query(sql).bind(&game.id).bind(i64::from(sits));
    let rows = rows.bind(line.saturating_sub(AROUND)).bind(line.saturating_add(AROUND));
    let mut lines = Vec::new();
    for row in rows.fetch_all(&db.pool).await? {
        lines.push(ChatLine {
            number: row.try_get::<i64, _>("number")?.unsigned_abs(),
            at: row.try_get("at")?,
            user: row.try_get("user_id")?,
            name: row.try_get("name")?,
            players: row.try_get::<i64, _>("players")? != 0,
            text: row.try_get("text")?,
        });
    }
    if !lines.iter().any(|said| said.number == line.unsigned_abs()) {
        return Err(Refusal::NotFound("there is no such line of chat".into()));
    }
    Ok(lines)
}

/// The reports that somebody made, the latest first.
///
/// # Errors
/// If the database fails.
pub async fn made_by(db: &Db, user: &str) -> Result<Vec<OwnReport>, Refusal> {
    let sql = "SELECT r.id, r.reason, r.created, r.state, u.id AS user_id, u.name, u.guest \
               FROM reports r JOIN users u ON u.id = r.subject \
               WHERE r.reporter = $1 ORDER BY r.created DESC, r.id LIMIT $2";
    let mut reports = Vec::new();
    for row in sqlx::query(sql).bind(user).bind(LISTED).fetch_all(&db.pool).await? {
        reports.push(OwnReport {
            id: row.try_get("id")?,
            user: card(&row, "user_id", "name", "guest")?,
            reason: read(&row, "reason")?.unwrap_or(ReportReason::Other),
            created: row.try_get("created")?,
            handled: row.try_get::<String, _>("state")? == word(ReportState::Done),
        });
    }
    Ok(reports)
}

const REPORTS: &str = "SELECT r.id, r.game_id, r.line, r.reason, r.words, r.evidence, r.state, \
    r.outcome, r.note, r.created, r.done, f.id AS f_id, f.name AS f_name, f.guest AS f_guest, \
    u.id AS u_id, u.name AS u_name, u.guest AS u_guest, m.id AS m_id, m.name AS m_name, \
    m.guest AS m_guest FROM reports r JOIN users f ON f.id = r.reporter \
    JOIN users u ON u.id = r.subject LEFT JOIN users m ON m.id = r.taken_by";

/// Which reports a moderator wants to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Those that nobody looks at.
    Open,
    /// Those that the moderator looks at.
    Mine,
    /// Those that others look at.
    Others,
    /// Those that were dealt with.
    Done,
}

/// Reports about the moderator, and about people on whom the moderator may not act, are left to
/// others.
const MAY_SEE: &str = "u.id <> $1 AND ($2 = 1 OR u.role = 'user')";

/// A part of the queue, as a moderator may see it.
///
/// # Errors
/// If the database fails.
pub async fn queue(db: &Db, moderator: &Moderator, which: Which) -> Result<ReportQueue, Refusal> {
    let (condition, order) = match which {
        Which::Open => ("r.state = 'open'", "ASC"),
        Which::Mine => ("r.state = 'taken' AND r.taken_by = $1", "ASC"),
        Which::Others => ("r.state = 'taken' AND r.taken_by <> $1", "ASC"),
        Which::Done => ("r.state = 'done'", "DESC"),
    };
    let sql = format!(
        "{REPORTS} WHERE {condition} AND {MAY_SEE} ORDER BY r.created {order}, r.id LIMIT {LISTED}"
    );
    let all = i64::from(moderator.role == Role::Administrator);
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(&moderator.user).bind(all);
    let rows = rows.fetch_all(&db.pool).await?;
    let reports = rows.iter().map(from_row).collect::<Result<_, _>>()?;
    let count = async |condition: &str| {
        let sql = format!(
            "SELECT COUNT(*) FROM reports r JOIN users u ON u.id = r.subject \
             WHERE {condition} AND {MAY_SEE}"
        );
        let count = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql)).bind(&moderator.user);
        let count = count.bind(all).fetch_one(&db.pool).await?;
        Ok::<u32, sqlx::Error>(u32::try_from(count).unwrap_or(u32::MAX))
    };
    Ok(ReportQueue {
        reports,
        open: count("r.state = 'open'").await?,
        mine: count("r.state = 'taken' AND r.taken_by = $1").await?,
    })
}

/// Whether a game that not everybody sees is open to somebody as a moderator at a browser: it is the
/// evidence of a report that they may see, or it was rated, which is everybody's matter.
///
/// # Errors
/// If the database fails.
pub(crate) async fn may_look_into(
    db: &Db,
    who: &Who,
    game: &str,
    rated: bool,
) -> Result<bool, Refusal> {
    let role = match &who.session {
        Some(_) => role_of(db, &who.user).await?,
        None => Role::User,
    };
    if role == Role::User || rated {
        return Ok(role != Role::User);
    }
    let sql = format!(
        "SELECT COUNT(*) FROM reports r JOIN users u ON u.id = r.subject \
         WHERE r.game_id = $3 AND {MAY_SEE}"
    );
    let all = i64::from(role == Role::Administrator);
    let count = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql)).bind(&who.user).bind(all);
    Ok(count.bind(game).fetch_one(&db.pool).await? > 0)
}

/// Reports about a person, the latest first.
pub(super) async fn about(db: &Db, user: &str) -> Result<Vec<Report>, Refusal> {
    let sql =
        format!("{REPORTS} WHERE r.subject = $1 ORDER BY r.created DESC, r.id LIMIT {LISTED}");
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(user).fetch_all(&db.pool).await?;
    Ok(rows.iter().map(from_row).collect::<Result<_, _>>()?)
}

/// How many reports a person made, and how many of them led to something.
pub(super) async fn made_and_upheld(db: &Db, user: &str) -> Result<(u32, u32), Refusal> {
    let count = async |sql: &'static str| {
        let count: i64 = sqlx::query_scalar(sql).bind(user).fetch_one(&db.pool).await?;
        Ok::<u32, sqlx::Error>(u32::try_from(count).unwrap_or(u32::MAX))
    };
    Ok((
        count("SELECT COUNT(*) FROM reports WHERE reporter = $1").await?,
        count("SELECT COUNT(*) FROM reports WHERE reporter = $1 AND outcome = 'acted'").await?,
    ))
}

/// What a moderator does with a report.
#[derive(Clone, Debug)]
pub enum Step {
    /// Looks at it, so that others need not.
    Take,
    /// Leaves it to others again.
    Release,
    /// Has dealt with it.
    Close(ReportOutcome, String),
}

impl Step {
    /// A report that is dealt with.
    ///
    /// # Errors
    /// If the note is too long or misleads.
    pub fn close(how: &CloseReport) -> Result<Self, Refusal> {
        Ok(Self::Close(how.outcome, check_words(&how.note)?.to_owned()))
    }
}

/// Takes a report, leaves it, or closes it.
///
/// # Errors
/// If there is none that the moderator may see, or it stands otherwise.
pub async fn step(db: &Db, moderator: &Moderator, id: &str, step: Step) -> Result<Report, Refusal> {
    let mut changes = db.begin().await?;
    let report = find(&mut changes, moderator, id).await?;
    let holder = report.taken_by.as_ref().map(|user| user.id.as_str());
    if holder.is_some_and(|holder| holder != moderator.user) && report.state == ReportState::Taken {
        let other = report.taken_by.map(|user| user.name).unwrap_or_default();
        return Err(Refusal::Conflict(format!("{other} looks at this report")));
    }
    if report.state == ReportState::Done {
        return Err(Refusal::Conflict("this report was dealt with".into()));
    }
    let (action, details): (_, Value) = match &step {
        Step::Take => {
            let sql = "UPDATE reports SET state = 'taken', taken_by = $1 WHERE id = $2";
            sqlx::query(sql).bind(&moderator.user).bind(id).execute(&mut *changes).await?;
            ("take_report", json!({}))
        }
        Step::Release => {
            let sql = "UPDATE reports SET state = 'open', taken_by = NULL WHERE id = $1";
            sqlx::query(sql).bind(id).execute(&mut *changes).await?;
            ("release_report", json!({}))
        }
        Step::Close(outcome, note) => {
            let sql = "UPDATE reports SET state = 'done', taken_by = $1, outcome = $2, note = $3, \
                       done = $4 WHERE id = $5";
            let update = sqlx::query(sql).bind(&moderator.user).bind(word(*outcome)).bind(note);
            update.bind(time::now()).bind(id).execute(&mut *changes).await?;
            ("close_report", json!({"outcome": outcome, "note": note}))
        }
    };
    let subject = format!("report:{id}");
    let entry = NewEntry { actor: moderator.actor(), action, subject, details };
    audit::append(&mut changes, db.kind, &entry).await?;
    let report = find(&mut changes, moderator, id).await?;
    changes.commit().await?;
    Ok(report)
}

async fn find(
    changes: &mut Transaction<'static, Any>,
    moderator: &Moderator,
    id: &str,
) -> Result<Report, Refusal> {
    let sql = format!("{REPORTS} WHERE r.id = $3 AND {MAY_SEE}");
    let all = i64::from(moderator.role == Role::Administrator);
    let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(&moderator.user).bind(all).bind(id);
    let row = row.fetch_optional(&mut **changes).await?;
    let row = row.ok_or_else(|| Refusal::NotFound("there is no such report".into()))?;
    Ok(from_row(&row)?)
}

/// Removes reports that were dealt with so long ago that nobody asks any more.
pub(crate) async fn remove_old(db: &Db, before: i64) -> Result<(), sqlx::Error> {
    let remove = sqlx::query("DELETE FROM reports WHERE done IS NOT NULL AND done < $1");
    remove.bind(before).execute(&db.pool).await.map(|_| ())
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

/// A word of an enum, as the wire and the database have it.
pub(super) fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

/// An enum of its word in a column.
pub(super) fn read<T: DeserializeOwned>(
    row: &AnyRow,
    column: &str,
) -> Result<Option<T>, sqlx::Error> {
    let word: Option<String> = row.try_get(column)?;
    Ok(word.and_then(|word| serde_json::from_value(Value::String(word)).ok()))
}
