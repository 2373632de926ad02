//! What moderators do to people: chat timeouts, bans, bans of addresses, closed accounts. Every
//! sanction and its end is kept, and stands in the audit log.

use super::audit::{self, Actor, NewEntry};
use super::people::{Person, card_if_any};
use super::reports::{read, word};
use super::words::check_reason;
use crate::error::Refusal;
use crate::people::accounts;
use crate::storage::db::Db;
use crate::wire::{Sanction, SanctionKind};
use crate::{ids, time};
use serde_json::json;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row, Transaction};

/// A sanction to be written.
#[derive(Clone, Debug)]
pub(crate) struct New {
    /// Who does it.
    pub(crate) actor: Actor,
    /// What.
    pub(crate) kind: SanctionKind,
    /// To whom.
    pub(crate) user: Option<String>,
    /// Why.
    pub(crate) reason: String,
    /// When it ends.
    pub(crate) ends: Option<i64>,
    /// Which network, for a ban of an address, and its label.
    pub(crate) network: Option<(String, String)>,
    /// Which game, if its rating is taken back.
    pub(crate) game: Option<String>,
    /// The report that led to it.
    pub(crate) report: Option<String>,
}

impl New {
    /// A sanction of a user that ends when it is lifted.
    ///
    /// # Errors
    /// If the reason is none.
    pub(crate) fn of(
        actor: Actor,
        kind: SanctionKind,
        user: Option<&str>,
        reason: &str,
    ) -> Result<Self, Refusal> {
        Ok(Self {
            actor,
            kind,
            user: user.map(str::to_owned),
            reason: check_reason(reason)?.to_owned(),
            ends: None,
            network: None,
            game: None,
            report: None,
        })
    }

    /// What the audit log says.
    fn entry(&self) -> NewEntry {
        let subject = match (&self.network, &self.game) {
            (Some((_, label)), _) => format!("address:{label}"),
            (None, Some(game)) => format!("game:{game}"),
            (None, None) => format!("user:{}", self.user.as_deref().unwrap_or_default()),
        };
        let mut details = json!({"reason": self.reason});
        if self.ends.is_some() {
            details["ends"] = json!(self.ends);
        }
        if self.network.is_some() {
            details["user"] = json!(self.user);
        }
        if self.report.is_some() {
            details["report"] = json!(self.report);
        }
        NewEntry { actor: self.actor.clone(), action: action(self.kind), subject, details }
    }
}

/// What the audit log calls a sanction.
const fn action(kind: SanctionKind) -> &'static str {
    match kind {
        SanctionKind::ChatTimeout => "chat_timeout",
        SanctionKind::Ban => "ban",
        SanctionKind::AddressBan => "address_ban",
        SanctionKind::Closed => "close_account",
        SanctionKind::Annulled => "annul_rating",
    }
}

/// Writes a sanction, and lets a ban take effect, in a transaction. Gives its id.
///
/// # Errors
/// If the database fails; the transaction must not be committed then.
pub(crate) async fn insert(
    changes: &mut AnyConnection,
    db: &Db,
    new: &New,
) -> Result<String, sqlx::Error> {
    let id = ids::new_id();
    let sql = "INSERT INTO sanctions (id, kind, user_id, network, game_id, report_id, reason, \
               author, created, ends) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let network = new.network.as_ref().map(|(network, _)| network.clone());
    let insert =
        sqlx::query(sql).bind(&id).bind(word(new.kind)).bind(new.user.clone()).bind(network);
    let insert = insert.bind(new.game.clone()).bind(new.report.clone()).bind(&new.reason);
    let insert = insert.bind(new.actor.user().map(str::to_owned)).bind(time::now()).bind(new.ends);
    insert.execute(&mut *changes).await?;
    audit::append(changes, db.kind, &new.entry()).await?;
    Ok(id)
}

/// Makes the account follow its sanctions: kept out while one of them says so, until the last ends.
///
/// # Errors
/// If the database fails.
pub(crate) async fn settle_ban(
    changes: &mut Transaction<'static, Any>,
    user: &str,
) -> Result<(), Refusal> {
    let sql = "SELECT ends FROM sanctions WHERE user_id = $1 AND kind IN ('ban', 'closed') \
               AND lifted IS NULL AND (ends IS NULL OR ends > $2)";
    let ends: Vec<Option<i64>> =
        sqlx::query_scalar(sql).bind(user).bind(time::now()).fetch_all(&mut **changes).await?;
    let until = ends.iter().copied().collect::<Option<Vec<i64>>>();
    let until = until.and_then(|ends| ends.into_iter().max());
    accounts::set_banned(changes, user, !ends.is_empty(), until).await
}

/// Lifts a sanction, with a reason. Gives it as it was.
///
/// # Errors
/// If there is none, or it does not hold any more, or it was the taking back of a rating, which
/// stands.
pub(crate) async fn lift(
    changes: &mut Transaction<'static, Any>,
    db: &Db,
    actor: &Actor,
    sanction: &Sanction,
    reason: &str,
) -> Result<(), Refusal> {
    let reason = check_reason(reason)?;
    let sql = "UPDATE sanctions SET lifted = $1, lifted_by = $2 WHERE id = $3 AND lifted IS NULL";
    let update = sqlx::query(sql).bind(time::now()).bind(actor.user().map(str::to_owned));
    if update.bind(&sanction.id).execute(&mut **changes).await?.rows_affected() != 1 {
        return Err(Refusal::Conflict("it was lifted already".into()));
    }
    let subject = match &sanction.user {
        Some(user) => format!("user:{}", user.id),
        None => format!("sanction:{}", sanction.id),
    };
    let details = json!({"sanction": sanction.id, "kind": sanction.kind, "reason": reason});
    let action = match sanction.kind {
        SanctionKind::ChatTimeout => "lift_chat_timeout",
        SanctionKind::Ban => "lift_ban",
        SanctionKind::AddressBan => "lift_address_ban",
        SanctionKind::Closed => "reopen_account",
        SanctionKind::Annulled => "restore_rating",
    };
    let entry = NewEntry { actor: actor.clone(), action, subject, details };
    audit::append(changes, db.kind, &entry).await?;
    if let (SanctionKind::Ban | SanctionKind::Closed, Some(user)) = (sanction.kind, &sanction.user)
    {
        settle_ban(changes, &user.id).await?;
    }
    Ok(())
}

const SANCTIONS: &str = "SELECT s.id, s.kind, s.network, s.game_id, s.reason, s.created, s.ends, \
    s.lifted, u.id AS u_id, u.name AS u_name, u.guest AS u_guest, a.id AS a_id, a.name AS a_name, \
    a.guest AS a_guest FROM sanctions s LEFT JOIN users u ON u.id = s.user_id \
    LEFT JOIN users a ON a.id = s.author";

/// The most sanctions that are listed at once.
const LISTED: i64 = 100;

/// What was done to a person, the latest first.
pub(super) async fn of_user(db: &Db, user: &str) -> Result<Vec<Sanction>, Refusal> {
    let sql =
        format!("{SANCTIONS} WHERE s.user_id = $1 ORDER BY s.created DESC, s.id LIMIT {LISTED}");
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(user).fetch_all(&db.pool).await?;
    Ok(rows.iter().map(from_row).collect::<Result<_, _>>()?)
}

/// What holds now, the latest first.
///
/// # Errors
/// If the database fails.
pub async fn active(db: &Db) -> Result<Vec<Sanction>, Refusal> {
    let sql = format!(
        "{SANCTIONS} WHERE s.lifted IS NULL AND s.kind <> 'annulled' \
         AND (s.ends IS NULL OR s.ends > $1) ORDER BY s.created DESC, s.id LIMIT {LISTED}"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(time::now());
    let rows = rows.fetch_all(&db.pool).await?;
    Ok(rows.iter().map(from_row).collect::<Result<_, _>>()?)
}

/// One of them.
///
/// # Errors
/// If there is none.
pub async fn find(db: &Db, id: &str) -> Result<Sanction, Refusal> {
    let sql = format!("{SANCTIONS} WHERE s.id = $1");
    let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(&db.pool).await?;
    let row = row.ok_or_else(|| Refusal::NotFound("there is no such sanction".into()))?;
    Ok(from_row(&row)?)
}

/// The one that rules a user's being kept out, to tell them why: the last to end.
///
/// # Errors
/// If the database fails.
pub async fn ban_of(db: &Db, user: &str) -> Result<Option<Sanction>, Refusal> {
    let all = of_user(db, user).await?;
    let bans = all.into_iter().filter(|sanction| {
        sanction.active && matches!(sanction.kind, SanctionKind::Ban | SanctionKind::Closed)
    });
    Ok(bans.max_by_key(|sanction| sanction.ends.unwrap_or(i64::MAX)))
}

/// Whether a moderator has closed an account.
///
/// # Errors
/// If the database fails.
pub async fn is_closed(db: &Db, user: &str) -> Result<bool, Refusal> {
    let sql = "SELECT COUNT(*) FROM sanctions \
               WHERE user_id = $1 AND kind = 'closed' AND lifted IS NULL";
    Ok(sqlx::query_scalar::<_, i64>(sql).bind(user).fetch_one(&db.pool).await? > 0)
}

/// Lets in again those whose bans have ended. Gives their ids.
///
/// # Errors
/// If the database fails.
pub(crate) async fn end_bans(db: &Db) -> Result<Vec<String>, Refusal> {
    let sql = "SELECT id FROM users WHERE banned = 1 AND banned_until <= $1 LIMIT 100";
    let users: Vec<String> = sqlx::query_scalar(sql).bind(time::now()).fetch_all(&db.pool).await?;
    for user in &users {
        let mut changes = db.begin().await?;
        settle_ban(&mut changes, user).await?;
        changes.commit().await?;
    }
    Ok(users)
}

/// A person on whom a sanction may be laid.
pub(crate) async fn person(
    changes: &mut Transaction<'static, Any>,
    id: &str,
) -> Result<Person, Refusal> {
    let person = Person::by_id(changes, id).await?;
    if person.deleted {
        return Err(Refusal::Conflict("this account is deleted".into()));
    }
    Ok(person)
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

/// Puts the label of an address in its place: a sanction is shown to moderators.
pub(crate) async fn hide_address(
    db: &Db,
    addresses: &super::addresses::Addresses,
    sanction: &mut Sanction,
) -> Result<(), Refusal> {
    if let Some(network) = &sanction.address {
        sanction.address = Some(addresses.label(db, network).await?);
    }
    Ok(())
}
