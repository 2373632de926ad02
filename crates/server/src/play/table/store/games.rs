//! The rows of games.

use super::{Saved, json, parse, word};
use crate::error::Refusal;
use crate::play::table::residency::SleepRow;
use crate::storage::db::{Db, Statement};
use crate::wire::{ClockRule, GameResult, Imported, NotRated, Reason, UserRef};
use sqlx::Row;
use sqlx::any::AnyRow;
use std::collections::VecDeque;

/// A game without its seats, log and chat; `None` if there is none.
pub(super) async fn read(db: &Db, id: &str) -> Result<Option<Saved>, Refusal> {
    let sql = "SELECT g.id, g.game, g.setup, g.options, g.status, g.rated, g.visibility, g.clock, \
               g.pass_and_play, g.host, u.name AS host_name, g.seed, g.seed_given, g.commitment, \
               g.created, g.started, g.ended, g.result, g.rematch_of, g.rematch, g.help, \
               g.not_rated, g.rating_weight, g.sleep, g.wake, g.from_ply, g.laid, g.offline_key \
               FROM games g JOIN users u ON u.id = g.host WHERE g.id = $1";
    let row = sqlx::query(sql).bind(id).fetch_optional(&db.pool).await?;
    row.as_ref().map(read_row).transpose()
}

/// The ids of the games that were in memory when the last server ended.
pub(in crate::play::table) async fn awake(db: &Db) -> Result<Vec<String>, sqlx::Error> {
    without_node(db, i64::MAX).await
}

/// The ids of the first games that are not over and do not sleep, and that no node holds.
pub(in crate::play::table) async fn without_node(
    db: &Db,
    most: i64,
) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT id FROM games WHERE status <> 'over' AND sleep IS NULL AND node IS NULL \
               ORDER BY created LIMIT $1";
    sqlx::query_scalar(sql).bind(most).fetch_all(&db.pool).await
}

/// What notes the node that holds a new game.
pub(in crate::play::table) fn hold(id: &str, node: i64) -> Statement {
    Statement::new("UPDATE games SET node = $1 WHERE id = $2", vec![node.into(), id.into()])
}

/// The ids of the first games that are to be woken by a time.
pub(in crate::play::table) async fn due(
    db: &Db,
    by: i64,
    most: i64,
) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT id FROM games WHERE wake IS NOT NULL AND wake <= $1 AND node IS NULL \
               ORDER BY wake LIMIT $2";
    sqlx::query_scalar(sql).bind(by).bind(most).fetch_all(&db.pool).await
}

/// Whether a game is over; `None` if the database does not answer.
pub(in crate::play::table) async fn is_over(db: &Db, id: &str) -> Option<bool> {
    let status = sqlx::query_scalar::<_, String>("SELECT status FROM games WHERE id = $1").bind(id);
    let status = status.fetch_optional(&db.pool).await.ok()?;
    Some(status.is_none_or(|status| status == "over"))
}

/// The clocks of the rated games of a kind that a user plays and that sleep.
pub(in crate::play::table) async fn rated_clocks_asleep(
    db: &Db,
    user: &str,
    game: &str,
) -> Result<Vec<ClockRule>, Refusal> {
    let sql = "SELECT g.clock FROM seats s JOIN games g ON g.id = s.game_id \
               WHERE s.user_id = $1 AND s.kind = 'user' AND g.status = 'playing' \
               AND g.rated = 1 AND g.game = $2 AND g.sleep IS NOT NULL";
    let clocks = sqlx::query_scalar(sql).bind(user).bind(game).fetch_all(&db.pool).await?;
    clocks.into_iter().map(parse).collect()
}

fn read_row(row: &AnyRow) -> Result<Saved, Refusal> {
    let not_rated: Option<String> = row.try_get("not_rated")?;
    Ok(Saved {
        id: row.try_get("id")?,
        game: row.try_get("game")?,
        setup: row.try_get("setup")?,
        laid: row.try_get("laid")?,
        options: parse(row.try_get("options")?)?,
        status: word(row.try_get("status")?)?,
        rated: row.try_get::<i64, _>("rated")? != 0,
        visibility: word(row.try_get("visibility")?)?,
        clock: parse(row.try_get("clock")?)?,
        pass_and_play: row.try_get::<i64, _>("pass_and_play")? != 0,
        host: UserRef { id: row.try_get("host")?, name: row.try_get("host_name")? },
        seed: row.try_get("seed")?,
        seed_given: row.try_get::<i64, _>("seed_given")? != 0,
        commit: row.try_get("commitment")?,
        created: row.try_get("created")?,
        started: row.try_get("started")?,
        ended: row.try_get("ended")?,
        result: row.try_get::<Option<String>, _>("result")?.map(parse).transpose()?,
        not_rated: not_rated.as_deref().and_then(NotRated::from_word),
        rating_weight: row.try_get("rating_weight")?,
        help: row.try_get::<i64, _>("help")? != 0,
        rematch_of: row.try_get("rematch_of")?,
        rematch: row.try_get("rematch")?,
        from_ply: row.try_get("from_ply")?,
        offline: row.try_get::<Option<String>, _>("offline_key")?.is_some(),
        seats: Vec::new(),
        log: Vec::new(),
        chat: VecDeque::new(),
        row: match row.try_get::<Option<String>, _>("sleep")? {
            None => None,
            Some(sleep) => Some((sleep, row.try_get("wake")?)),
        },
    })
}

/// What writes a new game.
pub(super) fn insert(saved: &Saved) -> Statement {
    let word = |text: String| text.trim_matches('"').to_owned();
    Statement::new(
        "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
         pass_and_play, host, seed, seed_given, commitment, created, rematch_of, help, from_ply, laid) \
         VALUES ($1, $2, $3, $4, 'waiting', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
        vec![
            saved.id.as_str().into(),
            saved.game.as_str().into(),
            saved.setup.as_str().into(),
            saved.options.to_string().into(),
            saved.rated.into(),
            word(json(&saved.visibility)).into(),
            json(&saved.clock).into(),
            saved.pass_and_play.into(),
            saved.host.id.as_str().into(),
            saved.seed.as_str().into(),
            saved.seed_given.into(),
            saved.commit.as_str().into(),
            saved.created.into(),
            saved.rematch_of.clone().into(),
            saved.help.into(),
            saved.from_ply.into(),
            saved.laid.clone().into(),
        ],
    )
}

/// A game that was played elsewhere, as its row says it.
pub(in crate::play) struct ImportedRow<'a> {
    pub(in crate::play) id: &'a str,
    pub(in crate::play) game: &'a str,
    pub(in crate::play) setup: &'a str,
    pub(in crate::play) laid: Option<&'a str>,
    pub(in crate::play) options: &'a serde_json::Value,
    /// The user who imported it.
    pub(in crate::play) host: &'a str,
    pub(in crate::play) at: i64,
    pub(in crate::play) result: &'a GameResult,
    pub(in crate::play) turns: i64,
    /// The browser's key, for a game that was played there without a server.
    pub(in crate::play) offline_key: Option<&'a str>,
}

/// What writes a game that was played elsewhere: over, unrated, reached by its link.
pub(in crate::play) fn insert_imported(row: &ImportedRow) -> Statement {
    Statement::new(
        "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
         pass_and_play, imported, host, seed, seed_given, commitment, created, started, \
         ended, result, turns, offline_key, laid) VALUES ($1, $2, $3, $4, 'over', 0, 'link', $5, 0, \
         1, $6, $7, 0, '', $8, $8, $8, $9, $10, $11, $12)",
        vec![
            row.id.into(),
            row.game.into(),
            row.setup.into(),
            row.options.to_string().into(),
            json(&ClockRule::None).into(),
            row.host.into(),
            // Nothing is drawn any more; the column wants a seed.
            "0".repeat(64).into(),
            row.at.into(),
            json(row.result).into(),
            row.turns.into(),
            row.offline_key.map(str::to_owned).into(),
            row.laid.map(str::to_owned).into(),
        ],
    )
}

/// The game that somebody handed in under a browser's key.
pub(in crate::play) async fn handed_in(
    db: &Db,
    host: &str,
    key: &str,
) -> Result<Option<Imported>, Refusal> {
    let sql = "SELECT g.id, g.result, (SELECT COUNT(*) FROM log l WHERE l.game_id = g.id) AS plies \
               FROM games g WHERE g.host = $1 AND g.offline_key = $2";
    let row = sqlx::query(sql).bind(host).bind(key).fetch_optional(&db.pool).await?;
    let Some(row) = row else { return Ok(None) };
    let result: GameResult = parse(row.try_get("result")?)?;
    Ok(Some(Imported {
        id: row.try_get("id")?,
        plies: usize::try_from(row.try_get::<i64, _>("plies")?).unwrap_or_default(),
        finished: result.reason != Reason::Abort,
    }))
}

/// What begins a game.
pub(in crate::play::table) fn start(id: &str, at: i64) -> Statement {
    Statement::guarded(
        "UPDATE games SET status = 'playing', started = $1 WHERE id = $2 AND status = 'waiting'",
        vec![at.into(), id.into()],
    )
}

/// What notes that all players of a game are at one address.
pub(in crate::play::table) fn note_one_address(id: &str) -> Statement {
    Statement::new("UPDATE games SET one_address = 1 WHERE id = $1", vec![id.into()])
}

/// What ends a game.
pub(in crate::play::table) fn end(
    id: &str,
    result: &GameResult,
    turns: usize,
    at: i64,
) -> Statement {
    let turns = i64::try_from(turns).unwrap_or(i64::MAX);
    Statement::guarded(
        "UPDATE games SET status = 'over', ended = $1, result = $2, turns = $3 \
         WHERE id = $4 AND status <> 'over'",
        vec![at.into(), json(result).into(), turns.into(), id.into()],
    )
}

/// What allows the engine's help, or forbids it.
pub(in crate::play::table) fn allow_help(id: &str, allowed: bool) -> Statement {
    let values = vec![allowed.into(), id.into()];
    Statement::new("UPDATE games SET help = $1 WHERE id = $2", values)
}

/// What names the game that follows; there is one at most.
pub(in crate::play::table) fn follow(id: &str, rematch: &str) -> Statement {
    Statement::guarded(
        "UPDATE games SET rematch = $1 WHERE id = $2 AND rematch IS NULL",
        vec![rematch.into(), id.into()],
    )
}

/// What puts a game to sleep.
pub(in crate::play::table) fn put_to_sleep(id: &str, row: &SleepRow) -> Statement {
    Statement::guarded(
        "UPDATE games SET sleep = $1, wake = $2 WHERE id = $3 AND status <> 'over'",
        vec![row.0.as_str().into(), row.1.into(), id.into()],
    )
}

/// What wakes it.
pub(in crate::play::table) fn wake(id: &str) -> Statement {
    Statement::new("UPDATE games SET sleep = NULL, wake = NULL WHERE id = $1", vec![id.into()])
}

/// What leaves a game aside that cannot be rebuilt, instead of waking it for ever.
pub(in crate::play::table) fn leave_aside(id: &str) -> Statement {
    Statement::new(
        "UPDATE games SET sleep = '{}', wake = NULL WHERE id = $1 AND status <> 'over'",
        vec![id.into()],
    )
}
