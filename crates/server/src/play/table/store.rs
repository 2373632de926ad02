//! Games as the database has them.

use super::seats::kind_of;
use super::sleep::SleepRow;
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::storage::db::journal::Statement;
use crate::wire::{ClockRule, GameResult, NotRated, Sitter, Status, UserRef, Visibility};
use sqlx::Row;
use sqlx::any::AnyRow;
use std::collections::VecDeque;

/// A game as the database has it.
#[derive(Clone, Debug)]
pub(super) struct Saved {
    pub(super) id: String,
    pub(super) game: String,
    pub(super) setup: String,
    pub(super) options: serde_json::Value,
    pub(super) status: Status,
    pub(super) rated: bool,
    pub(super) visibility: Visibility,
    pub(super) clock: ClockRule,
    pub(super) pass_and_play: bool,
    pub(super) host: UserRef,
    pub(super) seed: String,
    pub(super) seed_given: bool,
    pub(super) commit: String,
    pub(super) created: i64,
    pub(super) started: Option<i64>,
    pub(super) ended: Option<i64>,
    pub(super) result: Option<GameResult>,
    pub(super) not_rated: Option<NotRated>,
    pub(super) rating_weight: Option<f64>,
    pub(super) help: bool,
    pub(super) rematch_of: Option<String>,
    pub(super) rematch: Option<String>,
    pub(super) seats: Vec<SavedSeat>,
    pub(super) log: Vec<SavedEntry>,
    pub(super) chat: VecDeque<crate::wire::ChatLine>,
    /// What the row says of the game's sleep.
    pub(super) row: Option<SleepRow>,
}

/// A seat as the database has it.
#[derive(Clone, Debug)]
pub(super) struct SavedSeat {
    pub(super) sitter: Sitter,
    pub(super) nonce: String,
    pub(super) rating: Option<f64>,
    pub(super) rating_change: Option<f64>,
}

/// An entry of the log as the database has it.
#[derive(Clone, Debug)]
pub(super) struct SavedEntry {
    pub(super) ply: i64,
    pub(super) seat: Option<i64>,
    pub(super) kind: String,
    pub(super) body: String,
    pub(super) clocks: String,
    pub(super) at: i64,
}

/// A game from the database; `None` if there is none.
pub(super) async fn load(db: &Db, id: &str) -> Result<Option<Saved>, Refusal> {
    let sql = "SELECT g.id, g.game, g.setup, g.options, g.status, g.rated, g.visibility, g.clock, \
               g.pass_and_play, g.host, u.name AS host_name, g.seed, g.seed_given, g.commitment, \
               g.created, g.started, g.ended, g.result, g.rematch_of, g.rematch, g.help, \
               g.not_rated, g.rating_weight, g.sleep, g.wake \
               FROM games g JOIN users u ON u.id = g.host WHERE g.id = $1";
    let Some(row) = sqlx::query(sql).bind(id).fetch_optional(&db.pool).await? else {
        return Ok(None);
    };
    let mut saved = read_game(&row)?;
    let sql = "SELECT s.kind, s.user_id, s.bot, s.bot_account, COALESCE(u.name, s.name) AS name, \
               s.nonce, s.rating, s.rating_change \
               FROM seats s LEFT JOIN users u ON u.id = s.user_id \
               WHERE s.game_id = $1 ORDER BY s.seat";
    let rows = sqlx::query(sql).bind(id).fetch_all(&db.pool).await?;
    saved.seats = rows.iter().map(read_seat).collect::<Result<_, _>>()?;
    let sql = "SELECT ply, seat, kind, body, clocks, at FROM log WHERE game_id = $1 ORDER BY ply";
    let rows = sqlx::query(sql).bind(id).fetch_all(&db.pool).await?;
    saved.log = rows.iter().map(read_entry).collect::<Result<_, _>>()?;
    let sql = "SELECT c.number, c.user_id, COALESCE(u.name, c.name) AS name, c.players, c.text, \
               c.at FROM chat c LEFT JOIN users u ON u.id = c.user_id WHERE c.game_id = $1 \
               ORDER BY c.number DESC LIMIT $2";
    let kept = super::chat::KEPT_LINES as i64;
    let rows = sqlx::query(sql).bind(id).bind(kept).fetch_all(&db.pool).await?;
    saved.chat = rows.iter().rev().map(read_line).collect::<Result<_, _>>()?;
    Ok(Some(saved))
}

/// The ids of the games that were in memory when the last server ended.
pub(super) async fn awake(db: &Db) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT id FROM games WHERE status <> 'over' AND sleep IS NULL ORDER BY created";
    sqlx::query_scalar(sql).fetch_all(&db.pool).await
}

/// The ids of the first games that are to be woken by a time.
pub(super) async fn due(db: &Db, by: i64, most: i64) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT id FROM games WHERE wake IS NOT NULL AND wake <= $1 ORDER BY wake LIMIT $2";
    sqlx::query_scalar(sql).bind(by).bind(most).fetch_all(&db.pool).await
}

/// Whether a game is over; `None` if the database does not answer.
pub(super) async fn is_over(db: &Db, id: &str) -> Option<bool> {
    let status = sqlx::query_scalar::<_, String>("SELECT status FROM games WHERE id = $1").bind(id);
    let status = status.fetch_optional(&db.pool).await.ok()?;
    Some(status.is_none_or(|status| status == "over"))
}

fn read_game(row: &AnyRow) -> Result<Saved, Refusal> {
    let not_rated: Option<String> = row.try_get("not_rated")?;
    Ok(Saved {
        id: row.try_get("id")?,
        game: row.try_get("game")?,
        setup: row.try_get("setup")?,
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
        seats: Vec::new(),
        log: Vec::new(),
        chat: VecDeque::new(),
        row: match row.try_get::<Option<String>, _>("sleep")? {
            None => None,
            Some(sleep) => Some((sleep, row.try_get("wake")?)),
        },
    })
}

fn read_seat(row: &AnyRow) -> Result<SavedSeat, Refusal> {
    Ok(SavedSeat {
        sitter: read_sitter(row)?,
        nonce: row.try_get("nonce")?,
        rating: row.try_get("rating")?,
        rating_change: row.try_get("rating_change")?,
    })
}

/// Who sits on a seat, from a row with its kind, user, bot and name.
pub(super) fn read_sitter(row: &AnyRow) -> Result<Sitter, Refusal> {
    let kind: String = row.try_get("kind")?;
    let user: Option<String> = row.try_get("user_id")?;
    let bot: Option<String> = row.try_get("bot")?;
    let name: String = row.try_get("name")?;
    let bot_account = row.try_get::<i64, _>("bot_account")? != 0;
    Ok(match (kind.as_str(), user, bot) {
        ("user", Some(user), _) => Sitter::User { user, name, bot_account },
        // A seat of an imported game has a name and nobody behind it.
        ("user", None, _) => Sitter::User { user: String::new(), name, bot_account },
        ("invited", Some(user), _) => Sitter::Invited { user, name },
        ("bot", _, Some(bot)) => Sitter::Bot { bot },
        _ => Sitter::Open,
    })
}

fn read_entry(row: &AnyRow) -> Result<SavedEntry, Refusal> {
    Ok(SavedEntry {
        ply: row.try_get("ply")?,
        seat: row.try_get("seat")?,
        kind: row.try_get("kind")?,
        body: row.try_get("body")?,
        clocks: row.try_get("clocks")?,
        at: row.try_get("at")?,
    })
}

fn read_line(row: &AnyRow) -> Result<crate::wire::ChatLine, Refusal> {
    Ok(crate::wire::ChatLine {
        number: row.try_get::<i64, _>("number")?.unsigned_abs(),
        at: row.try_get("at")?,
        user: row.try_get("user_id")?,
        name: row.try_get("name")?,
        players: row.try_get::<i64, _>("players")? != 0,
        text: row.try_get("text")?,
    })
}

pub(super) fn parse<T: serde::de::DeserializeOwned>(text: String) -> Result<T, Refusal> {
    serde_json::from_str(&text).map_err(|error| {
        tracing::error!(%error, "a stored game cannot be read");
        Refusal::Internal
    })
}

pub(super) fn word<T: serde::de::DeserializeOwned>(text: String) -> Result<T, Refusal> {
    parse(format!("\"{text}\""))
}

/// What writes a new game and its seats.
pub(super) fn insert(saved: &Saved) -> Vec<Statement> {
    let word = |text: String| text.trim_matches('"').to_owned();
    let game = Statement::new(
        "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
         pass_and_play, host, seed, seed_given, commitment, created, rematch_of, help) \
         VALUES ($1, $2, $3, $4, 'waiting', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        vec![
            saved.id.as_str().into(),
            saved.game.as_str().into(),
            saved.setup.as_str().into(),
            saved.options.to_string().into(),
            saved.rated.into(),
            word(super::render::write(&saved.visibility)).into(),
            super::render::write(&saved.clock).into(),
            saved.pass_and_play.into(),
            saved.host.id.as_str().into(),
            saved.seed.as_str().into(),
            saved.seed_given.into(),
            saved.commit.as_str().into(),
            saved.created.into(),
            saved.rematch_of.clone().into(),
            saved.help.into(),
        ],
    );
    let seat = |(number, seat): (usize, &SavedSeat)| {
        let (user, bot, name, bot_account) = match &seat.sitter {
            Sitter::Open => (None, None, "", false),
            Sitter::Invited { user, name } => (Some(user.clone()), None, name.as_str(), false),
            Sitter::User { user, name, bot_account } => {
                (Some(user.clone()), None, name.as_str(), *bot_account)
            }
            Sitter::Bot { bot } => (None, Some(bot.clone()), bot.as_str(), false),
        };
        Statement::new(
            "INSERT INTO seats (game_id, seat, kind, user_id, bot, bot_account, name, nonce) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            vec![
                saved.id.as_str().into(),
                (number as i64).into(),
                kind_of(&seat.sitter).into(),
                user.into(),
                bot.into(),
                bot_account.into(),
                name.into(),
                seat.nonce.as_str().into(),
            ],
        )
    };
    std::iter::once(game).chain(saved.seats.iter().enumerate().map(seat)).collect()
}
