//! Taking back a game's rating: as if it had never been rated. The game's own changes go, and every
//! later game of the same pool that involves somebody whose rating is different now is settled
//! anew, in the order in which they were settled first.

use super::{Pool, RatedGame, StoredRating, anchor, by_subject, write};
use crate::error::Refusal;
use crate::people::fairplay;
use crate::storage::db::Db;
use crate::time;
use sqlx::{AnyConnection, Row};
use std::collections::{BTreeMap, BTreeSet};

/// Refuses a game whose rating cannot be taken back.
///
/// # Errors
/// If it was not rated, or was taken back already.
pub async fn check_annullable(db: &Db, game: &str) -> Result<(), Refusal> {
    let sql = "SELECT g.annulled, (SELECT COUNT(*) FROM rating_history h WHERE h.game_id = g.id) \
               AS settled FROM games g WHERE g.id = $1";
    let row = sqlx::query(sql).bind(game).fetch_optional(&db.pool).await?;
    let row = row.ok_or_else(|| Refusal::NotFound("there is no such game".into()))?;
    if row.try_get::<Option<i64>, _>("annulled")?.is_some() {
        return Err(Refusal::Conflict("the rating of this game was taken back already".into()));
    }
    if row.try_get::<i64, _>("settled")? == 0 {
        return Err(Refusal::Conflict("this game has changed no rating".into()));
    }
    Ok(())
}

/// Takes a game's rating back, in a transaction of the one task that settles ratings. Whether there
/// was one to take back.
///
/// # Errors
/// If the database fails; the transaction must not be committed then.
pub async fn annul(to: &mut AnyConnection, game: &str) -> Result<bool, sqlx::Error> {
    let Some(rated) = RatedGame::read(to, game).await? else { return Ok(false) };
    let sql = "SELECT MIN(at) FROM rating_history WHERE game_id = $1";
    let at: Option<i64> = sqlx::query_scalar(sql).bind(game).fetch_one(&mut *to).await?;
    let Some(at) = at else { return Ok(false) };
    let mut now: BTreeMap<String, StoredRating> = BTreeMap::new();
    for subject in rated.subjects.iter().collect::<BTreeSet<_>>() {
        if anchor(subject, rated.pool).is_none() {
            now.insert(subject.clone(), before(to, subject, rated.pool, at).await?);
            continue;
        }
        // What never changes has played one game less.
        let sql = "UPDATE ratings SET games = games - 1 WHERE subject = $1 AND pool = $2";
        sqlx::query(sql).bind(subject).bind(rated.pool.name()).execute(&mut *to).await?;
    }
    let mark = sqlx::query("UPDATE games SET annulled = $1 WHERE id = $2").bind(time::now());
    mark.bind(game).execute(&mut *to).await?;
    for sql in [
        "DELETE FROM rating_history WHERE game_id = $1",
        "UPDATE seats SET rating_change = NULL WHERE game_id = $1",
    ] {
        sqlx::query(sql).bind(game).execute(&mut *to).await?;
    }
    for (later, at, subjects) in settled_since(to, rated.pool, at).await? {
        if subjects.iter().any(|subject| now.contains_key(subject)) {
            settle_again(to, &later, at, &mut now).await?;
        }
    }
    for (subject, standing) in &now {
        if standing.games > 0 {
            write(to, subject, rated.pool, standing).await?;
        } else {
            let remove = sqlx::query("DELETE FROM ratings WHERE subject = $1 AND pool = $2");
            remove.bind(subject).bind(rated.pool.name()).execute(&mut *to).await?;
        }
    }
    Ok(true)
}

/// The games of a pool that were settled after a time, in that order, with their subjects.
async fn settled_since(
    from: &mut AnyConnection,
    pool: Pool,
    at: i64,
) -> Result<Vec<(String, i64, Vec<String>)>, sqlx::Error> {
    let sql = "SELECT game_id, subject, at FROM rating_history WHERE pool = $1 AND at >= $2 \
               ORDER BY at, game_id, subject";
    let mut games: Vec<(String, i64, Vec<String>)> = Vec::new();
    for row in sqlx::query(sql).bind(pool.name()).bind(at).fetch_all(from).await? {
        let game: String = row.try_get("game_id")?;
        let subject = row.try_get("subject")?;
        match games.last_mut() {
            Some((last, _, subjects)) if *last == game => subjects.push(subject),
            _ => games.push((game, row.try_get("at")?, vec![subject])),
        }
    }
    Ok(games)
}

/// Settles a game again, with the ratings as they are now of those whose are different, and those
/// of then of the others.
async fn settle_again(
    to: &mut AnyConnection,
    game: &str,
    at: i64,
    now: &mut BTreeMap<String, StoredRating>,
) -> Result<(), sqlx::Error> {
    let Some(rated) = RatedGame::read(to, game).await? else { return Ok(()) };
    for subject in &rated.subjects {
        if !now.contains_key(subject) && anchor(subject, rated.pool).is_none() {
            let standing = before(to, subject, rated.pool, at).await?;
            now.insert(subject.clone(), standing);
        }
    }
    let rating =
        |subject: &String| anchor(subject, rated.pool).unwrap_or_else(|| now[subject].rating);
    let ratings: Vec<_> = rated.subjects.iter().map(rating).collect();
    // The weight that the game was given when it ended stands.
    let weight = fairplay::weight_of(to, game).await?;
    let after = rated.settle(&ratings, weight);
    super::write_seats(to, game, &ratings, &after).await?;
    for (subject, new) in by_subject(&rated.subjects, &after) {
        let Some(standing) = now.get_mut(&subject) else { continue };
        let sql = "UPDATE rating_history SET rating = $1, deviation = $2, volatility = $3 \
                   WHERE subject = $4 AND pool = $5 AND game_id = $6";
        let update = sqlx::query(sql).bind(new.rating).bind(new.deviation).bind(new.volatility);
        let update = update.bind(&subject).bind(rated.pool.name()).bind(game);
        update.execute(&mut *to).await?;
        *standing = StoredRating { rating: new, games: standing.games + 1, updated: at };
    }
    Ok(())
}

/// Where a subject stood before a time, by its history.
async fn before(
    from: &mut AnyConnection,
    subject: &str,
    pool: Pool,
    at: i64,
) -> Result<StoredRating, sqlx::Error> {
    let sql = "SELECT rating, deviation, volatility, at FROM rating_history \
               WHERE subject = $1 AND pool = $2 AND at < $3 ORDER BY at DESC LIMIT 1";
    let last = sqlx::query(sql).bind(subject).bind(pool.name()).bind(at);
    let mut standing = StoredRating::default();
    let Some(row) = last.fetch_optional(&mut *from).await? else { return Ok(standing) };
    standing.rating.rating = row.try_get("rating")?;
    standing.rating.deviation = row.try_get("deviation")?;
    // Games that were settled by an older version have none; it hardly moves.
    if let Some(volatility) = row.try_get("volatility")? {
        standing.rating.volatility = volatility;
    }
    standing.updated = row.try_get("at")?;
    let sql = "SELECT COUNT(*) FROM rating_history WHERE subject = $1 AND pool = $2 AND at < $3";
    let games = sqlx::query_scalar(sql).bind(subject).bind(pool.name()).bind(at);
    standing.games = games.fetch_one(from).await?;
    Ok(standing)
}
