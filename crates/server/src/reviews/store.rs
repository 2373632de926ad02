//! Reviews in the database.

use super::depth_of;
use crate::error::Refusal;
use crate::people::ratings::Pool;
use crate::storage::db::Db;
use crate::time;
use crate::wire::{
    LostPoints, Review, ReviewCategory, ReviewDepth, ReviewSource, ReviewStep, ReviewedGame,
};
use sqlx::{Any, Row, Transaction};
use std::collections::BTreeMap;

pub(super) async fn find(
    db: &Db,
    game: &str,
    depth: ReviewDepth,
) -> Result<Option<Review>, Refusal> {
    let sql = "SELECT body FROM reviews WHERE game_id = $1 AND depth = $2";
    let row = sqlx::query(sql).bind(game).bind(depth_of(depth).name());
    let Some(row) = row.fetch_optional(&db.pool).await? else { return Ok(None) };
    let body: String = row.try_get("body")?;
    serde_json::from_str(&body).map(Some).map_err(|error| {
        tracing::error!(game, %error, "a stored review cannot be read");
        Refusal::Internal
    })
}

/// Who is reviewed.
#[derive(Clone, Debug)]
pub(super) struct ReviewedTable {
    pub(super) game: String,
    /// The pool, if the game was rated.
    pub(super) pool: Option<Pool>,
    /// Who sat where, as ratings name them; nobody for names without an account.
    pub(super) subjects: Vec<Option<String>>,
}

/// A game in which somebody decided less often says nothing of how well people play: who resigns at
/// once would be perfect.
const LEAST_DECISIONS: usize = 5;

/// Keeps a review. One that is there already stays.
pub(super) async fn insert(
    db: &Db,
    table: &ReviewedTable,
    review: &Review,
) -> Result<(), sqlx::Error> {
    let body = serde_json::to_string(review).expect("plain data is JSON");
    let (game, depth) = (&table.game, depth_of(review.depth).name());
    let mut to = db.pool.begin().await?;
    let sql = "INSERT INTO reviews (game_id, depth, body, made) VALUES ($1, $2, $3, $4) \
               ON CONFLICT DO NOTHING";
    let made =
        sqlx::query(sql).bind(game).bind(depth).bind(body).bind(time::now()).execute(&mut *to);
    if made.await?.rows_affected() == 0 {
        return Ok(());
    }
    let sql = "SELECT COUNT(*) FROM reviews WHERE game_id = $1";
    let reviews: i64 = sqlx::query_scalar(sql).bind(game).fetch_one(&mut *to).await?;
    if review.players.iter().any(|player| player.decisions < LEAST_DECISIONS)
        || began_with_position(&mut to, game).await?
    {
        return to.commit().await;
    }
    let lost = lost_by_seat(review);
    for (seat, (player, lost)) in review.players.iter().zip(lost).enumerate() {
        let count = |category: ReviewCategory| {
            let at = player.categories.get(category as usize).copied().unwrap_or_default();
            i64::try_from(at).unwrap_or(i64::MAX)
        };
        let sql = "INSERT INTO review_seats (game_id, depth, seat, accuracy, margin, luck, skill, \
                   loss, inaccuracies, mistakes, blunders, lost, user_id, bot, ended) \
                   SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, s.user_id, s.bot, \
                   g.ended FROM seats s JOIN games g ON g.id = s.game_id \
                   WHERE s.game_id = $1 AND s.seat = $3";
        sqlx::query(sql)
            .bind(game)
            .bind(depth)
            .bind(i64::try_from(seat).unwrap_or(i64::MAX))
            .bind(player.accuracy)
            .bind(player.result.margin)
            .bind(player.luck.margin)
            .bind(player.skill.margin)
            .bind(player.loss.margin)
            .bind(count(ReviewCategory::Inaccuracy))
            .bind(count(ReviewCategory::Mistake))
            .bind(count(ReviewCategory::Blunder))
            .bind(serde_json::to_string(&lost).expect("plain data is JSON"))
            .execute(&mut *to)
            .await?;
        // How often a person plays as the engine would is one sign among those of fair play.
        if let Some(agreement) = agreement(review, seat) {
            let sql = "UPDATE thinking SET agreement = $3 WHERE game_id = $1 AND seat = $2";
            let seat_number = i64::try_from(seat).unwrap_or(i64::MAX);
            let update = sqlx::query(sql).bind(game).bind(seat_number).bind(agreement);
            update.execute(&mut *to).await?;
        }
        // A second, deeper review of the game does not count it twice.
        if let (Some(pool), Some(Some(subject)), 1) =
            (table.pool, table.subjects.get(seat), reviews)
        {
            add(&mut to, subject, pool, player.result.margin, player.luck.margin).await?;
        }
    }
    to.commit().await
}

/// Whether part of a game was not played here: then its review says nothing of who sat there.
async fn began_with_position(
    to: &mut Transaction<'_, Any>,
    game: &str,
) -> Result<bool, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM games WHERE id = $1 AND (from_ply > 0 OR laid IS NOT NULL)";
    let found: i64 = sqlx::query_scalar(sql).bind(game).fetch_one(&mut **to).await?;
    Ok(found > 0)
}

async fn add(
    to: &mut Transaction<'_, Any>,
    subject: &str,
    pool: Pool,
    margin: f64,
    luck: f64,
) -> Result<(), sqlx::Error> {
    let adjusted = margin - luck;
    let sql = "INSERT INTO review_totals (subject, pool, games, margin, margin_squares, adjusted, \
               adjusted_squares) VALUES ($1, $2, 1, $3, $4, $5, $6) \
               ON CONFLICT (pool, subject) DO UPDATE SET games = review_totals.games + 1, \
               margin = review_totals.margin + excluded.margin, \
               margin_squares = review_totals.margin_squares + excluded.margin_squares, \
               adjusted = review_totals.adjusted + excluded.adjusted, \
               adjusted_squares = review_totals.adjusted_squares + excluded.adjusted_squares";
    sqlx::query(sql)
        .bind(subject)
        .bind(pool.name())
        .bind(margin)
        .bind(margin * margin)
        .bind(adjusted)
        .bind(adjusted * adjusted)
        .execute(&mut **to)
        .await?;
    Ok(())
}

/// The share of a seat's decisions in which it played the engine's turn; none without decisions.
fn agreement(review: &Review, seat: usize) -> Option<f64> {
    let own = |step: &&ReviewStep| match step {
        ReviewStep::Decision(decision) => decision.player == seat && decision.choices > 1,
        ReviewStep::Draw(_) => false,
    };
    let same = |step: &&ReviewStep| match step {
        ReviewStep::Decision(decision) => decision.played == decision.best,
        ReviewStep::Draw(_) => false,
    };
    let decisions = review.steps.iter().filter(own).count();
    let agreed = review.steps.iter().filter(own).filter(same).count();
    (decisions > 0).then(|| agreed as f64 / decisions as f64)
}

/// What each seat lost by its decisions, by source: own points that the engine's turns bring more,
/// and points of others that they bring less.
fn lost_by_seat(review: &Review) -> Vec<Vec<LostPoints>> {
    let mut lost = vec![BTreeMap::<(bool, ReviewSource), f64>::new(); review.players.len()];
    for step in &review.steps {
        let ReviewStep::Decision(decision) = step else { continue };
        for reason in &decision.reasons {
            let others = reason.player != decision.player;
            let points = if others { -reason.points } else { reason.points };
            *lost[decision.player].entry((others, reason.source)).or_default() += points;
        }
    }
    let listed = |sums: BTreeMap<(bool, ReviewSource), f64>| {
        let each = sums.into_iter();
        each.map(|((others, source), points)| LostPoints { others, source, points }).collect()
    };
    lost.into_iter().map(listed).collect()
}

/// A reviewed game of somebody, with its mistakes and where points were lost.
pub(super) struct SeatRow {
    pub(super) game: ReviewedGame,
    /// Inaccuracies, mistakes, blunders.
    pub(super) mistakes: [i64; 3],
    pub(super) lost: Vec<LostPoints>,
}

/// Whose reviewed games.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whose<'a> {
    /// A user's, by id, as somebody (another id) may see them.
    User(&'a str, &'a str),
    /// A bot's, by name: public games alone.
    Bot(&'a str),
}

/// The latest reviewed games of somebody, each by its deepest review, the latest first.
pub(super) async fn seats_of(
    db: &Db,
    whose: Whose<'_>,
    most: i64,
) -> Result<Vec<SeatRow>, Refusal> {
    let deepest = "(r.depth = 'deep' OR NOT EXISTS (SELECT 1 FROM reviews d \
                   WHERE d.game_id = r.game_id AND d.depth = 'deep'))";
    let columns = "r.game_id, r.depth, r.ended, r.accuracy, r.margin, r.luck, r.skill, r.loss, \
                   r.inaccuracies, r.mistakes, r.blunders, r.lost";
    let from = "review_seats r JOIN games g ON g.id = r.game_id";
    let rows = match whose {
        Whose::User(user, asker) => {
            let sql = format!(
                "SELECT {columns} FROM {from} WHERE r.user_id = $1 AND {deepest} \
                 AND (g.visibility = 'public' OR g.host = $2 OR EXISTS (SELECT 1 FROM seats o \
                 WHERE o.game_id = g.id AND o.user_id = $2)) \
                 ORDER BY r.ended DESC, r.game_id DESC LIMIT $3"
            );
            let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(user).bind(asker).bind(most);
            query.fetch_all(&db.pool).await?
        }
        Whose::Bot(bot) => {
            let sql = format!(
                "SELECT {columns} FROM {from} WHERE r.bot = $1 AND {deepest} \
                 AND g.visibility = 'public' ORDER BY r.ended DESC, r.game_id DESC LIMIT $2"
            );
            let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(bot).bind(most);
            query.fetch_all(&db.pool).await?
        }
    };
    let row = |row: &sqlx::any::AnyRow| -> Result<SeatRow, Refusal> {
        let depth: String = row.try_get("depth")?;
        let lost: String = row.try_get("lost")?;
        let lost = serde_json::from_str(&lost).map_err(|_| Refusal::Internal)?;
        Ok(SeatRow {
            game: ReviewedGame {
                game: row.try_get("game_id")?,
                depth: if depth == "deep" { ReviewDepth::Deep } else { ReviewDepth::Quick },
                ended: row.try_get("ended")?,
                accuracy: row.try_get("accuracy")?,
                margin: row.try_get("margin")?,
                luck: row.try_get("luck")?,
                skill: row.try_get("skill")?,
                loss: row.try_get("loss")?,
            },
            mistakes: [
                row.try_get("inaccuracies")?,
                row.try_get("mistakes")?,
                row.try_get("blunders")?,
            ],
            lost,
        })
    };
    rows.iter().map(row).collect()
}
