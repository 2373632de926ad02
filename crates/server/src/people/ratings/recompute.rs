//! Recomputing ratings after the rating of an earlier game was taken back: every later game of the
//! same pool that involves somebody whose rating is different now, in the order in which they were
//! settled first.
//!
//! There may be thousands of them, and nothing else is written meanwhile, so it is done in pieces of
//! a few milliseconds, each in a transaction of its own. The history and the seats change piece by
//! piece; the ratings themselves stand as they were until all later games are done. What has been
//! reached lies in the database. A server that is killed on the way begins anew: settling a game
//! again gives the same.

use super::{Pool, StoredRating, anchor, by_subject, store};
use crate::people::fairplay;
use sqlx::AnyConnection;
use std::collections::{BTreeMap, BTreeSet};
use tokio::time::Instant;

/// What is known of one queued game while the games after it are recomputed. It is only as good as
/// the transactions that went into it: after one that failed it is read again.
#[derive(Debug)]
pub struct Recomputation {
    game: String,
    pool: Pool,
    /// The last game that was looked at, after its time.
    reached: (i64, String),
    /// Where those whose ratings are different stand after that game.
    now: BTreeMap<String, StoredRating>,
    /// Those of them whose rating is not written yet.
    unwritten: BTreeSet<String>,
}

impl Recomputation {
    /// The first game in the queue.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn first(from: &mut AnyConnection) -> Result<Option<Self>, sqlx::Error> {
        let Some((game, pool, at)) = store::first_queued(from).await? else { return Ok(None) };
        let mut now = BTreeMap::new();
        for subject in store::people_of(from, &game).await? {
            let standing = store::standing_before(from, &subject, pool, at).await?;
            now.insert(subject, standing);
        }
        let unwritten = now.keys().cloned().collect();
        Ok(Some(Self { game, pool, reached: (at, String::new()), now, unwritten }))
    }

    /// Recomputes as many games as can be done until a time, and one at least. Whether all are
    /// done; then the game is out of the queue.
    ///
    /// # Errors
    /// If the database fails; the transaction must not be committed then.
    pub async fn step(
        &mut self,
        to: &mut AnyConnection,
        until: Instant,
    ) -> Result<bool, sqlx::Error> {
        loop {
            let (at, game) = &self.reached;
            let games = store::settled_after(to, self.pool, (*at, game)).await?;
            if games.is_empty() {
                break;
            }
            for later in games {
                if later.subjects.iter().any(|subject| self.now.contains_key(subject)) {
                    self.settle_again(to, &later).await?;
                }
                self.reached = (later.at, later.game);
                if Instant::now() >= until {
                    store::note_reached(to, &self.game, self.reached.0).await?;
                    return Ok(false);
                }
            }
        }
        store::note_reached(to, &self.game, self.reached.0).await?;
        while let Some(subject) = self.unwritten.pop_first() {
            store::correct(to, &subject, self.pool, &self.now[&subject]).await?;
            if Instant::now() >= until && !self.unwritten.is_empty() {
                return Ok(false);
            }
        }
        store::unqueue(to, &self.game).await?;
        Ok(true)
    }

    /// Settles a game again, with the ratings as they are now of those whose are different, and those
    /// of then of the others.
    async fn settle_again(
        &mut self,
        to: &mut AnyConnection,
        later: &store::Settled,
    ) -> Result<(), sqlx::Error> {
        let Some(rated) = store::rated_game(to, &later.game).await? else { return Ok(()) };
        for subject in &rated.subjects {
            if !self.now.contains_key(subject) && anchor(subject, self.pool).is_none() {
                let standing = store::standing_before(to, subject, self.pool, later.at).await?;
                self.now.insert(subject.clone(), standing);
            }
        }
        let rating = |subject: &String| {
            anchor(subject, self.pool).unwrap_or_else(|| self.now[subject].rating)
        };
        let ratings: Vec<_> = rated.subjects.iter().map(rating).collect();
        // The weight that the game was given when it ended stands.
        let weight = fairplay::weight_of(to, &later.game).await?;
        let after = rated.settle(&ratings, weight);
        store::write_seats(to, &later.game, &ratings, &after).await?;
        for (subject, new) in by_subject(&rated.subjects, &after) {
            let Some(standing) = self.now.get_mut(&subject) else { continue };
            store::correct_history(to, &subject, self.pool, &later.game, new).await?;
            *standing = StoredRating { rating: new, games: standing.games + 1, updated: later.at };
            self.unwritten.insert(subject);
        }
        Ok(())
    }
}
