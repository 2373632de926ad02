//! The numbers of the whole site.

use super::profile::Sums;
use super::{add, store};
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::time;
use crate::wire::{Averages, Balance, BalanceAgainst, SiteStatistics};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The numbers of the whole site, computed anew after a while at the earliest: they look at every
/// game there is.
#[derive(Default)]
pub struct SiteNumbers(Mutex<Option<(Instant, SiteStatistics)>>);

/// How old the numbers may be.
pub const AGE: Duration = Duration::from_secs(10);

impl SiteNumbers {
    /// The numbers, at most so old. Those who ask at the same time wait for one answer.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn get(&self, db: &Db, age: Duration) -> Result<SiteStatistics, Refusal> {
        let mut kept = self.0.lock().await;
        if let Some((_, numbers)) = kept.as_ref().filter(|(at, _)| at.elapsed() < age) {
            return Ok(numbers.clone());
        }
        let numbers = site(db).await?;
        *kept = Some((Instant::now(), numbers.clone()));
        Ok(numbers)
    }
}

/// The numbers that players like to look at.
///
/// # Errors
/// If the database fails.
pub async fn site(db: &Db) -> Result<SiteStatistics, Refusal> {
    let (first_seat_wins, average_score) = two_players(db).await?;
    let narrow = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(SiteStatistics {
        users: narrow(store::count_users(db, false).await?),
        guests: narrow(store::count_users(db, true).await?),
        live_games: narrow(store::count_live_games(db).await?),
        finished_games: narrow(store::count_finished_since(db, 0).await?),
        tiles_placed: store::count_tiles(db).await?.unsigned_abs(),
        games_today: narrow(store::count_finished_since(db, time::now() - time::DAY).await?),
        highest_score: store::highest_score(db).await?,
        first_seat_wins,
        average_score,
        averages: averages(db).await?,
        by_level: by_level(db).await?,
    })
}

/// How often the first of two wins (a tie counting half), and what a player of two scores.
async fn two_players(db: &Db) -> Result<(Option<f64>, Option<f64>), Refusal> {
    let (mut games, mut wins, mut points) = (0, 0.0, 0);
    for result in store::results_of_two(db).await? {
        games += result.games;
        points += result.points;
        let share = match result.first.cmp(&result.second) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        };
        wins += share * result.games as f64;
    }
    let some = (games > 0).then_some(games as f64);
    Ok((some.map(|games| wins / games), some.map(|games| points as f64 / (2.0 * games))))
}

/// How many seats of the latest games go into the average by kind.
const LATEST: i64 = 500;

/// What a person scores by kind, over the latest games.
async fn averages(db: &Db) -> Result<Option<Averages>, Refusal> {
    let latest = store::latest_points(db, LATEST).await?;
    let mut sums = Sums::default();
    for (points, score) in &latest {
        sums.add(*points, *score);
    }
    Ok((!latest.is_empty()).then(|| sums.mean()))
}

/// How people fare against each of our bots.
async fn by_level(db: &Db) -> Result<Vec<BalanceAgainst>, Refusal> {
    let mut balances: BTreeMap<String, Balance> = BTreeMap::new();
    for (bot, pairing) in store::against_bots(db).await? {
        let order = pairing.person.cmp(&pairing.bot);
        add(balances.entry(bot).or_default(), order, pairing.games);
    }
    let against = |(label, balance)| BalanceAgainst { label, balance };
    let mut list: Vec<BalanceAgainst> = balances.into_iter().map(against).collect();
    // The levels in their order, the weakest first.
    let levels: Vec<&str> = bots::levels::LEVELS.iter().map(|level| level.name).collect();
    list.sort_by_key(|of| levels.iter().position(|level| *level == of.label).unwrap_or(usize::MAX));
    Ok(list)
}
