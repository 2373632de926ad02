//! The ratings of our bots: measured once, and fixed. They hold the scale in place, which could
//! otherwise be moved by whoever finds a weakness of a bot and plays it all day.

use super::{Pool, Rating, store};
use crate::storage::db::Db;
use bots::levels::Level;
use carcassonne::Carcassonne;
use game::Game;

/// The fixed rating of one of our bots (`bot:GAME/NAME`); none for people, and for engines that
/// play no rated games.
pub(crate) fn anchor(subject: &str, pool: Pool) -> Option<Rating> {
    let (game, name) = subject.strip_prefix("bot:")?.split_once('/')?;
    // They were measured in the base game, and play no other for ratings.
    let is_measured = game == Carcassonne::NAME && pool.sets().is_empty();
    let level = Level::named(name).filter(|_| is_measured)?;
    // The deviation is the standard error of up to four measured steps from `mason`, each known to
    // about 20 points (`docs/strength.md`).
    let rating = if pool.is_for_many() { level.rating_many } else { level.rating_two };
    Some(Rating { rating, deviation: 40.0, ..Rating::default() })
}

/// Brings what is stored of our bots' ratings up to date: an older version let games move them,
/// and measured others. The number of their games stays; engines have no rating any more.
///
/// # Errors
/// If the database fails.
pub async fn hold_bots(db: &Db) -> Result<(), sqlx::Error> {
    let mut transaction = db.pool.begin().await?;
    for (subject, name) in store::rated_bots(&mut transaction).await? {
        match name.parse().ok().and_then(|pool| Some((pool, anchor(&subject, pool)?))) {
            Some((pool, fixed)) => {
                store::set_rating(&mut transaction, &subject, pool, fixed).await?;
            }
            None => store::remove(&mut transaction, &subject, &name).await?,
        }
    }
    transaction.commit().await
}
