//! Ratings: settled once for each rated game, in the transaction that ends it. Those of people
//! move; those of our bots are fixed.

mod anchors;
mod annul;
mod formula;
mod stakes;

pub(crate) use anchors::anchor;
pub use anchors::hold_bots;
pub use annul::{annul, check_annullable};
pub use formula::{Pool, Rating, settle};
pub use stakes::stakes;

use crate::people::fairplay;
use crate::storage::db::Db;
use crate::wire::{GameResult, RatingInfo, Reason};
use sqlx::{AnyConnection, Row};
use std::collections::BTreeMap;

/// Settles the ratings of a game that has just been marked as over. Games that are not rated or
/// were called off or were too short change nothing, and a game that was settled is never settled again.
///
/// # Errors
/// If the database fails; the transaction must not be committed then.
pub async fn on_game_over(to: &mut AnyConnection, game: &str) -> Result<(), sqlx::Error> {
    let Some(rated) = RatedGame::read(to, game).await? else { return Ok(()) };
    let sql = "SELECT COUNT(*) AS settled FROM rating_history WHERE game_id = $1";
    let settled: i64 = sqlx::query(sql).bind(game).fetch_one(&mut *to).await?.try_get("settled")?;
    if settled > 0 {
        return Ok(());
    }
    let Some(weight) = fairplay::weigh(to, game, &rated.subjects).await? else { return Ok(()) };
    let mut before = BTreeMap::new();
    let mut at = rated.ended;
    for subject in &rated.subjects {
        let standing = StoredRating::read(to, subject, rated.pool).await?;
        // Later than all games that went into these ratings: the times tell the order.
        at = at.max(standing.updated + 1);
        before.insert(subject.clone(), standing);
    }
    let now = |subject: &String| before[subject].rating;
    let ratings: Vec<Rating> = rated.subjects.iter().map(now).collect();
    let after = rated.settle(&ratings, weight);
    write_seats(to, game, &ratings, &after).await?;
    for (subject, new) in by_subject(&rated.subjects, &after) {
        let games = before[&subject].games + 1;
        write(to, &subject, rated.pool, &StoredRating { rating: new, games, updated: at }).await?;
        if anchor(&subject, rated.pool).is_some() {
            // What never changes has no history.
            continue;
        }
        let sql = "INSERT INTO rating_history (subject, pool, game_id, at, rating, deviation, \
                   volatility) VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let insert = sqlx::query(sql).bind(&subject).bind(rated.pool.name()).bind(game).bind(at);
        let insert = insert.bind(new.rating).bind(new.deviation).bind(new.volatility);
        insert.execute(&mut *to).await?;
    }
    Ok(())
}

/// Writes what a game did to the ratings, by seat.
async fn write_seats(
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

/// The rating of a subject (`user:ID` or `bot:GAME/NAME`), if it has one.
///
/// # Errors
/// If the database fails.
pub async fn rating_of(
    db: &Db,
    subject: &str,
    pool: Pool,
) -> Result<Option<RatingInfo>, sqlx::Error> {
    let mut connection = db.pool.acquire().await?;
    let standing = StoredRating::read(&mut connection, subject, pool).await?;
    let known = standing.games > 0 || anchor(subject, pool).is_some();
    Ok(known.then(|| standing.info(pool)))
}

/// All ratings computed anew from the games, without looking at the stored ones: what `ratings`
/// must hold.
///
/// # Errors
/// If the database fails.
pub async fn recomputed(db: &Db) -> Result<BTreeMap<(String, Pool), StoredRating>, sqlx::Error> {
    let mut connection = db.pool.acquire().await?;
    let sql = "SELECT game_id, MIN(at) AS at FROM rating_history GROUP BY game_id ORDER BY 2, 1";
    let games = sqlx::query(sql).fetch_all(&mut *connection).await?;
    let mut standings: BTreeMap<(String, Pool), StoredRating> = BTreeMap::new();
    for row in games {
        let (game, at): (String, i64) = (row.try_get("game_id")?, row.try_get("at")?);
        let Some(rated) = RatedGame::read(&mut connection, &game).await? else { continue };
        let key = |subject: &String| (subject.clone(), rated.pool);
        let now = |subject: &String| {
            let known = standings.get(&key(subject)).map(|standing| standing.rating);
            known.or_else(|| anchor(subject, rated.pool)).unwrap_or_default()
        };
        let ratings: Vec<Rating> = rated.subjects.iter().map(now).collect();
        let weight = fairplay::weight_of(&mut connection, &game).await?;
        let after = rated.settle(&ratings, weight);
        for (subject, rating) in by_subject(&rated.subjects, &after) {
            let standing = standings.entry(key(&subject)).or_default();
            *standing = StoredRating { rating, games: standing.games + 1, updated: at };
        }
    }
    Ok(standings)
}

/// A rating as it stands.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct StoredRating {
    /// The rating.
    pub rating: Rating,
    /// The games that went into it.
    pub games: i64,
    /// When it changed last.
    pub updated: i64,
}

impl StoredRating {
    async fn read(
        from: &mut AnyConnection,
        subject: &str,
        pool: Pool,
    ) -> Result<Self, sqlx::Error> {
        let sql = "SELECT rating, deviation, volatility, games, updated FROM ratings \
                   WHERE subject = $1 AND pool = $2";
        let row = sqlx::query(sql).bind(subject).bind(pool.name()).fetch_optional(from).await?;
        let fixed = anchor(subject, pool);
        let Some(row) = row else {
            return Ok(Self { rating: fixed.unwrap_or_default(), ..Self::default() });
        };
        let stored = Rating {
            rating: row.try_get("rating")?,
            deviation: row.try_get("deviation")?,
            volatility: row.try_get("volatility")?,
        };
        Ok(Self {
            rating: fixed.unwrap_or(stored),
            games: row.try_get("games")?,
            updated: row.try_get("updated")?,
        })
    }

    /// As it is shown.
    #[must_use]
    pub fn info(&self, pool: Pool) -> RatingInfo {
        RatingInfo {
            rating: self.rating.rating,
            deviation: self.rating.deviation,
            games: u32::try_from(self.games).unwrap_or(u32::MAX),
            provisional: self.rating.deviation > pool.provisional_above(),
        }
    }
}

async fn write(
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

/// The rating of each subject after a game. One that sat on several seats (the same bot twice)
/// gets the mean of what they would have got.
fn by_subject(subjects: &[String], after: &[Rating]) -> BTreeMap<String, Rating> {
    let mut sums: BTreeMap<String, Vec<Rating>> = BTreeMap::new();
    for (subject, rating) in subjects.iter().zip(after) {
        sums.entry(subject.clone()).or_default().push(*rating);
    }
    let mean = |ratings: &[Rating], of: fn(&Rating) -> f64| {
        ratings.iter().map(of).sum::<f64>() / ratings.len() as f64
    };
    sums.into_iter()
        .map(|(subject, ratings)| {
            let rating = Rating {
                rating: mean(&ratings, |r| r.rating),
                deviation: mean(&ratings, |r| r.deviation),
                volatility: mean(&ratings, |r| r.volatility),
            };
            (subject, rating)
        })
        .collect()
}

/// A rated game that is over.
struct RatedGame {
    pool: Pool,
    /// By seat: `user:ID` or `bot:GAME/NAME`.
    subjects: Vec<String>,
    /// By seat, from 1.
    places: Vec<usize>,
    ended: i64,
}

impl RatedGame {
    /// The ratings after it, by seat, if it counts for so much of a whole one. Those of our bots
    /// are fixed.
    fn settle(&self, before: &[Rating], weight: f64) -> Vec<Rating> {
        let after = settle(before, &self.places);
        let moved = |seat: usize| {
            anchor(&self.subjects[seat], self.pool)
                .unwrap_or_else(|| fairplay::partly(before[seat], after[seat], weight))
        };
        (0..before.len()).map(moved).collect()
    }

    /// `None` if the game does not count.
    async fn read(from: &mut AnyConnection, id: &str) -> Result<Option<Self>, sqlx::Error> {
        let sql = "SELECT game, ended, result FROM games \
                   WHERE id = $1 AND rated = 1 AND imported = 0 AND status = 'over' \
                   AND annulled IS NULL";
        let Some(row) = sqlx::query(sql).bind(id).fetch_optional(&mut *from).await? else {
            return Ok(None);
        };
        let game: String = row.try_get("game")?;
        let result: Option<String> = row.try_get("result")?;
        let result: Option<GameResult> = result.and_then(|text| serde_json::from_str(&text).ok());
        let ended: Option<i64> = row.try_get("ended")?;
        let (Some(result), Some(ended)) = (result, ended) else { return Ok(None) };
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
        let alone = subjects.iter().all(|subject| *subject == subjects[0]);
        let Some(pool) = Pool::of(subjects.len()).filter(|_| !alone) else { return Ok(None) };
        if result.reason == Reason::Abort || result.places.len() != subjects.len() {
            return Ok(None);
        }
        Ok(Some(Self { pool, subjects, places: result.places, ended }))
    }
}

#[cfg(test)]
mod tests;
