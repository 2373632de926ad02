//! The audit log: who did what to whom, and why. Rows are only ever added, each in the transaction
//! of the action it records; each carries the hash of the one before, so that a row that was changed,
//! put in or taken out of the middle is found. The database refuses such changes too, but whoever
//! runs it could tell it not to.

use super::store;
use crate::error::Refusal;
use crate::storage::db::{DatabaseKind, Db};
use crate::time;
use serde_json::Value;
use sqlx::AnyConnection;

/// Who acts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Actor {
    /// A moderator or an administrator.
    User {
        /// The id.
        id: String,
        /// The name then.
        name: String,
    },
    /// Somebody at the command line of the server's machine.
    CommandLine,
    /// The server itself: what ends by itself.
    Server,
}

impl Actor {
    /// As the log has it: a kind of actor with its id, and a name.
    fn words(&self) -> (String, String) {
        match self {
            Self::User { id, name } => (format!("user:{id}"), name.clone()),
            Self::CommandLine => ("command_line".to_owned(), String::new()),
            Self::Server => ("server".to_owned(), String::new()),
        }
    }

    /// The id of the user, if it is one.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        match self {
            Self::User { id, .. } => Some(id),
            Self::CommandLine | Self::Server => None,
        }
    }
}

/// An action to be written down.
#[derive(Clone, PartialEq, Debug)]
pub struct NewEntry {
    /// Who did it.
    pub actor: Actor,
    /// What: `ban`, `lift`, `role`, …
    pub action: &'static str,
    /// To what: `user:ID`, `game:ID`, `report:ID`, `address:HASH`.
    pub subject: String,
    /// What else is worth knowing: the reason, an end.
    pub details: Value,
}

/// A row of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditEntry {
    /// From 1, without gaps.
    pub number: i64,
    /// Unix time in milliseconds.
    pub at: i64,
    /// `user:ID`, `command_line` or `server`.
    pub actor: String,
    /// The name then.
    pub actor_name: String,
    /// What was done.
    pub action: String,
    /// To what.
    pub subject: String,
    /// What else is worth knowing, as JSON.
    pub details: String,
    /// The hash of the row before; of the first row: zeros.
    pub previous: String,
    /// The hash of this row.
    pub hash: String,
}

/// Before the first row.
const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What separates these hashes from all others.
const CONTEXT: &str = "bastide audit log 1";

impl AuditEntry {
    /// What the hash must be: every field with its length, so that no text can pass from one field
    /// into the next.
    fn computed_hash(&self) -> String {
        let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
        hasher.update(&self.number.to_le_bytes()).update(&self.at.to_le_bytes());
        for text in [
            &self.actor,
            &self.actor_name,
            &self.action,
            &self.subject,
            &self.details,
            &self.previous,
        ] {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// Writes what was done down, in the transaction that does it.
///
/// # Errors
/// If the database fails; the transaction must not be committed then.
pub async fn append(
    to: &mut AnyConnection,
    kind: DatabaseKind,
    entry: &NewEntry,
) -> Result<(), sqlx::Error> {
    let last = store::audit::last_of_all(to, kind).await?;
    let (number, previous) = last.unwrap_or_else(|| (0, NOTHING.to_owned()));
    let (actor, actor_name) = entry.actor.words();
    let mut entry = AuditEntry {
        number: number + 1,
        at: time::now(),
        actor,
        actor_name,
        action: entry.action.to_owned(),
        subject: entry.subject.clone(),
        details: entry.details.to_string(),
        previous,
        hash: String::new(),
    };
    entry.hash = entry.computed_hash();
    store::audit::add(to, &entry).await
}

/// The latest rows before a number, the latest first; of one subject, if one is given.
///
/// # Errors
/// If the database fails.
pub async fn latest(
    db: &Db,
    before: Option<i64>,
    subject: Option<&str>,
    most: i64,
) -> Result<Vec<AuditEntry>, Refusal> {
    Ok(store::audit::before(db, before.unwrap_or(i64::MAX), subject, most).await?)
}

/// What is wrong with the log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AuditError {
    /// Rows are missing, or were put in.
    #[error("row {found} follows row {after}")]
    Gap {
        /// The row before.
        after: i64,
        /// The row that follows.
        found: i64,
    },
    /// A row does not carry the hash of the one before.
    #[error("row {0} does not follow the row before it")]
    Broken(i64),
    /// A row is not as it was written.
    #[error("row {0} was changed")]
    Changed(i64),
    /// A hash that was noted down earlier is not in the log.
    #[error("no row has the hash {0}: rows at the end are missing, or the log was written anew")]
    Missing(String),
}

/// The end of a log that is in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// How many rows there are.
    pub rows: i64,
    /// The hash of the last one. Whoever notes it down elsewhere can tell later whether rows are
    /// missing at the end.
    pub hash: String,
}

/// How many rows are read at once.
const PAGE: i64 = 1000;

/// Reads the whole log and checks that every row is as it was written and follows the one before,
/// and that a row with a hash noted down earlier, if one is given, is still there.
///
/// # Errors
/// If the database fails; the inner error says what is wrong with the log.
pub async fn verify(
    from: &mut AnyConnection,
    noted: Option<&str>,
) -> Result<Result<Head, AuditError>, sqlx::Error> {
    let mut head = Head { rows: 0, hash: NOTHING.to_owned() };
    let mut seen = noted.is_none();
    loop {
        let page = store::audit::after(from, head.rows, PAGE).await?;
        if page.is_empty() {
            break;
        }
        for entry in page {
            if entry.number != head.rows + 1 {
                return Ok(Err(AuditError::Gap { after: head.rows, found: entry.number }));
            }
            if entry.previous != head.hash {
                return Ok(Err(AuditError::Broken(entry.number)));
            }
            if entry.hash != entry.computed_hash() {
                return Ok(Err(AuditError::Changed(entry.number)));
            }
            seen |= noted == Some(entry.hash.as_str());
            head = Head { rows: entry.number, hash: entry.hash };
        }
    }
    Ok(match noted {
        Some(noted) if !seen => Err(AuditError::Missing(noted.to_owned())),
        _ => Ok(head),
    })
}
