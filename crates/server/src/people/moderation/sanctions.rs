//! What moderators do to people: chat timeouts, bans, bans of addresses, closed accounts. Every
//! sanction and its end is kept, and stands in the audit log.

use super::audit::{self, Actor, NewEntry};
use super::people::Person;
use super::store;
use super::words::check_reason;
use crate::error::Refusal;
use crate::ids;
use crate::people::accounts;
use crate::storage::db::Db;
use crate::wire::{Sanction, SanctionKind};
use serde_json::json;
use sqlx::{Any, AnyConnection, Transaction};

/// A sanction to be written.
#[derive(Clone, Debug)]
pub(crate) struct PendingSanction {
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

impl PendingSanction {
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
    new: &PendingSanction,
) -> Result<String, sqlx::Error> {
    let id = ids::new_id();
    store::sanctions::add(changes, &id, new).await?;
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
    let ends = store::sanctions::ends_of_bans(changes, user).await?;
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
    if !store::sanctions::lift(changes, &sanction.id, actor.user()).await? {
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

/// What was done to a person, the latest first.
pub(super) async fn of_user(db: &Db, user: &str) -> Result<Vec<Sanction>, Refusal> {
    Ok(store::sanctions::of_user(db, user).await?)
}

/// What holds now, the latest first.
///
/// # Errors
/// If the database fails.
pub async fn active(db: &Db) -> Result<Vec<Sanction>, Refusal> {
    Ok(store::sanctions::active(db).await?)
}

/// One of them.
///
/// # Errors
/// If there is none.
pub async fn find(db: &Db, id: &str) -> Result<Sanction, Refusal> {
    let found = store::sanctions::find(db, id).await?;
    found.ok_or_else(|| Refusal::NotFound("there is no such sanction".into()))
}

/// Lifts all that keeps a user out, without a word in the audit log.
///
/// # Errors
/// If the database fails.
pub(crate) async fn lift_bans(
    changes: &mut Transaction<'static, Any>,
    user: &str,
) -> Result<(), Refusal> {
    Ok(store::sanctions::lift_bans(changes, user).await?)
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
    Ok(store::sanctions::is_closed(db, user).await?)
}

/// Lets in again those whose bans have ended. Gives their ids.
///
/// # Errors
/// If the database fails.
pub(crate) async fn end_bans(db: &Db) -> Result<Vec<String>, Refusal> {
    let users = accounts::with_ended_bans(db).await?;
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

/// Puts the label of an address in its place: a sanction is shown to moderators.
pub(crate) async fn hide_address(
    db: &Db,
    addresses: &super::addresses::AccountAddresses,
    sanction: &mut Sanction,
) -> Result<(), Refusal> {
    if let Some(network) = &sanction.address {
        sanction.address = Some(addresses.label(db, network).await?);
    }
    Ok(())
}
