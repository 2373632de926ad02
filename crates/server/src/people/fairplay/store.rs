//! The tables `early_exits` and `thinking`, and what games and ratings say about fair play.

pub(super) mod signs;

use crate::storage::db::{Db, Statement};
use sqlx::{AnyConnection, Row};

/// What notes that somebody left a rated game that had begun, before it could count.
pub(super) fn note_exit(user: &str, game: &str, at: i64) -> Statement {
    let sql = "INSERT INTO early_exits (user_id, game_id, at) VALUES ($1, $2, $3) \
               ON CONFLICT (user_id, game_id) DO NOTHING";
    Statement::new(sql, vec![user.into(), game.into(), at.into()])
}

/// How often somebody left early since a time, and when last.
pub(super) async fn exits_since(
    db: &Db,
    user: &str,
    since: i64,
) -> Result<(i64, Option<i64>), sqlx::Error> {
    let sql = "SELECT COUNT(*) AS exits, MAX(at) AS last FROM early_exits \
               WHERE user_id = $1 AND at > $2";
    sqlx::query_as(sql).bind(user).bind(since).fetch_one(&db.pool).await
}

/// What decides whether a game counts.
pub(super) struct EndedGame {
    pub(super) turns: i64,
    /// Whether two people sat down from one address.
    pub(super) one_address: bool,
    pub(super) ended: i64,
}

pub(super) async fn ended_game(
    from: &mut AnyConnection,
    id: &str,
) -> Result<EndedGame, sqlx::Error> {
    let sql = "SELECT turns, one_address, ended FROM games WHERE id = $1";
    let row = sqlx::query(sql).bind(id).fetch_one(from).await?;
    Ok(EndedGame {
        turns: row.try_get("turns")?,
        one_address: row.try_get::<i64, _>("one_address")? != 0,
        ended: row.try_get::<Option<i64>, _>("ended")?.unwrap_or_default(),
    })
}

/// Writes what a game counts for, or why it does not.
pub(super) async fn set_weight(
    to: &mut AnyConnection,
    game: &str,
    weight: Option<f64>,
    why_not: Option<&str>,
) -> Result<(), sqlx::Error> {
    // A statement is prepared once, with the types of its first values: that of a number which is absent is not
    // the type of those that are there.
    let why_not = why_not.map(str::to_owned);
    let update = match weight {
        Some(weight) => {
            let sql = "UPDATE games SET rating_weight = $1, not_rated = $2 WHERE id = $3";
            sqlx::query(sql).bind(weight).bind(why_not).bind(game)
        }
        None => {
            let sql = "UPDATE games SET rating_weight = NULL, not_rated = $1 WHERE id = $2";
            sqlx::query(sql).bind(why_not).bind(game)
        }
    };
    update.execute(to).await?;
    Ok(())
}

/// What a settled game counted for; nothing in games from before this was kept.
pub(super) async fn weight(
    from: &mut AnyConnection,
    game: &str,
) -> Result<Option<f64>, sqlx::Error> {
    let sql = "SELECT rating_weight FROM games WHERE id = $1";
    sqlx::query_scalar(sql).bind(game).fetch_one(from).await
}

/// How many games of two subjects were settled since a time.
pub(super) async fn games_of_pair(
    from: &mut AnyConnection,
    one: &str,
    other: &str,
    since: i64,
) -> Result<i64, sqlx::Error> {
    let sql = "SELECT COUNT(*) AS games FROM rating_history a JOIN rating_history b \
               ON b.game_id = a.game_id AND b.pool = a.pool \
               WHERE a.subject = $1 AND b.subject = $2 AND a.at > $3";
    sqlx::query_scalar(sql).bind(one).bind(other).bind(since).fetch_one(from).await
}

/// How many games of a subject with people at the same address were settled since a time.
pub(super) async fn games_at_one_address(
    from: &mut AnyConnection,
    person: &str,
    since: i64,
) -> Result<i64, sqlx::Error> {
    let sql = "SELECT COUNT(*) AS games FROM rating_history h JOIN games g ON g.id = h.game_id \
               WHERE h.subject = $1 AND h.at > $2 AND g.one_address = 1";
    sqlx::query_scalar(sql).bind(person).bind(since).fetch_one(from).await
}

/// The time that a person took for a turn of a game.
pub(super) struct TurnTime {
    pub(super) seat: i64,
    pub(super) user: String,
    pub(super) spent: i64,
    /// When the game ended.
    pub(super) ended: i64,
}

/// The times of people in a game, in the order of the turns.
pub(super) async fn turn_times(
    from: &mut AnyConnection,
    game: &str,
) -> Result<Vec<TurnTime>, sqlx::Error> {
    let sql = "SELECT l.seat, l.spent, s.user_id, g.ended FROM log l \
               JOIN seats s ON s.game_id = l.game_id AND s.seat = l.seat \
               JOIN games g ON g.id = l.game_id \
               WHERE l.game_id = $1 AND l.spent IS NOT NULL AND s.user_id IS NOT NULL \
               ORDER BY l.ply";
    let rows = sqlx::query(sql).bind(game).fetch_all(from).await?;
    let times = rows.iter().map(|row| {
        Ok(TurnTime {
            seat: row.try_get("seat")?,
            user: row.try_get("user_id")?,
            spent: row.try_get("spent")?,
            ended: row.try_get::<Option<i64>, _>("ended")?.unwrap_or_default(),
        })
    });
    times.collect()
}

/// Keeps how a person used their time in a game.
pub(super) async fn keep_thinking(
    to: &mut AnyConnection,
    game: &str,
    (seat, user): (i64, &str),
    ended: i64,
    summary: &super::thinking::Summary,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO thinking \
               (game_id, seat, user_id, ended, turns, mean_ms, deviation_ms, instant) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
               ON CONFLICT (game_id, seat) DO NOTHING";
    let insert = sqlx::query(sql).bind(game).bind(seat).bind(user).bind(ended);
    let insert = insert.bind(summary.turns).bind(summary.mean).bind(summary.deviation);
    insert.bind(summary.instant).execute(to).await?;
    Ok(())
}
