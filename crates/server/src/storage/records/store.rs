//! Stored games as they are read: one, its seats and its log, and pages of finished ones. Tables write
//! them (`play/table/store`).

use super::{Filter, Outcome, Stored, StoredSeat};
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::wire::{
    GameInfo, GameResult, GameSummary, NotRated, Occupant, Offers, Reason, SeatInfo, Status,
    UserRef,
};
use sqlx::Row;
use sqlx::any::AnyRow;

/// A game without its seats and its moves.
pub(super) async fn game(db: &Db, id: &str) -> Result<Option<Stored>, Refusal> {
    let sql = "SELECT game, setup, status, rated, help, imported, visibility, host, seed, \
               commitment, from_ply, laid FROM games WHERE id = $1";
    let Some(row) = sqlx::query(sql).bind(id).fetch_optional(&db.pool).await? else {
        return Ok(None);
    };
    Ok(Some(Stored {
        id: id.to_owned(),
        game: row.try_get("game")?,
        setup: row.try_get("setup")?,
        status: word(row.try_get("status")?)?,
        rated: row.try_get::<i64, _>("rated")? != 0,
        help: row.try_get::<i64, _>("help")? != 0,
        imported: row.try_get::<i64, _>("imported")? != 0,
        from_ply: row.try_get("from_ply")?,
        laid: row.try_get("laid")?,
        visibility: word(row.try_get("visibility")?)?,
        host: row.try_get("host")?,
        seats: Vec::new(),
        moves: Vec::new(),
        seed: row.try_get("seed")?,
        commit: row.try_get("commitment")?,
    }))
}

/// The seats of a game in the order of play, with the names of today.
pub(super) async fn seats(db: &Db, id: &str) -> Result<Vec<StoredSeat>, sqlx::Error> {
    let sql = "SELECT s.user_id, s.bot, s.nonce, COALESCE(u.name, s.name) AS name \
               FROM seats s LEFT JOIN users u ON u.id = s.user_id \
               WHERE s.game_id = $1 ORDER BY s.seat";
    let rows = sqlx::query(sql).bind(id).fetch_all(&db.pool).await?;
    let seats = rows.iter().map(|row| {
        Ok(StoredSeat {
            user: row.try_get("user_id")?,
            bot: row.try_get("bot")?,
            name: row.try_get("name")?,
            nonce: row.try_get("nonce")?,
        })
    });
    seats.collect()
}

/// The log of a game: number, kind and body of each entry.
pub(super) async fn log(db: &Db, id: &str) -> Result<Vec<(i64, String, String)>, sqlx::Error> {
    let sql = "SELECT ply, kind, body FROM log WHERE game_id = $1 ORDER BY ply";
    sqlx::query_as(sql).bind(id).fetch_all(&db.pool).await
}

/// Ids and ends of finished games before one that ended at a time, the latest first.
pub(super) async fn page(
    db: &Db,
    filter: &Filter,
    (ended, id): (i64, &str),
    most: i64,
) -> Result<Vec<(String, i64)>, sqlx::Error> {
    let outcome = filter.outcome.map(|outcome| match outcome {
        Outcome::Won => 1_i64,
        Outcome::Tied => 2,
        Outcome::Lost => 3,
    });
    let sql = "SELECT g.id, g.ended FROM games g WHERE g.status = 'over' \
        AND (g.visibility = 'public' OR g.host = $1 OR EXISTS \
            (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.user_id = $1)) \
        AND (CAST($2 AS TEXT) IS NULL OR EXISTS \
            (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.user_id = $2)) \
        AND (CAST($3 AS TEXT) IS NULL OR g.game = $3) \
        AND (CAST($4 AS BIGINT) IS NULL OR g.rated = $4) \
        AND (CAST($5 AS BIGINT) IS NULL OR g.imported = $5) \
        AND (g.ended < $6 OR (g.ended = $6 AND g.id < $7)) \
        AND (CAST($9 AS TEXT) IS NULL OR EXISTS \
            (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.user_id = $9)) \
        AND (CAST($10 AS TEXT) IS NULL OR EXISTS \
            (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.bot = $10)) \
        AND (CAST($11 AS BIGINT) IS NULL OR $11 = (SELECT CASE COUNT(*) WHEN 2 THEN 1 ELSE 0 END \
            FROM seats s WHERE s.game_id = g.id)) \
        AND (CAST($12 AS BIGINT) IS NULL OR g.ended >= $12) \
        AND (CAST($13 AS BIGINT) IS NULL OR g.ended < $13) \
        AND (CAST($14 AS BIGINT) IS NULL OR EXISTS \
            (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.user_id = $2 \
             AND $14 = CASE WHEN s.place > 1 THEN 3 WHEN s.place IS NULL THEN 0 WHEN \
                 (SELECT COUNT(*) FROM seats o WHERE o.game_id = g.id AND o.place = 1) > 1 \
                 THEN 2 ELSE 1 END)) \
        ORDER BY g.ended DESC, g.id DESC LIMIT $8";
    sqlx::query_as(sql)
        .bind(filter.asker.clone().unwrap_or_default())
        .bind(filter.user.clone())
        .bind(filter.game.clone())
        .bind(filter.rated.map(i64::from))
        .bind(filter.imported.map(i64::from))
        .bind(ended)
        .bind(id)
        .bind(most)
        .bind(filter.opponent.clone())
        .bind(filter.bot.clone())
        .bind(filter.duel.map(i64::from))
        .bind(filter.since)
        .bind(filter.until)
        .bind(outcome)
        .fetch_all(&db.pool)
        .await
}

/// The ids of finished games of Carcassonne that everybody may see and that were played here from their start
/// to a result, the oldest first.
pub(super) async fn whole_public(db: &Db) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT g.id FROM games g WHERE g.status = 'over' AND g.visibility = 'public' \
               AND g.game = 'carcassonne' AND g.imported = 0 AND g.offline_key IS NULL \
               AND g.from_ply = 0 AND g.laid IS NULL \
               AND EXISTS (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.place IS NOT NULL) \
               ORDER BY g.ended, g.id";
    sqlx::query_scalar(sql).fetch_all(&db.pool).await
}

pub(super) async fn is_over(db: &Db, id: &str) -> Result<bool, sqlx::Error> {
    let sql = "SELECT id FROM games WHERE id = $1 AND status = 'over'";
    Ok(sqlx::query(sql).bind(id).fetch_optional(&db.pool).await?.is_some())
}

/// A finished game as lists show it.
pub(super) async fn summary(db: &Db, id: &str) -> Result<GameSummary, Refusal> {
    let sql = "SELECT g.id, g.game, g.setup, g.options, g.rated, g.visibility, g.clock, \
               g.pass_and_play, g.host, u.name AS host_name, g.seed_given, g.commitment, \
               g.created, g.started, g.ended, g.result, g.turns, g.rematch_of, g.rematch, \
               g.help, g.not_rated, g.rating_weight, g.from_ply, g.laid, g.offline_key \
               FROM games g JOIN users u ON u.id = g.host WHERE g.id = $1";
    let row = sqlx::query(sql).bind(id).fetch_one(&db.pool).await?;
    let sql = "SELECT s.seat, s.kind, s.user_id, s.bot, s.bot_account, s.rating, s.out_reason, \
               s.rating_change, COALESCE(u.name, s.name) AS name \
               FROM seats s LEFT JOIN users u ON u.id = s.user_id \
               WHERE s.game_id = $1 ORDER BY s.seat";
    let seats = sqlx::query(sql).bind(id).fetch_all(&db.pool).await?;
    let seats = seats.iter().map(seat).collect::<Result<Vec<_>, _>>()?;
    let result: Option<String> = row.try_get("result")?;
    let result: Option<GameResult> = result.map(|text| parsed(&text)).transpose()?;
    let scores = result.as_ref().map(|result| result.scores.clone()).unwrap_or_default();
    let turns = usize::try_from(row.try_get::<i64, _>("turns")?).unwrap_or_default();
    let accuracy = accuracy(db, id).await?;
    Ok(GameSummary { info: info(&row, seats, result)?, scores, turn: None, turns, accuracy })
}

/// How well each seat of a game decided, by its deepest review.
async fn accuracy(db: &Db, id: &str) -> Result<Option<Vec<f64>>, sqlx::Error> {
    // The name of the deeper one comes first.
    let sql = "SELECT depth, accuracy FROM review_seats WHERE game_id = $1 ORDER BY depth, seat";
    let rows: Vec<(String, f64)> = sqlx::query_as(sql).bind(id).fetch_all(&db.pool).await?;
    let Some((deepest, _)) = rows.first().cloned() else { return Ok(None) };
    let of_it = rows.into_iter().filter(|(depth, _)| *depth == deepest);
    Ok(Some(of_it.map(|(_, accuracy)| accuracy).collect()))
}

fn info(
    row: &AnyRow,
    seats: Vec<SeatInfo>,
    result: Option<GameResult>,
) -> Result<GameInfo, Refusal> {
    let not_rated: Option<String> = row.try_get("not_rated")?;
    Ok(GameInfo {
        id: row.try_get("id")?,
        game: row.try_get("game")?,
        options: parsed(row.try_get("options")?)?,
        setup: row.try_get("setup")?,
        status: Status::Over,
        seats,
        host: UserRef { id: row.try_get("host")?, name: row.try_get("host_name")? },
        rated: row.try_get::<i64, _>("rated")? != 0,
        not_rated: not_rated.as_deref().and_then(NotRated::from_word),
        rating_weight: row.try_get("rating_weight")?,
        visibility: word(row.try_get("visibility")?)?,
        clock: parsed(row.try_get("clock")?)?,
        pass_and_play: row.try_get::<i64, _>("pass_and_play")? != 0,
        created: row.try_get("created")?,
        started: row.try_get("started")?,
        ended: row.try_get("ended")?,
        result,
        offers: Offers::default(),
        spectators: 0,
        commit: row.try_get("commitment")?,
        seed_given: row.try_get::<i64, _>("seed_given")? != 0,
        rematch_of: row.try_get("rematch_of")?,
        rematch: row.try_get("rematch")?,
        help_allowed: true,
        help_agreed: row.try_get::<i64, _>("help")? != 0,
        from_ply: usize::try_from(row.try_get::<i64, _>("from_ply")?).unwrap_or_default(),
        laid: row.try_get::<Option<String>, _>("laid")?.is_some(),
        offline: row.try_get::<Option<String>, _>("offline_key")?.is_some(),
    })
}

fn seat(row: &AnyRow) -> Result<SeatInfo, Refusal> {
    let user: Option<String> = row.try_get("user_id")?;
    let bot: Option<String> = row.try_get("bot")?;
    let (kind, name): (String, String) = (row.try_get("kind")?, row.try_get("name")?);
    let bot_account = row.try_get::<i64, _>("bot_account")? != 0;
    let sitter = match (kind.as_str(), bot) {
        ("bot", Some(bot)) => Occupant::Bot { bot },
        // A seat of a game that was played elsewhere has a name and nobody behind it.
        ("user", _) => Occupant::User { user: user.unwrap_or_default(), name, bot_account },
        ("invited", _) => Occupant::Invited { user: user.unwrap_or_default(), name },
        _ => Occupant::Open,
    };
    let out: Option<String> = row.try_get("out_reason")?;
    Ok(SeatInfo {
        seat: usize::try_from(row.try_get::<i64, _>("seat")?).unwrap_or_default(),
        sitter,
        rating: row.try_get("rating")?,
        rating_change: row.try_get("rating_change")?,
        online: false,
        leaves_in_ms: None,
        claim_in_ms: None,
        out: out.map(word::<Reason>).transpose()?,
    })
}

/// A stored word as the enum it stands for.
fn word<T: serde::de::DeserializeOwned>(text: String) -> Result<T, Refusal> {
    serde_json::from_value(serde_json::Value::String(text)).map_err(|error| {
        tracing::error!(%error, "a stored game cannot be read");
        Refusal::Internal
    })
}

/// Stored JSON as the type it was written from.
fn parsed<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    serde_json::from_str(text).map_err(|error| {
        tracing::error!(%error, "a stored game cannot be read");
        Refusal::Internal
    })
}
