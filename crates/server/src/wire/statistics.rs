//! Ratings, leaderboards, profiles and the site's numbers.

use super::{AdjustedMargin, GameSummary, SetName, UserCard};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// A rating.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct RatingInfo {
    /// The number.
    pub rating: f64,
    /// How uncertain it is.
    #[cfg_attr(test, schema(minimum = 0))]
    pub deviation: f64,
    /// Rated games.
    pub games: u32,
    /// Whether it is still too uncertain for the leaderboard.
    pub provisional: bool,
}

/// A place on the leaderboard.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Ranked {
    /// From 1.
    #[cfg_attr(test, schema(minimum = 1))]
    pub place: usize,
    /// The person, unless it is a bot of ours.
    pub user: Option<UserCard>,
    /// Our bot's name.
    pub bot: Option<String>,
    /// The rating.
    pub rating: RatingInfo,
    /// The margin of the pool's games that were reviewed, with luck and without, if there are any.
    pub reviewed: Option<AdjustedMargin>,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Balance {
    /// Won alone.
    pub won: u32,
    /// Shared the first place.
    pub tied: u32,
    /// Lost.
    pub lost: u32,
}

/// A balance against somebody or something.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct BalanceAgainst {
    /// Who or what: a user's name, a bot's name, a seat.
    pub label: String,
    /// The balance.
    pub balance: Balance,
}

/// A rating at a time.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct RatingPoint {
    /// Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    #[cfg_attr(test, schema(minimum = 0))]
    pub at: i64,
    /// The rating after the game.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
}

/// Average points a game, by what they were scored for.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Averages {
    /// Cities.
    pub city: f64,
    /// Roads.
    pub road: f64,
    /// Monasteries.
    pub monastery: f64,
    /// Fields.
    pub field: f64,
    /// Gardens.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(test, ts(optional, as = "Option<f64>"))]
    pub garden: f64,
    /// The most goods of a kind.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(test, ts(optional, as = "Option<f64>"))]
    pub goods: f64,
    /// All together.
    pub total: f64,
}

fn is_zero(points: &f64) -> bool {
    *points == 0.0
}

/// A pool of ratings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PoolInfo {
    /// Its name: `two`, `many-inns`.
    pub pool: String,
    /// The sets that are played; none for the base game.
    pub sets: Vec<SetName>,
    /// Whether it is about games for three to six, not for two.
    pub many: bool,
    /// How many people have a rating.
    pub people: u32,
}

/// A rating in games with sets.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PoolRating {
    /// The pool's name: `two-inns`.
    pub pool: String,
    /// The sets that are played.
    pub sets: Vec<SetName>,
    /// Whether it is about games for three to six, not for two.
    pub many: bool,
    /// The rating.
    pub rating: RatingInfo,
    /// The rating over time.
    pub history: Vec<RatingPoint>,
}

/// A user's public page.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Profile {
    /// Who.
    pub user: UserCard,
    /// Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    #[cfg_attr(test, schema(minimum = 0))]
    pub since: i64,
    /// The rating in two-player games.
    pub rating_two: Option<RatingInfo>,
    /// The rating in games of three to six.
    pub rating_many: Option<RatingInfo>,
    /// The ratings in games with sets; these are the base game's.
    pub other_ratings: Vec<PoolRating>,
    /// Finished games.
    pub games: u32,
    /// Over all games.
    pub balance: Balance,
    /// By opponent, the most frequent first.
    pub by_opponent: Vec<BalanceAgainst>,
    /// By level of our bots.
    pub by_level: Vec<BalanceAgainst>,
    /// By seat in the order of play.
    pub by_seat: Vec<BalanceAgainst>,
    /// Average points.
    pub averages: Averages,
    /// The best score in a game.
    pub best_score: Option<i32>,
    /// Wins in a row now.
    pub streak: u32,
    /// The longest run of wins.
    pub longest_streak: u32,
    /// The rating over time, two players.
    pub history_two: Vec<RatingPoint>,
    /// The rating over time, three to six players.
    pub history_many: Vec<RatingPoint>,
    /// The latest games.
    pub recent: Vec<GameSummary>,
}

/// The numbers that players like to look at.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct SiteStatistics {
    /// Registered users.
    pub users: u32,
    /// Guests.
    pub guests: u32,
    /// Games being played.
    pub live_games: u32,
    /// Games that were played here from their start to a result.
    pub finished_games: u32,
    /// Tiles placed in all finished games.
    #[cfg_attr(test, ts(type = "number"))]
    pub tiles_placed: u64,
    /// Those that ended in the last 24 hours.
    pub games_today: u32,
    /// The highest score of a finished game.
    pub highest_score: Option<HighScore>,
    /// How often the first seat of two wins, from 0 to 1.
    #[cfg_attr(test, schema(minimum = 0, maximum = 1))]
    pub first_seat_wins: Option<f64>,
    /// Average points a player in two-player games.
    pub average_score: Option<f64>,
    /// What a player scores by kind, on average over the latest games; nothing without games.
    pub averages: Option<Averages>,
    /// How our bots fare against people: people's balance.
    pub by_level: Vec<BalanceAgainst>,
}

/// A high score.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct HighScore {
    /// The points.
    pub score: i32,
    /// Whose.
    pub name: String,
    /// In which game.
    #[cfg_attr(test, schema(pattern = "^[0-9a-z]{10}$"))]
    pub game: String,
}
