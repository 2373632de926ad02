//! What tables read of ratings (`people::ratings` settles them).

use crate::people::ratings::{self, Pool};
use crate::play::table::ratings::{Ratings, SeatRating};
use crate::storage::db::Db;
use crate::wire::NotRated;
use sqlx::Row;
use sqlx::any::AnyRow;

/// The rating of a subject in a pool now, if it has one.
pub(in crate::play::table) async fn rating_of(
    db: &Db,
    subject: &str,
    pool: Pool,
) -> Result<Option<f64>, sqlx::Error> {
    if let Some(fixed) = ratings::anchor(subject, pool) {
        return Ok(Some(fixed.rating));
    }
    let sql = "SELECT rating FROM ratings WHERE subject = $1 AND pool = $2";
    let row = sqlx::query(sql).bind(subject).bind(pool.name()).fetch_optional(&db.pool).await?;
    row.map(|row| row.try_get("rating")).transpose()
}

/// What a game that is over did to the ratings.
pub(in crate::play::table) async fn settled(db: &Db, game: &str) -> Result<Ratings, sqlx::Error> {
    let sql = "SELECT not_rated, rating_weight FROM games WHERE id = $1";
    let row = sqlx::query(sql).bind(game).fetch_one(&db.pool).await?;
    let why: Option<String> = row.try_get("not_rated")?;
    let sql = "SELECT rating, rating_change FROM seats WHERE game_id = $1 ORDER BY seat";
    let rows = sqlx::query(sql).bind(game).fetch_all(&db.pool).await?;
    let seat = |row: &AnyRow| {
        Ok(SeatRating { rating: row.try_get("rating")?, change: row.try_get("rating_change")? })
    };
    Ok(Ratings {
        seats: rows.iter().map(seat).collect::<Result<_, sqlx::Error>>()?,
        not_rated: why.as_deref().and_then(NotRated::from_word),
        weight: row.try_get("rating_weight")?,
    })
}
