//! Statistics: leaderboards, profiles, the site's numbers. All are computed from stored games.

mod bots;
mod profile;
mod site;
mod store;

pub use bots::{bot_near, bot_profile};
pub use profile::profile;
pub use site::{AGE, SiteNumbers, site};

use crate::error::Refusal;
use crate::games::carcassonne::set_names;
use crate::people::ratings::Pool;
use crate::storage::db::Db;
use crate::wire::{Balance, PoolInfo, Ranked};
use std::cmp::Ordering;

/// The best of a pool, people and our bots on one list. Ratings that are still uncertain, and
/// users who are gone or may not come in, are left out.
///
/// # Errors
/// If the database fails.
pub async fn leaderboard(db: &Db, pool: Pool, limit: usize) -> Result<Vec<Ranked>, Refusal> {
    let mut ranked = store::ranked(db, pool, limit).await?;
    // Our bots have ratings before anybody has played them.
    for (name, rating) in bots::ranked_bots(pool) {
        if !ranked.iter().any(|known| known.bot.as_deref() == Some(name)) {
            ranked.push(Ranked {
                place: 0,
                user: None,
                bot: Some(name.to_owned()),
                rating,
                reviewed: None,
            });
        }
    }
    ranked.sort_by(|a, b| b.rating.rating.total_cmp(&a.rating.rating));
    ranked.truncate(limit);
    let reviewed = store::reviewed(db, pool).await?;
    for (index, place) in ranked.iter_mut().enumerate() {
        place.place = index + 1;
        let subject = match (&place.user, &place.bot) {
            (Some(user), _) => format!("user:{}", user.id),
            (None, bot) => format!("bot:carcassonne/{}", bot.as_deref().unwrap_or_default()),
        };
        place.reviewed = reviewed.get(&subject).copied();
    }
    Ok(ranked)
}

/// The pools in which somebody has a rating; the base game's are always among them.
///
/// # Errors
/// If the database fails.
pub async fn pools(db: &Db) -> Result<Vec<PoolInfo>, Refusal> {
    let rated = store::rated_people(db).await?;
    let pools = Pool::all().filter_map(|pool| {
        let people = rated.iter().find(|(name, _)| *name == pool.name());
        let people = people.map_or(0, |(_, people)| u32::try_from(*people).unwrap_or(u32::MAX));
        (people > 0 || pool.sets().is_empty()).then(|| PoolInfo {
            pool: pool.name(),
            sets: set_names(pool.sets()),
            many: pool.is_for_many(),
            people,
        })
    });
    Ok(pools.collect())
}

/// Counts a game by the place of one against the other's: the lower number is better.
fn add(balance: &mut Balance, order: Ordering, times: u32) {
    *match order {
        Ordering::Less => &mut balance.won,
        Ordering::Equal => &mut balance.tied,
        Ordering::Greater => &mut balance.lost,
    } += times;
}
