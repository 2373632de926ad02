//! Reports: what people tell moderators, with its evidence, and what came of it.

use super::audit::{self, NewEntry};
use super::store;
use super::visibility::visible_game;
use super::words::check_words;
use crate::error::Refusal;
use crate::people::accounts::{Moderator, Requester, Role, find_user, role_of};
use crate::storage::db::Db;
use crate::storage::records::Stored;
use crate::wire::{
    ChatLine, CloseReport, NewReport, OwnReport, Report, ReportOutcome, ReportQueue, ReportState,
    UserCard,
};
use crate::{ids, time};
use serde_json::{Value, json};
use sqlx::{Any, Transaction};

/// Lines of chat that are kept on each side of the one that is reported.
const AROUND: i64 = 10;

/// Makes a report.
///
/// # Errors
/// If it names nobody, a game or a line that the reporter may not see, the reporter themselves, or
/// somebody about whom a report of theirs is open.
pub async fn make(db: &Db, who: &Requester, new: NewReport) -> Result<OwnReport, Refusal> {
    let words = check_words(&new.words)?.to_owned();
    let game = match &new.game {
        None => None,
        Some(id) => Some(visible_game(db, id, Some(who)).await?),
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
    let evidence = serde_json::to_string(&evidence).map_err(|_| Refusal::Internal)?;
    let filed = store::reports::Filed { who: &who.user, game: new.game, line, words, evidence };
    store::reports::add(db, &report, filed).await.map_err(|error| {
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
    who: &Requester,
    game: &Stored,
    line: i64,
) -> Result<Vec<ChatLine>, Refusal> {
    let sits = game.seats_of(&who.user).next().is_some();
    let range = line.saturating_sub(AROUND)..=line.saturating_add(AROUND);
    let lines = store::reports::chat(db, &game.id, sits, range).await?;
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
    Ok(store::reports::made_by(db, user).await?)
}

/// Which reports a moderator wants to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFilter {
    /// Those that nobody looks at.
    Open,
    /// Those that the moderator looks at.
    Mine,
    /// Those that others look at.
    Others,
    /// Those that were dealt with.
    Done,
}

/// A part of the queue, as a moderator may see it.
///
/// # Errors
/// If the database fails.
pub async fn queue(
    db: &Db,
    moderator: &Moderator,
    which: ReportFilter,
) -> Result<ReportQueue, Refusal> {
    let all = moderator.role == Role::Administrator;
    Ok(ReportQueue {
        reports: store::reports::of_queue(db, &moderator.user, all, which).await?,
        open: store::reports::count(db, &moderator.user, all, ReportFilter::Open).await?,
        mine: store::reports::count(db, &moderator.user, all, ReportFilter::Mine).await?,
    })
}

/// Whether a game that not everybody sees is open to somebody as a moderator at a browser: it is the
/// evidence of a report that they may see, or it was rated, which is everybody's matter.
///
/// # Errors
/// If the database fails.
pub(crate) async fn may_look_into(
    db: &Db,
    who: &Requester,
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
    let all = role == Role::Administrator;
    Ok(store::reports::is_evidence(db, &who.user, all, game).await?)
}

/// Reports about a person, the latest first.
pub(super) async fn about(db: &Db, user: &str) -> Result<Vec<Report>, Refusal> {
    Ok(store::reports::about(db, user).await?)
}

/// How many reports a person made, and how many of them led to something.
pub(super) async fn made_and_upheld(db: &Db, user: &str) -> Result<(u32, u32), Refusal> {
    Ok(store::reports::made_and_upheld(db, user).await?)
}

/// Whether there is a report of an id.
///
/// # Errors
/// If the database fails.
pub async fn exists(db: &Db, id: &str) -> Result<bool, Refusal> {
    // No id has one, and not every database can look for it.
    Ok(!id.contains('\0') && store::reports::exists(db, id).await?)
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
    /// If the note is too long or is_misleading.
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
            store::reports::take(&mut changes, id, &moderator.user).await?;
            ("take_report", json!({}))
        }
        Step::Release => {
            store::reports::release(&mut changes, id).await?;
            ("release_report", json!({}))
        }
        Step::Close(outcome, note) => {
            store::reports::close(&mut changes, id, &moderator.user, *outcome, note).await?;
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
    let all = moderator.role == Role::Administrator;
    let found = store::reports::find(changes, &moderator.user, all, id).await?;
    found.ok_or_else(|| Refusal::NotFound("there is no such report".into()))
}

/// Removes reports that were dealt with so long ago that nobody asks any more.
pub(crate) async fn remove_old(db: &Db, before: i64) -> Result<(), sqlx::Error> {
    store::reports::remove_done_before(db, before).await
}
