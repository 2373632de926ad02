//! Our bots as people meet them: how strong each is, and how people fare against it.

use super::{AGE, SiteNumbers, add, store};
use crate::error::Refusal;
use crate::games::game_types;
use crate::people::ratings::{Pool, StoredRating, anchor, rating_of};
use crate::storage::db::Db;
use crate::storage::records::{Filter, library};
use crate::wire::{Balance, BotInfo, BotOffer, BotProfile, RatingInfo};
use bots::levels::{LEVELS, Level};

/// The game that our bots have profiles for.
const GAME: &str = "carcassonne";

/// How many games a profile lists.
const RECENT: usize = 6;

/// A bot's public page, as somebody may see it; `None` if no bot has the name.
///
/// # Errors
/// If the database fails.
pub async fn bot_profile(
    db: &Db,
    numbers: &SiteNumbers,
    name: &str,
    asker: Option<&str>,
) -> Result<Option<BotProfile>, Refusal> {
    let Some(bot) = bot_called(name) else { return Ok(None) };
    let subject = subject(&bot.name);
    let by_level = numbers.get(db, AGE).await?.by_level;
    let people = by_level.into_iter().find(|level| level.label == bot.name);
    let people = people.map(|level| level.balance).unwrap_or_default();
    let mine = match asker {
        None => None,
        Some(asker) => balance_of(db, asker, &bot.name).await?,
    };
    let filter = Filter {
        asker: asker.map(str::to_owned),
        bot: Some(bot.name.clone()),
        game: Some(GAME.to_owned()),
        imported: Some(false),
        limit: RECENT,
        ..Filter::default()
    };
    Ok(Some(BotProfile {
        rating_two: rating_of(db, &subject, Pool::TWO).await?,
        rating_many: rating_of(db, &subject, Pool::MANY).await?,
        games: people.won + people.tied + people.lost,
        people,
        mine,
        recent: library(db, &filter).await?.games,
        name: bot.name.clone(),
        about: bot.about.clone(),
    }))
}

/// The level whose rating in games of two is nearest.
#[must_use]
pub fn bot_near(rating: f64) -> Option<BotOffer> {
    let apart = |level: &&Level| (level.rating_two - rating).abs();
    let nearest = LEVELS.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)))?;
    Some(BotOffer { name: nearest.name.to_owned(), rating: nearest.rating_two })
}

/// The levels with their ratings, for the ranking.
pub(super) fn ranked_bots(pool: Pool) -> impl Iterator<Item = (&'static str, RatingInfo)> {
    let rated = move |level: &'static Level| {
        let rating = anchor(&subject(level.name), pool)?;
        Some((level.name, StoredRating { rating, ..StoredRating::default() }.info(pool)))
    };
    LEVELS.iter().filter_map(rated)
}

fn bot_called(name: &str) -> Option<&'static BotInfo> {
    let game = game_types().iter().find(|game| game.id == GAME)?;
    game.bots.iter().find(|bot| bot.name.eq_ignore_ascii_case(name))
}

fn subject(bot: &str) -> String {
    format!("bot:{GAME}/{bot}")
}

/// How a user fares against a bot; `None` if they never finished a game against it.
async fn balance_of(db: &Db, user: &str, bot: &str) -> Result<Option<Balance>, Refusal> {
    let mut balance = None;
    for pairing in store::against_bot(db, user, bot).await? {
        add(balance.get_or_insert_default(), pairing.person.cmp(&pairing.bot), pairing.games);
    }
    Ok(balance)
}
