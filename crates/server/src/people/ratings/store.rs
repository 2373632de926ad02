//! The rows of ratings: what stands, how it came about, and what is still to be recomputed.

use super::{Pool, RatedGame, Rating, StoredRating, anchor};
use crate::time;
use crate::wire::{GameResult, Reason};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// A rated game that is over; `None` if it does not count.
pub(super) async fn rated_game(
    from: &mut AnyConnection,
    id: &str,
) -> Result<Option<RatedGame>, sqlx::Error> {
    let sql = "SELECT game, setup, ended, result FROM games \
               WHERE id = $1 AND rated = 1 AND imported = 0 AND status = 'over' \
               AND annulled IS NULL";
    let Some(row) = sqlx::query(sql).bind(id).fetch_optional(&mut *from).await? else {
        return Ok(None);
    };
    let result: Option<String> = row.try_get("result")?;
    let result: Option<GameResult> = result.and_then(|text| serde_json::from_str(&text).ok());
    let ended: Option<i64> = row.try_get("ended")?;
    let (Some(result), Some(ended)) = (result, ended) else { return Ok(None) };
    let game: String = row.try_get("game")?;
    let Some(subjects) = subjects_of(from, id, &game).await? else { return Ok(None) };
    let alone = subjects.iter().all(|subject| *subject == subjects[0]);
    let pool = Pool::of(row.try_get("setup")?, subjects.len());
    let Some(pool) = pool.filter(|_| !alone) else { return Ok(None) };
    if result.reason == Reason::Abort || result.places.len() != subjects.len() {
        return Ok(None);
    }
    Ok(Some(RatedGame { pool, subjects, places: result.places, ended }))
}

/// Who sits at a game, by seat; `None` if a seat is empty.
async fn subjects_of(
    from: &mut AnyConnection,
    id: &str,
    game: &str,
) -> Result<Option<Vec<String>>, sqlx::Error> {
    let sql = "SELECT user_id, bot FROM seats WHERE game_id = $1 ORDER BY seat";
    let mut subjects = Vec::new();
    for row in sqlx::query(sql).bind(id).fetch_all(from).await? {
        let user: Option<String> = row.try_get("user_id")?;
        let bot: Option<String> = row.try_get("bot")?;
        match (user, bot) {
            (Some(user), _) => subjects.push(format!("user:{user}")),
            (None, Some(bot)) => subjects.push(format!("bot:{game}/{bot}")),
            (None, None) => return Ok(None),
        }
    }
    Ok(Some(subjects))
}

/// The people of a game, as subjects.
pub(super) async fn people_of(
    from: &mut AnyConnection,
    game: &str,
) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT DISTINCT user_id FROM seats WHERE game_id = $1 AND user_id IS NOT NULL";
    let users: Vec<String> = sqlx::query_scalar(sql).bind(game).fetch_all(from).await?;
    Ok(users.into_iter().map(|user| format!("user:{user}")).collect())
}

/// When a game was settled; `None` if it was not.
pub(super) async fn settled_at(
    from: &mut AnyConnection,
    game: &str,
) -> Result<Option<i64>, sqlx::Error> {
    let sql = "SELECT MIN(at) FROM rating_history WHERE game_id = $1";
    sqlx::query_scalar(sql).bind(game).fetch_one(from).await
}

/// All games that were settled, in that order, with their times.
pub(super) async fn settled_games(
    from: &mut AnyConnection,
) -> Result<Vec<(String, i64)>, sqlx::Error> {
    let sql = "SELECT game_id, MIN(at) AS at FROM rating_history GROUP BY game_id ORDER BY 2, 1";
    sqlx::query_as(sql).fetch_all(from).await
}

/// Whether a game's rating was taken back and whether it was settled; `None` if there is no such game.
pub(super) async fn annulled_and_settled(
    from: &mut AnyConnection,
    game: &str,
) -> Result<Option<(bool, bool)>, sqlx::Error> {
    let sql = "SELECT g.annulled, (SELECT COUNT(*) FROM rating_history h WHERE h.game_id = g.id) \
               AS settled FROM games g WHERE g.id = $1";
    let Some(row) = sqlx::query(sql).bind(game).fetch_optional(from).await? else {
        return Ok(None);
    };
    let annulled = row.try_get::<Option<i64>, _>("annulled")?.is_some();
    Ok(Some((annulled, row.try_get::<i64, _>("settled")? > 0)))
}

/// A subject's rating as it stands; that of our bots is fixed, and newcomers have the default.
pub(super) async fn read(
    from: &mut AnyConnection,
    subject: &str,
    pool: Pool,
) -> Result<StoredRating, sqlx::Error> {
    let sql = "SELECT rating, deviation, volatility, games, updated FROM ratings \
               WHERE subject = $1 AND pool = $2";
    let row = sqlx::query(sql).bind(subject).bind(pool.name()).fetch_optional(from).await?;
    let fixed = anchor(subject, pool);
    let Some(row) = row else {
        return Ok(StoredRating { rating: fixed.unwrap_or_default(), ..StoredRating::default() });
    };
    let stored = Rating {
        rating: row.try_get("rating")?,
        deviation: row.try_get("deviation")?,
        volatility: row.try_get("volatility")?,
    };
    Ok(StoredRating {
        rating: fixed.unwrap_or(stored),
        games: row.try_get("games")?,
        updated: row.try_get("updated")?,
    })
}

/// Writes a subject's rating, the first one too.
pub(super) async fn write(
    to: &mut AnyConnection,
    subject: &str,
    pool: Pool,
    standing: &StoredRating,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO ratings (subject, pool, rating, deviation, volatility, games, updated) \
               VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (subject, pool) DO UPDATE SET \
               rating = excluded.rating, deviation = excluded.deviation, \
               volatility = excluded.volatility, games = excluded.games, \
               updated = excluded.updated";
    let StoredRating { rating: Rating { rating, deviation, volatility }, games, updated } =
        *standing;
    let insert = sqlx::query(sql).bind(subject).bind(pool.name()).bind(rating).bind(deviation);
    insert.bind(volatility).bind(games).bind(updated).execute(to).await?;
    Ok(())
}

/// Writes a rating that was recomputed. Who was deleted meanwhile stays deleted, and who has no
/// rated game left has no rating.
pub(super) async fn correct(
    to: &mut AnyConnection,
    subject: &str,
    pool: Pool,
    standing: &StoredRating,
) -> Result<(), sqlx::Error> {
    if standing.games == 0 {
        return remove(to, subject, &pool.name()).await;
    }
    let sql = "UPDATE ratings SET rating = $1, deviation = $2, volatility = $3, games = $4, \
               updated = $5 WHERE subject = $6 AND pool = $7";
    let Rating { rating, deviation, volatility } = standing.rating;
    let update = sqlx::query(sql).bind(rating).bind(deviation).bind(volatility);
    let update = update.bind(standing.games).bind(standing.updated);
    update.bind(subject).bind(pool.name()).execute(to).await?;
    Ok(())
}

/// Subject and pool of all stored ratings of bots.
pub(super) async fn rated_bots(
    from: &mut AnyConnection,
) -> Result<Vec<(String, String)>, sqlx::Error> {
    let sql = "SELECT subject, pool FROM ratings WHERE subject LIKE 'bot:%'";
    sqlx::query_as(sql).fetch_all(from).await
}

/// Sets a rating, and leaves the number of games as it is.
pub(super) async fn set_rating(
    to: &mut AnyConnection,
    subject: &str,
    pool: Pool,
    to_be: Rating,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE ratings SET rating = $1, deviation = $2, volatility = $3 \
               WHERE subject = $4 AND pool = $5";
    let update = sqlx::query(sql).bind(to_be.rating).bind(to_be.deviation).bind(to_be.volatility);
    update.bind(subject).bind(pool.name()).execute(to).await?;
    Ok(())
}

/// Removes the rating of a subject in a pool, by the pool's stored name.
pub(super) async fn remove(
    to: &mut AnyConnection,
    subject: &str,
    pool: &str,
) -> Result<(), sqlx::Error> {
    let remove = sqlx::query("DELETE FROM ratings WHERE subject = $1 AND pool = $2");
    remove.bind(subject).bind(pool).execute(to).await?;
    Ok(())
}

/// Removes all that is rated of a user who is deleted.
pub(in crate::people) async fn remove_user(
    to: &mut AnyConnection,
    user: &str,
) -> Result<(), sqlx::Error> {
    for sql in
        ["DELETE FROM ratings WHERE subject = $1", "DELETE FROM rating_history WHERE subject = $1"]
    {
        sqlx::query(sql).bind(format!("user:{user}")).execute(&mut *to).await?;
    }
    Ok(())
}

/// Counts one game less for a subject whose rating never changes.
pub(super) async fn count_one_less(
    to: &mut AnyConnection,
    subject: &str,
    pool: Pool,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE ratings SET games = games - 1 WHERE subject = $1 AND pool = $2";
    sqlx::query(sql).bind(subject).bind(pool.name()).execute(to).await?;
    Ok(())
}

/// Notes where a game took a subject's rating.
pub(super) async fn add_to_history(
    to: &mut AnyConnection,
    subject: &str,
    pool: Pool,
    game: &str,
    at: i64,
    new: Rating,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO rating_history (subject, pool, game_id, at, rating, deviation, \
               volatility) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let insert = sqlx::query(sql).bind(subject).bind(pool.name()).bind(game).bind(at);
    let insert = insert.bind(new.rating).bind(new.deviation).bind(new.volatility);
    insert.execute(to).await?;
    Ok(())
}

/// Notes where a game took a subject's rating, now that it was recomputed.
pub(super) async fn correct_history(
    to: &mut AnyConnection,
    subject: &str,
    pool: Pool,
    game: &str,
    new: Rating,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE rating_history SET rating = $1, deviation = $2, volatility = $3 \
               WHERE subject = $4 AND pool = $5 AND game_id = $6";
    let update = sqlx::query(sql).bind(new.rating).bind(new.deviation).bind(new.volatility);
    update.bind(subject).bind(pool.name()).bind(game).execute(to).await?;
    Ok(())
}

/// Where a subject stood before a time, by its history.
pub(super) async fn standing_before(
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

/// A settled game of a pool, with the people whose history it is in.
pub(super) struct Settled {
    pub(super) game: String,
    pub(super) at: i64,
    pub(super) subjects: Vec<String>,
}

/// Some of the games of a pool that were settled after a game, in the order in which they were; none
/// if there are no more.
pub(super) async fn settled_after(
    from: &mut AnyConnection,
    pool: Pool,
    (at, game): (i64, &str),
) -> Result<Vec<Settled>, sqlx::Error> {
    const ROWS: usize = 128;
    let sql = "SELECT game_id, subject, at FROM rating_history \
               WHERE pool = $1 AND (at > $2 OR (at = $2 AND game_id > $3)) \
               ORDER BY at, game_id, subject LIMIT $4";
    let query = sqlx::query(sql).bind(pool.name()).bind(at).bind(game).bind(ROWS as i64);
    let rows: Vec<AnyRow> = query.fetch_all(from).await?;
    let mut games: Vec<Settled> = Vec::new();
    for row in &rows {
        let game: String = row.try_get("game_id")?;
        let subject = row.try_get("subject")?;
        match games.last_mut() {
            Some(last) if last.game == game => last.subjects.push(subject),
            _ => games.push(Settled { game, at: row.try_get("at")?, subjects: vec![subject] }),
        }
    }
    // The last one may have been cut off; it comes first in what is read next.
    if rows.len() == ROWS {
        games.pop();
    }
    Ok(games)
}

/// Writes what a game did to the ratings, by seat.
pub(super) async fn write_seats(
    to: &mut AnyConnection,
    game: &str,
    before: &[Rating],
    after: &[Rating],
) -> Result<(), sqlx::Error> {
    for (seat, (old, new)) in before.iter().zip(after).enumerate() {
        let sql = "UPDATE seats SET rating = $1, rating_change = $2 \
                   WHERE game_id = $3 AND seat = $4";
        let update = sqlx::query(sql).bind(old.rating).bind(new.rating - old.rating);
        update.bind(game).bind(seat as i64).execute(&mut *to).await?;
    }
    Ok(())
}

/// Marks a game as one whose rating was taken back, with nothing left of what it did itself, and
/// queues the games after it for recomputing.
pub(super) async fn take_back(
    to: &mut AnyConnection,
    game: &str,
    pool: Pool,
    at: i64,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE games SET annulled = $1, not_rated = 'annulled', rating_weight = NULL \
               WHERE id = $2";
    sqlx::query(sql).bind(time::now()).bind(game).execute(&mut *to).await?;
    for sql in [
        "DELETE FROM rating_history WHERE game_id = $1",
        "UPDATE seats SET rating_change = NULL WHERE game_id = $1",
    ] {
        sqlx::query(sql).bind(game).execute(&mut *to).await?;
    }
    let sql = "INSERT INTO resettlements (game_id, pool, at, reached, created) \
               VALUES ($1, $2, $3, $3, $4)";
    let queue = sqlx::query(sql).bind(game).bind(pool.name()).bind(at).bind(time::now());
    queue.execute(to).await?;
    Ok(())
}

/// The first game in the queue, its pool, and when it was settled.
pub(super) async fn first_queued(
    from: &mut AnyConnection,
) -> Result<Option<(String, Pool, i64)>, sqlx::Error> {
    let sql = "SELECT game_id, pool, at FROM resettlements ORDER BY created, game_id LIMIT 1";
    let Some(row) = sqlx::query(sql).fetch_optional(from).await? else { return Ok(None) };
    let name: String = row.try_get("pool")?;
    let pool = name.parse().unwrap_or(Pool::TWO);
    Ok(Some((row.try_get("game_id")?, pool, row.try_get("at")?)))
}

/// Notes how far the games after a queued one are recomputed.
pub(super) async fn note_reached(
    to: &mut AnyConnection,
    game: &str,
    at: i64,
) -> Result<(), sqlx::Error> {
    let update = sqlx::query("UPDATE resettlements SET reached = $1 WHERE game_id = $2");
    update.bind(at).bind(game).execute(to).await?;
    Ok(())
}

/// How far games of a pool are recomputed, if any are.
pub(super) async fn reached(
    from: &mut AnyConnection,
    pool: Pool,
) -> Result<Option<i64>, sqlx::Error> {
    let sql = "SELECT MAX(reached) FROM resettlements WHERE pool = $1";
    sqlx::query_scalar(sql).bind(pool.name()).fetch_one(from).await
}

/// Removes a game from the queue.
pub(super) async fn unqueue(to: &mut AnyConnection, game: &str) -> Result<(), sqlx::Error> {
    let done = sqlx::query("DELETE FROM resettlements WHERE game_id = $1").bind(game);
    done.execute(to).await?;
    Ok(())
}
