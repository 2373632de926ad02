//! The rows of seats.

use super::json;
use crate::error::Refusal;
use crate::play::table::decide::SeatChange;
use crate::storage::db::{Db, Statement};
use crate::wire::{Breakdown, GameResult, Occupant, Reason};
use sqlx::Row;
use sqlx::any::AnyRow;

/// A seat as the database has it.
#[derive(Clone, Debug)]
pub(in crate::play::table) struct SavedSeat {
    pub(in crate::play::table) sitter: Occupant,
    pub(in crate::play::table) nonce: String,
    pub(in crate::play::table) rating: Option<f64>,
    pub(in crate::play::table) rating_change: Option<f64>,
}

/// The seats of a game in the order of play.
pub(super) async fn read(db: &Db, id: &str) -> Result<Vec<SavedSeat>, Refusal> {
    let sql = "SELECT s.kind, s.user_id, s.bot, s.bot_account, COALESCE(u.name, s.name) AS name, \
               s.nonce, s.rating, s.rating_change \
               FROM seats s LEFT JOIN users u ON u.id = s.user_id \
               WHERE s.game_id = $1 ORDER BY s.seat";
    let rows = sqlx::query(sql).bind(id).fetch_all(&db.pool).await?;
    rows.iter().map(read_row).collect()
}

fn read_row(row: &AnyRow) -> Result<SavedSeat, Refusal> {
    Ok(SavedSeat {
        sitter: read_sitter(row)?,
        nonce: row.try_get("nonce")?,
        rating: row.try_get("rating")?,
        rating_change: row.try_get("rating_change")?,
    })
}

/// Who sits on a seat, from a row with its kind, user, bot and name.
pub(super) fn read_sitter(row: &AnyRow) -> Result<Occupant, Refusal> {
    let kind: String = row.try_get("kind")?;
    let user: Option<String> = row.try_get("user_id")?;
    let bot: Option<String> = row.try_get("bot")?;
    let name: String = row.try_get("name")?;
    let bot_account = row.try_get::<i64, _>("bot_account")? != 0;
    Ok(match (kind.as_str(), user, bot) {
        ("user", Some(user), _) => Occupant::User { user, name, bot_account },
        // A seat of an imported game has a name and nobody behind it.
        ("user", None, _) => Occupant::User { user: String::new(), name, bot_account },
        ("invited", Some(user), _) => Occupant::Invited { user, name },
        ("bot", _, Some(bot)) => Occupant::Bot { bot },
        _ => Occupant::Open,
    })
}

/// What writes a seat of a new game.
pub(super) fn insert(game: &str, number: usize, seat: &SavedSeat) -> Statement {
    let (user, bot, name, bot_account) = match &seat.sitter {
        Occupant::Open => (None, None, "", false),
        Occupant::Invited { user, name } => (Some(user.clone()), None, name.as_str(), false),
        Occupant::User { user, name, bot_account } => {
            (Some(user.clone()), None, name.as_str(), *bot_account)
        }
        Occupant::Bot { bot } => (None, Some(bot.clone()), bot.as_str(), false),
    };
    Statement::new(
        "INSERT INTO seats (game_id, seat, kind, user_id, bot, bot_account, name, nonce) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        vec![
            game.into(),
            (number as i64).into(),
            kind_of(&seat.sitter).into(),
            user.into(),
            bot.into(),
            bot_account.into(),
            name.into(),
            seat.nonce.as_str().into(),
        ],
    )
}

/// What writes the seats of a game that was played elsewhere: names with nobody behind them.
pub(in crate::play) fn insert_imported(
    game: &str,
    names: &[String],
    result: &GameResult,
    breakdown: &[Breakdown],
) -> Vec<Statement> {
    let seat = |(seat, name): (usize, &String)| {
        Statement::new(
            "INSERT INTO seats (game_id, seat, kind, name, nonce, score, place, breakdown) \
             VALUES ($1, $2, 'user', $3, '', $4, $5, $6)",
            vec![
                game.into(),
                (seat as i64).into(),
                name.as_str().into(),
                i64::from(result.scores[seat]).into(),
                result.places.get(seat).map(|place| *place as i64).into(),
                breakdown.get(seat).map(json).into(),
            ],
        )
    };
    names.iter().enumerate().map(seat).collect()
}

/// What gives a seat another sitter, if it is as the table believes and the game has not begun.
pub(in crate::play::table) fn change(game: &str, change: &SeatChange) -> Statement {
    let (old, new) = (&change.old, &change.new);
    Statement::guarded(
        "UPDATE seats SET kind = $1, user_id = $2, bot_account = $3, name = $4, nonce = $5 \
         WHERE game_id = $6 AND seat = $7 AND kind = $8 AND COALESCE(user_id, '') = $9 \
         AND EXISTS (SELECT 1 FROM games WHERE id = $6 AND status = 'waiting')",
        vec![
            kind_of(new.sitter()).into(),
            new.user().map(str::to_owned).into(),
            matches!(new.sitter(), Occupant::User { bot_account: true, .. }).into(),
            new.name().into(),
            new.nonce().into(),
            game.into(),
            (change.seat as i64).into(),
            kind_of(old.sitter()).into(),
            old.user().or(old.invited()).unwrap_or_default().into(),
        ],
    )
}

/// What notes that a seat no longer plays.
pub(in crate::play::table) fn put_out(game: &str, seat: usize, reason: Reason) -> Statement {
    Statement::guarded(
        "UPDATE seats SET out_reason = $1 \
         WHERE game_id = $2 AND seat = $3 AND out_reason IS NULL",
        vec![reason_word(reason).into(), game.into(), (seat as i64).into()],
    )
}

/// What writes how each seat ended.
pub(in crate::play::table) fn end(
    game: &str,
    result: &GameResult,
    breakdown: &[Breakdown],
) -> Vec<Statement> {
    let seat = |(seat, score): (usize, &i32)| {
        let place = result.places.get(seat).map(|place| *place as i64);
        Statement::new(
            "UPDATE seats SET score = $1, place = $2, breakdown = $3 \
             WHERE game_id = $4 AND seat = $5",
            vec![
                i64::from(*score).into(),
                place.into(),
                breakdown.get(seat).map(json).into(),
                game.into(),
                (seat as i64).into(),
            ],
        )
    };
    result.scores.iter().enumerate().map(seat).collect()
}

/// What the database calls the sitter.
const fn kind_of(sitter: &Occupant) -> &'static str {
    match sitter {
        Occupant::Open => "open",
        Occupant::Invited { .. } => "invited",
        Occupant::User { .. } => "user",
        Occupant::Bot { .. } => "bot",
    }
}

/// What the database calls a reason.
const fn reason_word(reason: Reason) -> &'static str {
    match reason {
        Reason::Normal => "normal",
        Reason::Resign => "resign",
        Reason::Time => "time",
        Reason::Abort => "abort",
        Reason::Draw => "draw",
    }
}
