//! Ratings: settled once for each rated game, in the transaction that ends it. Those of people
//! move; those of our bots are fixed.

mod anchors;
mod annul;
mod formula;
mod pool;
mod recompute;
mod stakes;
pub(in crate::people) mod store;

pub(crate) use anchors::anchor;
pub use anchors::hold_bots;
pub use annul::{annul, check_annullable};
pub use formula::{Rating, settle};
pub use pool::{Pool, UnknownPool};
pub use recompute::Recomputation;
pub use stakes::stakes;

use crate::people::fairplay;
use crate::storage::db::{DatabaseKind, Db, Fence, Sharing};
use crate::wire::RatingInfo;
use sqlx::AnyConnection;
use std::collections::BTreeMap;

/// Lets no other node settle ratings until a transaction ends: what it reads of them must not be
/// old when it writes. A server that is alone settles one game after the other anyway, and on SQLite
/// nobody else writes meanwhile.
///
/// # Errors
/// If the database fails.
pub(crate) async fn one_at_a_time(
    to: &mut AnyConnection,
    db: &Db,
    fence: &Fence,
) -> Result<(), sqlx::Error> {
    if (db.kind, fence.sharing()) == (DatabaseKind::Postgres, Sharing::Nodes) {
        // The number of our lock among those that a database knows.
        let sql = "SELECT pg_advisory_xact_lock(8314892176759549541)::text";
        sqlx::query(sql).execute(to).await?;
    }
    Ok(())
}

/// Settles the ratings of a game that has just been marked as over. Games that are not rated or
/// were called off or were too short change nothing, and a game that was settled is never settled again.
///
/// # Errors
/// If the database fails; the transaction must not be committed then.
pub async fn on_game_over(to: &mut AnyConnection, game: &str) -> Result<(), sqlx::Error> {
    let Some(rated) = store::rated_game(to, game).await? else { return Ok(()) };
    if store::settled_at(to, game).await?.is_some() {
        return Ok(());
    }
    let Some(weight) = fairplay::weigh(to, game, &rated.subjects).await? else { return Ok(()) };
    let mut before = BTreeMap::new();
    let mut at = rated.ended;
    if let Some(reached) = store::reached(to, rated.pool).await? {
        // Games are being recomputed. This one comes after those that are done: if it involves
        // somebody whose rating is different, it will be too.
        at = at.max(reached + 1);
    }
    for subject in &rated.subjects {
        let standing = store::read(to, subject, rated.pool).await?;
        // Later than all games that went into these ratings: the times tell the order.
        at = at.max(standing.updated + 1);
        before.insert(subject.clone(), standing);
    }
    let now = |subject: &String| before[subject].rating;
    let ratings: Vec<Rating> = rated.subjects.iter().map(now).collect();
    let after = rated.settle(&ratings, weight);
    store::write_seats(to, game, &ratings, &after).await?;
    for (subject, new) in by_subject(&rated.subjects, &after) {
        let standing = StoredRating { rating: new, games: before[&subject].games + 1, updated: at };
        store::write(to, &subject, rated.pool, &standing).await?;
        // What never changes has no history.
        if anchor(&subject, rated.pool).is_none() {
            store::add_to_history(to, &subject, rated.pool, game, at, new).await?;
        }
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
    let standing = store::read(&mut connection, subject, pool).await?;
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
    let mut standings: BTreeMap<(String, Pool), StoredRating> = BTreeMap::new();
    for (game, at) in store::settled_games(&mut connection).await? {
        let Some(rated) = store::rated_game(&mut connection, &game).await? else { continue };
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
}

#[cfg(test)]
mod tests;
