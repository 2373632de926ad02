//! Who is asking.

use super::{User, store};
use crate::error::Refusal;
use crate::people::moderation::sanctions;
use crate::storage::db::Db;
use crate::wire::TokenScope;
use crate::{ids, time};
use serde::{Deserialize, Serialize};

/// The person (or the person's program) who sent a request. Handlers that take a `Requester` refuse
/// requests without one; `Option<Requester>` lets anybody in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Requester {
    /// The user's id.
    pub user: String,
    /// The user's name now.
    pub name: String,
    /// Whether it is a guest.
    pub guest: bool,
    /// Whether the request came with a bot token.
    pub bot_token: bool,
    /// The public id of the session; none if the request came with a token.
    pub session: Option<String>,
    /// The public id of the token; none if the request came with a session.
    pub token: Option<String>,
}

impl Requester {
    /// A user for whom the server itself acts.
    #[must_use]
    pub(crate) fn of(user: &User) -> Self {
        Self {
            user: user.id.clone(),
            name: user.name.clone(),
            guest: user.guest,
            bot_token: false,
            session: None,
            token: None,
        }
    }

    /// The same person as they are now; nobody if the session or the token is over, or the user
    /// banned. What outlives a request asks from time to time; where the database does not
    /// answer, nobody is put out.
    pub async fn again(&self, db: &Db) -> Option<Self> {
        let session = self.session.as_deref().unwrap_or_default();
        let token = self.token.as_deref().unwrap_or_default();
        let now = time::now();
        match store::sessions::still_there(db, &self.user, session, token, now).await {
            Ok(found) => found.map(|(name, guest)| Self { name, guest, ..self.clone() }),
            Err(_) => Some(self.clone()),
        }
    }
}

/// A person at a browser, not a program with a token: for what concerns the account itself.
pub struct LoggedIn {
    /// Who.
    pub who: Requester,
    /// The public id of the session.
    pub session: String,
}

/// Uses within so many milliseconds of the last one noted are not noted.
const NOTED_EVERY: i64 = 10 * 60 * 1000;

/// Who has a session with this secret; nobody if it is over.
///
/// # Errors
/// If the user is banned, or the database does not answer.
pub(crate) async fn by_cookie(
    db: &Db,
    session_days: u32,
    secret: &str,
) -> Result<Option<Requester>, Refusal> {
    let hash = ids::hash_of(secret);
    let oldest = time::now() - i64::from(session_days) * time::DAY;
    let found = store::sessions::by_hash(db, &hash, oldest).await?;
    let Some(found) = found else { return Ok(None) };
    refuse_banned(db, &found.user, found.banned).await?;
    if is_due(Some(found.seen)) {
        let now = time::now();
        store::sessions::note_use(db, &hash, now).await?;
        store::users::note_use(db, &found.user, now).await?;
    }
    Ok(Some(Requester {
        user: found.user,
        name: found.name,
        guest: found.guest,
        bot_token: false,
        session: Some(found.session),
        token: None,
    }))
}

/// Who has this token, and what it may do; nobody if it is not known.
///
/// # Errors
/// If it has expired, the user is banned, or the database does not answer.
pub(crate) async fn by_token(
    db: &Db,
    token: &str,
) -> Result<Option<(Requester, TokenScope)>, Refusal> {
    let hash = ids::hash_of(token);
    let Some(found) = store::tokens::by_hash(db, &hash).await? else { return Ok(None) };
    if found.expires.is_some_and(|at| at <= time::now()) {
        return Err(Refusal::Unknown("the token has expired; make a new one".into()));
    }
    refuse_banned(db, &found.user, found.banned).await?;
    if is_due(found.seen) {
        let now = time::now();
        store::tokens::note_use(db, &hash, now).await?;
        store::users::note_use(db, &found.user, now).await?;
    }
    let who = Requester {
        user: found.user,
        name: found.name,
        guest: found.guest,
        bot_token: found.bot,
        session: None,
        token: Some(found.token),
    };
    Ok(Some((who, found.scope)))
}

/// Refuses a user who may not come in, and says why and for how long.
///
/// # Errors
/// If the user is banned.
pub async fn refuse_banned(db: &Db, user: &str, banned: bool) -> Result<(), Refusal> {
    if !banned {
        return Ok(());
    }
    let (left, reason) = match sanctions::ban_of(db, user).await? {
        None => (String::new(), String::new()),
        Some(ban) => (time::left_in_words(ban.ends), format!(": {}", ban.reason)),
    };
    Err(Refusal::Forbidden(format!("this account is banned{left}{reason}")))
}

fn is_due(seen: Option<i64>) -> bool {
    seen.is_none_or(|seen| time::now() - seen > NOTED_EVERY)
}
