//! The numbers of the whole site.

use super::add;
use super::profile::Sums;
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::time;
use crate::wire::{Averages, Balance, BalanceAgainst, Breakdown, HighScore, SiteStatistics};
use sqlx::Row;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// Finished games of Carcassonne that were played here to some result.
const PLAYED: &str = "g.status = 'over' AND g.imported = 0 AND g.game = 'carcassonne'";

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
    let users = "SELECT COUNT(*) AS n FROM users WHERE deleted = 0 AND guest = $1";
    let live = "SELECT COUNT(*) AS n FROM games WHERE status = 'playing' AND rated >= $1";
    let finished = "SELECT COUNT(*) AS n FROM games \
                    WHERE status = 'over' AND imported = 0 AND ended >= $1";
    let tiles = "SELECT CAST(COALESCE(SUM(turns), 0) AS BIGINT) AS n FROM games WHERE \
                 status = 'over' AND imported = 0 AND game = 'carcassonne' AND turns > $1";
    let (first_seat_wins, average_score) = two_players(db).await?;
    let narrow = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(SiteStatistics {
        users: narrow(number(db, users, 0).await?),
        guests: narrow(number(db, users, 1).await?),
        live_games: narrow(number(db, live, 0).await?),
        finished_games: narrow(number(db, finished, 0).await?),
        tiles_placed: number(db, tiles, 0).await?.unsigned_abs(),
        games_today: narrow(number(db, finished, time::now() - time::DAY).await?),
        highest_score: highest_score(db).await?,
        first_seat_wins,
        average_score,
        averages: averages(db).await?,
        by_level: by_level(db).await?,
    })
}

async fn number(db: &Db, sql: &'static str, value: i64) -> Result<i64, Refusal> {
    Ok(sqlx::query(sql).bind(value).fetch_one(&db.pool).await?.try_get("n")?)
}

async fn highest_score(db: &Db) -> Result<Option<HighScore>, Refusal> {
    let sql = format!(
        "SELECT s.score, COALESCE(u.name, s.name) AS name, g.id FROM seats s \
         JOIN games g ON g.id = s.game_id LEFT JOIN users u ON u.id = s.user_id \
         WHERE {PLAYED} AND g.visibility = 'public' AND s.place IS NOT NULL \
         ORDER BY s.score DESC, g.ended LIMIT 1"
    );
    let row = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_optional(&db.pool).await?;
    let Some(row) = row else { return Ok(None) };
    let score: i64 = row.try_get("score")?;
    Ok(Some(HighScore {
        score: i32::try_from(score).unwrap_or(i32::MAX),
        name: row.try_get("name")?,
        game: row.try_get("id")?,
    }))
}

/// How often the first of two wins (a tie counting half), and what a player of two scores.
async fn two_players(db: &Db) -> Result<(Option<f64>, Option<f64>), Refusal> {
    let sql = format!(
        "SELECT a.place AS first, b.place AS second, COUNT(*) AS n, \
         CAST(SUM(a.score + b.score) AS BIGINT) AS points FROM games g \
         JOIN seats a ON a.game_id = g.id AND a.seat = 0 \
         JOIN seats b ON b.game_id = g.id AND b.seat = 1 \
         WHERE {PLAYED} AND a.place IS NOT NULL AND b.place IS NOT NULL AND NOT EXISTS \
         (SELECT 1 FROM seats c WHERE c.game_id = g.id AND c.seat = 2) \
         GROUP BY a.place, b.place"
    );
    let (mut games, mut wins, mut points) = (0, 0.0, 0);
    for row in sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(&db.pool).await? {
        let (first, second): (i64, i64) = (row.try_get("first")?, row.try_get("second")?);
        let n: i64 = row.try_get("n")?;
        games += n;
        points += row.try_get::<i64, _>("points")?;
        let share = match first.cmp(&second) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        };
        wins += share * n as f64;
    }
    let some = (games > 0).then_some(games as f64);
    Ok((some.map(|games| wins / games), some.map(|games| points as f64 / (2.0 * games))))
}

/// How many seats of the latest games go into the average by kind.
const LATEST: i64 = 500;

/// What a person scores by kind, over the latest games.
async fn averages(db: &Db) -> Result<Option<Averages>, Refusal> {
    let sql = format!(
        "SELECT s.breakdown, s.score FROM games g JOIN seats s ON s.game_id = g.id \
         WHERE {PLAYED} AND g.pass_and_play = 0 AND s.user_id IS NOT NULL AND s.place IS NOT NULL \
         AND s.breakdown IS NOT NULL ORDER BY g.ended DESC LIMIT {LATEST}"
    );
    let mut sums = Sums::default();
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(&db.pool).await?;
    for row in &rows {
        let breakdown: Breakdown =
            serde_json::from_str(row.try_get("breakdown")?).unwrap_or_default();
        let score: i64 = row.try_get("score")?;
        sums.add(breakdown, i32::try_from(score).unwrap_or_default());
    }
    Ok((!rows.is_empty()).then(|| sums.mean()))
}

/// How people fare against each of our bots.
async fn by_level(db: &Db) -> Result<Vec<BalanceAgainst>, Refusal> {
    let sql = format!(
        "SELECT b.bot, p.place AS person, b.place AS ours, COUNT(*) AS n FROM games g \
         JOIN seats p ON p.game_id = g.id AND p.user_id IS NOT NULL AND p.bot_account = 0 \
         JOIN seats b ON b.game_id = g.id AND b.bot IS NOT NULL \
         WHERE {PLAYED} AND g.pass_and_play = 0 AND p.place IS NOT NULL AND b.place IS NOT NULL \
         GROUP BY b.bot, p.place, b.place"
    );
    let mut balances: BTreeMap<String, Balance> = BTreeMap::new();
    for row in sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(&db.pool).await? {
        let (person, ours): (i64, i64) = (row.try_get("person")?, row.try_get("ours")?);
        let n = u32::try_from(row.try_get::<i64, _>("n")?).unwrap_or(u32::MAX);
        add(balances.entry(row.try_get("bot")?).or_default(), person.cmp(&ours), n);
    }
    let against = |(label, balance)| BalanceAgainst { label, balance };
    let mut list: Vec<BalanceAgainst> = balances.into_iter().map(against).collect();
    // The levels in their order, the weakest first.
    let levels: Vec<&str> = bots::levels::LEVELS.iter().map(|level| level.name).collect();
    list.sort_by_key(|of| levels.iter().position(|level| *level == of.label).unwrap_or(usize::MAX));
    Ok(list)
}
