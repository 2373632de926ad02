//! Who is asking.

use super::{User, tokens};
use crate::error::Refusal;
use crate::people::moderation::sanctions;
use crate::storage::db::Db;
use crate::wire::TokenScope;
use crate::{ids, time};
use sqlx::Row;

/// The person (or the person's program) who sent a request. Handlers that take a `Who` refuse
/// requests without one; `Option<Who>` lets anybody in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Who {
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

impl Who {
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
        let sql = "SELECT u.name, u.guest FROM users u WHERE u.id = $1 AND u.banned = 0 \
                   AND u.deleted = 0 AND ($2 = '' OR EXISTS \
                   (SELECT 1 FROM sessions s WHERE s.id = $2 AND s.user_id = u.id)) \
                   AND ($3 = '' OR EXISTS \
                   (SELECT 1 FROM tokens t WHERE t.id = $3 AND t.user_id = u.id \
                   AND (t.expires IS NULL OR t.expires > $4)))";
        let session = self.session.clone().unwrap_or_default();
        let token = self.token.clone().unwrap_or_default();
        let found = sqlx::query(sql).bind(&self.user).bind(session).bind(token);
        let found = found.bind(time::now());
        let Ok(found) = found.fetch_optional(&db.pool).await else { return Some(self.clone()) };
        let row = found?;
        let name = row.try_get("name").unwrap_or_else(|_| self.name.clone());
        let guest = row.try_get::<i64, _>("guest").map_or(self.guest, |guest| guest != 0);
        Some(Self { name, guest, ..self.clone() })
    }
}

/// A person at a browser, not a program with a token: for what concerns the account itself.
pub struct LoggedIn {
    /// Who.
    pub who: Who,
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
) -> Result<Option<Who>, Refusal> {
    let hash = ids::hash_of(secret);
    let oldest = time::now() - i64::from(session_days) * time::DAY;
    let sql = "SELECT s.id AS session, s.seen, u.id, u.name, u.guest, u.banned \
               FROM sessions s JOIN users u ON u.id = s.user_id \
               WHERE s.hash = $1 AND s.seen >= $2 AND u.deleted = 0";
    let found = sqlx::query(sql).bind(&hash).bind(oldest).fetch_optional(&db.pool).await?;
    let Some(row) = found else { return Ok(None) };
    let user: String = row.try_get("id")?;
    refuse_banned(db, &user, row.try_get::<i64, _>("banned")? != 0).await?;
    if is_due(Some(row.try_get("seen")?)) {
        note_use(db, "UPDATE sessions SET seen = $1 WHERE hash = $2", &hash).await?;
        note_use(db, "UPDATE users SET seen = $1 WHERE id = $2", &user).await?;
    }
    Ok(Some(Who {
        user,
        name: row.try_get("name")?,
        guest: row.try_get::<i64, _>("guest")? != 0,
        bot_token: false,
        session: Some(row.try_get("session")?),
        token: None,
    }))
}

/// Who has this token, and what it may do; nobody if it is not known.
///
/// # Errors
/// If it has expired, the user is banned, or the database does not answer.
pub(crate) async fn by_token(db: &Db, token: &str) -> Result<Option<(Who, TokenScope)>, Refusal> {
    let hash = ids::hash_of(token);
    let sql = "SELECT t.id AS token, t.bot, t.seen, t.scope, t.expires, u.id, u.name, u.guest, u.banned \
               FROM tokens t JOIN users u ON u.id = t.user_id \
               WHERE t.hash = $1 AND u.deleted = 0";
    let found = sqlx::query(sql).bind(&hash).fetch_optional(&db.pool).await?;
    let Some(row) = found else { return Ok(None) };
    if row.try_get::<Option<i64>, _>("expires")?.is_some_and(|at| at <= time::now()) {
        return Err(Refusal::Unknown("the token has expired; make a new one".into()));
    }
    let user: String = row.try_get("id")?;
    refuse_banned(db, &user, row.try_get::<i64, _>("banned")? != 0).await?;
    if is_due(row.try_get("seen")?) {
        note_use(db, "UPDATE tokens SET seen = $1 WHERE hash = $2", &hash).await?;
        note_use(db, "UPDATE users SET seen = $1 WHERE id = $2", &user).await?;
    }
    let who = Who {
        user,
        name: row.try_get("name")?,
        guest: row.try_get::<i64, _>("guest")? != 0,
        bot_token: row.try_get::<i64, _>("bot")? != 0,
        session: None,
        token: Some(row.try_get("token")?),
    };
    Ok(Some((who, tokens::scope_of(row.try_get("scope")?))))
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

async fn note_use(db: &Db, sql: &'static str, of: &str) -> Result<(), Refusal> {
    sqlx::query(sql).bind(time::now()).bind(of).execute(&db.pool).await?;
    Ok(())
}
