//! Statistics: leaderboards, profiles, the site's numbers. All are computed from stored games.

mod bots;
mod profile;
mod site;

pub use bots::{bot_near, bot_profile};
pub use profile::profile;
pub use site::{AGE, SiteNumbers, site};

use crate::error::Refusal;
use crate::people::ratings::Pool;
use crate::storage::db::Db;
use crate::wire::{Balance, Ranked, RatingInfo, UserCard};
use sqlx::Row;
use std::cmp::Ordering;

/// The best of a pool, people and our bots on one list. Ratings that are still uncertain, and
/// users who are gone or may not come in, are left out.
///
/// # Errors
/// If the database fails.
pub async fn leaderboard(db: &Db, pool: Pool, limit: usize) -> Result<Vec<Ranked>, Refusal> {
    let sql = "SELECT r.subject, r.rating, r.deviation, r.games, u.id, u.name, u.guest \
               FROM ratings r LEFT JOIN users u ON r.subject = 'user:' || u.id \
               WHERE r.pool = $1 AND r.deviation <= $2 \
               AND (r.subject LIKE 'bot:%' OR (u.deleted = 0 AND u.banned = 0)) \
               ORDER BY r.rating DESC, r.subject LIMIT $3";
    let rows = sqlx::query(sql)
        .bind(pool.name())
        .bind(pool.provisional_above())
        .bind(limit as i64)
        .fetch_all(&db.pool)
        .await?;
    let mut ranked = Vec::new();
    for row in &rows {
        let subject: String = row.try_get("subject")?;
        let id: Option<String> = row.try_get("id")?;
        let user = match id {
            None => None,
            Some(id) => Some(UserCard {
                id,
                name: row.try_get("name")?,
                guest: row.try_get::<i64, _>("guest")? != 0,
            }),
        };
        let bot = subject.split_once('/').map(|(_, name)| name.to_owned());
        ranked.push(Ranked {
            place: 0,
            bot: bot.filter(|_| user.is_none()),
            user,
            rating: RatingInfo {
                rating: row.try_get("rating")?,
                deviation: row.try_get("deviation")?,
                games: u32::try_from(row.try_get::<i64, _>("games")?).unwrap_or(u32::MAX),
                provisional: false,
            },
        });
    }
    // Our bots have ratings before anybody has played them.
    for (name, rating) in bots::ranked_bots(pool) {
        if !ranked.iter().any(|known| known.bot.as_deref() == Some(name)) {
            ranked.push(Ranked { place: 0, user: None, bot: Some(name.to_owned()), rating });
        }
    }
    ranked.sort_by(|a, b| b.rating.rating.total_cmp(&a.rating.rating));
    ranked.truncate(limit);
    for (index, place) in ranked.iter_mut().enumerate() {
        place.place = index + 1;
    }
    Ok(ranked)
}

/// Counts a game by the place of one against the other's: the lower number is better.
fn add(balance: &mut Balance, order: Ordering, times: u32) {
    *match order {
        Ordering::Less => &mut balance.won,
        Ordering::Equal => &mut balance.tied,
        Ordering::Greater => &mut balance.lost,
    } += times;
}
