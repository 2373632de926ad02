//! A user's public page: balances by opponent, level and seat, averages, streaks, history.

use super::store::Finished;
use super::{add, store};
use crate::error::Refusal;
use crate::games::carcassonne::set_names;
use crate::people::accounts::User;
use crate::people::ratings::{Pool, rating_of};
use crate::storage::db::Db;
use crate::storage::records::recent_of;
use crate::wire::{Averages, Balance, BalanceAgainst, Breakdown, PoolRating, Profile, UserCard};
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// A user's public page, as somebody may see it.
///
/// # Errors
/// If the database fails.
pub async fn profile(db: &Db, user: &User, asker: Option<&str>) -> Result<Profile, Refusal> {
    let subject = format!("user:{}", user.id);
    let mut counted = Counted::default();
    for game in store::finished_games(db, &user.id).await? {
        counted.count(&game);
    }
    Ok(Profile {
        user: UserCard { id: user.id.clone(), name: user.name.clone(), guest: user.guest },
        since: user.created,
        rating_two: rating_of(db, &subject, Pool::TWO).await?,
        rating_many: rating_of(db, &subject, Pool::MANY).await?,
        other_ratings: other_ratings(db, &subject).await?,
        games: counted.games,
        balance: counted.balance,
        by_opponent: most_frequent(counted.by_opponent),
        by_level: most_frequent(counted.by_level),
        by_seat: listed(counted.by_seat),
        averages: counted.averages.mean(),
        best_score: counted.best_score,
        streak: counted.streak,
        longest_streak: counted.longest_streak,
        history_two: store::history(db, &subject, Pool::TWO).await?,
        history_many: store::history(db, &subject, Pool::MANY).await?,
        recent: recent_of(db, &user.id, asker).await?,
    })
}

/// The ratings in games with sets.
async fn other_ratings(db: &Db, subject: &str) -> Result<Vec<PoolRating>, Refusal> {
    let mut ratings = Vec::new();
    for pool in Pool::all().filter(|pool| !pool.sets().is_empty()) {
        if let Some(rating) = rating_of(db, subject, pool).await? {
            let history = store::history(db, subject, pool).await?;
            let (sets, many) = (set_names(pool.sets()), pool.is_for_many());
            ratings.push(PoolRating { pool: pool.name(), sets, many, rating, history });
        }
    }
    Ok(ratings)
}

/// How many opponents are listed.
const OPPONENTS: usize = 50;

#[derive(Default)]
struct Counted {
    games: u32,
    balance: Balance,
    by_opponent: BTreeMap<String, Balance>,
    by_level: BTreeMap<String, Balance>,
    by_seat: BTreeMap<i64, Balance>,
    averages: Sums,
    best_score: Option<i32>,
    streak: u32,
    longest_streak: u32,
}

impl Counted {
    fn count(&mut self, game: &Finished) {
        let Some(own) = &game.own else { return };
        let best_other = game.others.iter().map(|other| other.place).min();
        let Some(best_other) = best_other else { return };
        self.games += 1;
        let order = own.place.cmp(&best_other);
        add(&mut self.balance, order, 1);
        add(self.by_seat.entry(own.number).or_default(), order, 1);
        for other in &game.others {
            let order = own.place.cmp(&other.place);
            let against = match &other.bot {
                Some(bot) => self.by_level.entry(bot.clone()),
                None => self.by_opponent.entry(other.name.clone()),
            };
            add(against.or_default(), order, 1);
        }
        self.streak = if order == Ordering::Less { self.streak + 1 } else { 0 };
        self.longest_streak = self.longest_streak.max(self.streak);
        let score = own.score.and_then(|score| i32::try_from(score).ok());
        self.best_score = self.best_score.max(score);
        self.averages.add(own.breakdown.unwrap_or_default(), score.unwrap_or_default());
    }
}

/// Points by kind, added up over games.
#[derive(Default)]
pub(super) struct Sums {
    games: i64,
    city: i64,
    road: i64,
    monastery: i64,
    field: i64,
    garden: i64,
    goods: i64,
    total: i64,
}

impl Sums {
    pub(super) fn add(&mut self, points: Breakdown, score: i32) {
        self.games += 1;
        self.city += i64::from(points.city);
        self.road += i64::from(points.road);
        self.monastery += i64::from(points.monastery);
        self.field += i64::from(points.field);
        self.garden += i64::from(points.garden);
        self.goods += i64::from(points.goods);
        self.total += i64::from(score);
    }

    pub(super) fn mean(&self) -> Averages {
        let mean = |sum: i64| sum as f64 / self.games.max(1) as f64;
        Averages {
            city: mean(self.city),
            road: mean(self.road),
            monastery: mean(self.monastery),
            field: mean(self.field),
            garden: mean(self.garden),
            goods: mean(self.goods),
            total: mean(self.total),
        }
    }
}

fn most_frequent(balances: BTreeMap<String, Balance>) -> Vec<BalanceAgainst> {
    let mut list: Vec<_> =
        balances.into_iter().map(|(label, balance)| BalanceAgainst { label, balance }).collect();
    let games = |b: &Balance| b.won + b.tied + b.lost;
    list.sort_by_key(|against| Reverse(games(&against.balance)));
    list.truncate(OPPONENTS);
    list
}

/// By seat, counted from 1 as people do.
fn listed(balances: BTreeMap<i64, Balance>) -> Vec<BalanceAgainst> {
    let label = |seat: i64| (seat + 1).to_string();
    let against = |(seat, balance)| BalanceAgainst { label: label(seat), balance };
    balances.into_iter().map(against).collect()
}
