//! What statistics are computed from: ratings, and games that are over.

use crate::people::ratings::Pool;
use crate::storage::db::Db;
use crate::wire::{
    AdjustedMargin, Breakdown, HighScore, Ranked, RatingInfo, RatingPoint, UserCard,
};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use std::collections::HashMap;

/// The best of a pool, without their places. Ratings that are still uncertain, and users who are gone
/// or may not come in, are left out.
pub(super) async fn ranked(db: &Db, pool: Pool, limit: usize) -> Result<Vec<Ranked>, sqlx::Error> {
    let sql = "SELECT r.subject, r.rating, r.deviation, r.games, u.id, u.name, u.guest \
               FROM ratings r LEFT JOIN users u ON r.subject = 'user:' || u.id \
               WHERE r.pool = $1 AND r.deviation <= $2 \
               AND (r.subject LIKE 'bot:%' OR (u.deleted = 0 AND u.banned = 0)) \
               ORDER BY r.rating DESC, r.subject LIMIT $3";
    let rows = sqlx::query(sql).bind(pool.name()).bind(pool.provisional_above());
    let rows = rows.bind(limit as i64).fetch_all(&db.pool).await?;
    rows.iter().map(ranked_from).collect()
}

fn ranked_from(row: &AnyRow) -> Result<Ranked, sqlx::Error> {
    let subject: String = row.try_get("subject")?;
    let user = match row.try_get::<Option<String>, _>("id")? {
        None => None,
        Some(id) => Some(UserCard {
            id,
            name: row.try_get("name")?,
            guest: row.try_get::<i64, _>("guest")? != 0,
        }),
    };
    let bot = subject.split_once('/').map(|(_, name)| name.to_owned());
    Ok(Ranked {
        place: 0,
        bot: bot.filter(|_| user.is_none()),
        user,
        rating: RatingInfo {
            rating: row.try_get("rating")?,
            deviation: row.try_get("deviation")?,
            games: u32::try_from(row.try_get::<i64, _>("games")?).unwrap_or(u32::MAX),
            provisional: false,
        },
        reviewed: None,
    })
}

/// The margins of everybody's reviewed games in a pool, by the names under which they are rated.
pub(super) async fn reviewed(
    db: &Db,
    pool: Pool,
) -> Result<HashMap<String, AdjustedMargin>, sqlx::Error> {
    let sql = "SELECT subject, games, margin, margin_squares, adjusted, adjusted_squares \
               FROM review_totals WHERE pool = $1";
    let rows: Vec<(String, i64, f64, f64, f64, f64)> =
        sqlx::query_as(sql).bind(pool.name()).fetch_all(&db.pool).await?;
    let totals = rows.into_iter().map(|(subject, games, margin, margin_squares, sum, squares)| {
        let count = games as f64;
        let error = |sum: f64, squares: f64| {
            let variance = (squares - sum * sum / count).max(0.0) / (count - 1.0);
            (games > 1).then(|| (variance / count).sqrt())
        };
        let of_pool = AdjustedMargin {
            games: usize::try_from(games).unwrap_or_default(),
            margin: margin / count,
            margin_error: error(margin, margin_squares),
            adjusted: sum / count,
            adjusted_error: error(sum, squares),
        };
        (subject, of_pool)
    });
    Ok(totals.collect())
}

/// How many people have a rating in each pool, by the pools' names.
pub(super) async fn rated_people(db: &Db) -> Result<Vec<(String, i64)>, sqlx::Error> {
    let sql = "SELECT pool, COUNT(*) FROM ratings WHERE subject LIKE 'user:%' GROUP BY pool";
    sqlx::query_as(sql).fetch_all(&db.pool).await
}

/// How many points of a history are told, the latest.
const HISTORY: i64 = 1000;

/// The latest points of a rating's history, the oldest first.
pub(super) async fn history(
    db: &Db,
    subject: &str,
    pool: Pool,
) -> Result<Vec<RatingPoint>, sqlx::Error> {
    let sql = "SELECT at, rating, deviation FROM rating_history \
               WHERE subject = $1 AND pool = $2 ORDER BY at DESC LIMIT $3";
    let rows = sqlx::query(sql).bind(subject).bind(pool.name()).bind(HISTORY);
    let mut points = Vec::new();
    for row in rows.fetch_all(&db.pool).await?.iter().rev() {
        points.push(RatingPoint {
            at: row.try_get("at")?,
            rating: row.try_get("rating")?,
            deviation: row.try_get("deviation")?,
        });
    }
    Ok(points)
}

/// A finished game against others, as one of its players sees it.
pub(super) struct Finished {
    id: String,
    pub(super) own: Option<SeatResult>,
    pub(super) others: Vec<SeatResult>,
}

/// What a seat came to.
pub(super) struct SeatResult {
    pub(super) number: i64,
    user: Option<String>,
    pub(super) bot: Option<String>,
    pub(super) name: String,
    pub(super) place: i64,
    pub(super) score: Option<i64>,
    pub(super) breakdown: Option<Breakdown>,
}

/// A user's finished games of Carcassonne, the oldest first. Games that were called off, were
/// played elsewhere, began with a position, or in which the user played several seats are no measure.
pub(super) async fn finished_games(db: &Db, user: &str) -> Result<Vec<Finished>, sqlx::Error> {
    let sql = "SELECT g.id, o.seat, o.user_id, o.bot, o.place, o.score, o.breakdown, \
               COALESCE(u.name, o.name) AS name \
               FROM seats s JOIN games g ON g.id = s.game_id \
               JOIN seats o ON o.game_id = g.id LEFT JOIN users u ON u.id = o.user_id \
               WHERE s.user_id = $1 AND s.place IS NOT NULL AND g.status = 'over' \
               AND g.imported = 0 AND g.from_ply = 0 AND g.laid IS NULL AND g.pass_and_play = 0 \
               AND g.game = 'carcassonne' ORDER BY g.ended, g.id, o.seat";
    let mut games: Vec<Finished> = Vec::new();
    for row in sqlx::query(sql).bind(user).fetch_all(&db.pool).await? {
        let id: String = row.try_get("id")?;
        if games.last().is_none_or(|last| last.id != id) {
            games.push(Finished { id, own: None, others: Vec::new() });
        }
        let breakdown: Option<String> = row.try_get("breakdown")?;
        let seat = SeatResult {
            number: row.try_get("seat")?,
            user: row.try_get("user_id")?,
            bot: row.try_get("bot")?,
            name: row.try_get("name")?,
            place: row.try_get::<Option<i64>, _>("place")?.unwrap_or(i64::MAX),
            score: row.try_get("score")?,
            breakdown: breakdown.and_then(|text| serde_json::from_str(&text).ok()),
        };
        let Some(game) = games.last_mut() else { continue };
        if seat.user.as_deref() == Some(user) {
            game.own = Some(seat);
        } else {
            game.others.push(seat);
        }
    }
    Ok(games)
}

/// How often a person had a place when a bot of ours had another.
pub(super) struct Pairing {
    pub(super) person: i64,
    pub(super) bot: i64,
    pub(super) games: u32,
}

impl Pairing {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            person: row.try_get("person")?,
            bot: row.try_get("ours")?,
            games: u32::try_from(row.try_get::<i64, _>("n")?).unwrap_or(u32::MAX),
        })
    }
}

/// How a user fared against a bot.
pub(super) async fn against_bot(
    db: &Db,
    user: &str,
    bot: &str,
) -> Result<Vec<Pairing>, sqlx::Error> {
    let sql = "SELECT p.place AS person, b.place AS ours, COUNT(*) AS n FROM seats p \
               JOIN games g ON g.id = p.game_id JOIN seats b ON b.game_id = g.id AND b.bot = $2 \
               WHERE p.user_id = $1 AND g.status = 'over' AND g.imported = 0 \
               AND g.from_ply = 0 AND g.laid IS NULL AND g.pass_and_play = 0 \
               AND g.game = 'carcassonne' \
               AND p.place IS NOT NULL AND b.place IS NOT NULL GROUP BY p.place, b.place";
    let rows = sqlx::query(sql).bind(user).bind(bot).fetch_all(&db.pool).await?;
    rows.iter().map(Pairing::from_row).collect()
}

/// Finished games of Carcassonne that were played here, from their start to some result.
const PLAYED: &str = "g.status = 'over' AND g.imported = 0 AND g.from_ply = 0 AND g.laid IS NULL \
                      AND g.game = 'carcassonne'";

/// How people fared against each bot.
pub(super) async fn against_bots(db: &Db) -> Result<Vec<(String, Pairing)>, sqlx::Error> {
    let sql = format!(
        "SELECT b.bot, p.place AS person, b.place AS ours, COUNT(*) AS n FROM games g \
         JOIN seats p ON p.game_id = g.id AND p.user_id IS NOT NULL AND p.bot_account = 0 \
         JOIN seats b ON b.game_id = g.id AND b.bot IS NOT NULL \
         WHERE {PLAYED} AND g.pass_and_play = 0 AND p.place IS NOT NULL AND b.place IS NOT NULL \
         GROUP BY b.bot, p.place, b.place"
    );
    let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(&db.pool).await?;
    rows.iter().map(|row| Ok((row.try_get("bot")?, Pairing::from_row(row)?))).collect()
}

async fn number(db: &Db, sql: &'static str, value: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(sql).bind(value).fetch_one(&db.pool).await
}

/// How many accounts there are, or how many guests.
pub(super) async fn count_users(db: &Db, guests: bool) -> Result<i64, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM users WHERE deleted = 0 AND guest = $1";
    number(db, sql, i64::from(guests)).await
}

pub(super) async fn count_live_games(db: &Db) -> Result<i64, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM games WHERE status = 'playing' AND rated >= $1";
    number(db, sql, 0).await
}

/// How many games of any kind were played here from their start to a result. One that was called off has none.
pub(super) async fn count_finished_since(db: &Db, since: i64) -> Result<i64, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM games g WHERE g.status = 'over' AND g.imported = 0 \
               AND g.from_ply = 0 AND g.laid IS NULL AND g.ended >= $1 AND EXISTS \
               (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.place IS NOT NULL)";
    number(db, sql, since).await
}

/// How many tiles lie in finished games.
pub(super) async fn count_tiles(db: &Db) -> Result<i64, sqlx::Error> {
    let sql = "SELECT CAST(COALESCE(SUM(turns), 0) AS BIGINT) FROM games WHERE \
               status = 'over' AND imported = 0 AND from_ply = 0 AND laid IS NULL \
               AND game = 'carcassonne' AND turns > $1";
    number(db, sql, 0).await
}

pub(super) async fn highest_score(db: &Db) -> Result<Option<HighScore>, sqlx::Error> {
    let sql = format!(
        "SELECT s.score, COALESCE(u.name, s.name) AS name, g.id FROM seats s \
         JOIN games g ON g.id = s.game_id LEFT JOIN users u ON u.id = s.user_id \
         WHERE {PLAYED} AND g.visibility = 'public' AND s.place IS NOT NULL \
         ORDER BY s.score DESC, g.ended LIMIT 1"
    );
    let row = sqlx::query(AssertSqlSafe(sql)).fetch_optional(&db.pool).await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(HighScore {
        score: i32::try_from(row.try_get::<i64, _>("score")?).unwrap_or(i32::MAX),
        name: row.try_get("name")?,
        game: row.try_get("id")?,
    }))
}

/// How often games for two ended with these places, and the points of both in all of them.
pub(super) struct ResultOfTwo {
    pub(super) first: i64,
    pub(super) second: i64,
    pub(super) games: i64,
    pub(super) points: i64,
}

pub(super) async fn results_of_two(db: &Db) -> Result<Vec<ResultOfTwo>, sqlx::Error> {
    let sql = format!(
        "SELECT a.place AS first, b.place AS second, COUNT(*) AS n, \
         CAST(SUM(a.score + b.score) AS BIGINT) AS points FROM games g \
         JOIN seats a ON a.game_id = g.id AND a.seat = 0 \
         JOIN seats b ON b.game_id = g.id AND b.seat = 1 \
         WHERE {PLAYED} AND a.place IS NOT NULL AND b.place IS NOT NULL AND NOT EXISTS \
         (SELECT 1 FROM seats c WHERE c.game_id = g.id AND c.seat = 2) \
         GROUP BY a.place, b.place"
    );
    let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(&db.pool).await?;
    let results = rows.iter().map(|row| {
        Ok(ResultOfTwo {
            first: row.try_get("first")?,
            second: row.try_get("second")?,
            games: row.try_get("n")?,
            points: row.try_get("points")?,
        })
    });
    results.collect()
}

/// Points by kind and in all of people's seats in the latest games.
pub(super) async fn latest_points(
    db: &Db,
    seats: i64,
) -> Result<Vec<(Breakdown, i32)>, sqlx::Error> {
    let sql = format!(
        "SELECT s.breakdown, s.score FROM games g JOIN seats s ON s.game_id = g.id \
         WHERE {PLAYED} AND g.pass_and_play = 0 AND s.user_id IS NOT NULL AND s.place IS NOT NULL \
         AND s.breakdown IS NOT NULL ORDER BY g.ended DESC LIMIT $1"
    );
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(seats).fetch_all(&db.pool).await?;
    let points = rows.iter().map(|row| {
        let breakdown = serde_json::from_str(row.try_get("breakdown")?).unwrap_or_default();
        let score = i32::try_from(row.try_get::<i64, _>("score")?).unwrap_or_default();
        Ok((breakdown, score))
    });
    points.collect()
}
