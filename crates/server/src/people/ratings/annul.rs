//! Taking back a game's rating: as if it had never been rated. The game's own changes go at once;
//! the later games that it had an effect on are recomputed after that ([`super::recompute`]).

use super::{anchor, store};
use crate::error::Refusal;
use crate::storage::db::Db;
use sqlx::AnyConnection;
use std::collections::BTreeSet;

/// Refuses a game whose rating cannot be taken back.
///
/// # Errors
/// If it was not rated, or was taken back already.
pub async fn check_annullable(db: &Db, game: &str) -> Result<(), Refusal> {
    let mut connection = db.pool.acquire().await?;
    let found = store::annulled_and_settled(&mut connection, game).await?;
    match found {
        None => Err(Refusal::NotFound("there is no such game".into())),
        Some((true, _)) => {
            Err(Refusal::Conflict("the rating of this game was taken back already".into()))
        }
        Some((false, false)) => Err(Refusal::Conflict("this game has changed no rating".into())),
        Some((false, true)) => Ok(()),
    }
}

/// Takes a game's rating back, in a transaction of the one task that settles ratings. Whether there
/// was one to take back; if so, the games after it are queued for being recomputed.
///
/// # Errors
/// If the database fails; the transaction must not be committed then.
pub async fn annul(to: &mut AnyConnection, game: &str) -> Result<bool, sqlx::Error> {
    let Some(rated) = store::rated_game(to, game).await? else { return Ok(false) };
    let Some(at) = store::settled_at(to, game).await? else { return Ok(false) };
    for subject in rated.subjects.iter().collect::<BTreeSet<_>>() {
        if anchor(subject, rated.pool).is_some() {
            store::count_one_less(to, subject, rated.pool).await?;
        }
    }
    store::take_back(to, game, rated.pool, at).await?;
    Ok(true)
}
