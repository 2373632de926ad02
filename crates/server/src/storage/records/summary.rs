//! Finished games in lists.

use super::store;
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::wire::{GameSummary, Library};

/// Which finished games are asked for.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Who asks: sees their own games beside public ones.
    pub asker: Option<String>,
    /// Only games in which this user sits.
    pub user: Option<String>,
    /// Only games in which this user sits too.
    pub opponent: Option<String>,
    /// Only games in which this bot of ours sits.
    pub bot: Option<String>,
    /// Only games that ended so for `user`.
    pub outcome: Option<Outcome>,
    /// Only games for two, or only those for more.
    pub duel: Option<bool>,
    /// Only games that ended at this time (Unix milliseconds) or later.
    pub since: Option<i64>,
    /// Only games that ended before this time.
    pub until: Option<i64>,
    /// Only games of this type.
    pub game: Option<String>,
    /// Only rated ones, or only others.
    pub rated: Option<bool>,
    /// Only those played elsewhere, or only others.
    pub imported: Option<bool>,
    /// Where the page before ended.
    pub before: Option<String>,
    /// How many.
    pub limit: usize,
}

/// How a game ended for somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Alone at the top.
    Won,
    /// At the top with others.
    Tied,
    /// Not at the top.
    Lost,
}

/// The most games on a page.
const LONGEST_PAGE: usize = 50;

/// A page of finished games, the latest first.
///
/// # Errors
/// If `before` is not what a page told.
pub async fn library(db: &Db, filter: &Filter) -> Result<Library, Refusal> {
    let limit = filter.limit.clamp(1, LONGEST_PAGE);
    let (ended, id) = match &filter.before {
        None => (i64::MAX, String::new()),
        Some(before) => cursor(before)?,
    };
    let page = store::page(db, filter, (ended, &id), limit as i64 + 1).await?;
    let mut games = Vec::new();
    let mut next = None;
    for (id, ended) in &page[..page.len().min(limit)] {
        games.push(store::summary(db, id).await?);
        next = Some(format!("{ended}-{id}"));
    }
    Ok(Library { games, next: next.filter(|_| page.len() > limit) })
}

fn cursor(text: &str) -> Result<(i64, String), Refusal> {
    let read = text.split_once('-').and_then(|(ended, id)| {
        let plain = id.len() <= 32 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Some((ended.parse().ok()?, id.to_owned())).filter(|_| plain)
    });
    read.ok_or_else(|| Refusal::Bad("'before' is what the page before gave as 'next'".to_owned()))
}

/// The latest finished games of a user that another may see.
///
/// # Errors
/// If the database fails.
pub async fn recent_of(
    db: &Db,
    user: &str,
    asker: Option<&str>,
) -> Result<Vec<GameSummary>, Refusal> {
    let filter = Filter {
        asker: asker.map(str::to_owned),
        user: Some(user.to_owned()),
        limit: 10,
        ..Filter::default()
    };
    Ok(library(db, &filter).await?.games)
}

/// A finished game as lists show it, whoever asks; `None` if there is none.
///
/// # Errors
/// If the database fails.
pub async fn finished(db: &Db, id: &str) -> Result<Option<GameSummary>, Refusal> {
    match store::is_over(db, id).await? {
        false => Ok(None),
        true => store::summary(db, id).await.map(Some),
    }
}
