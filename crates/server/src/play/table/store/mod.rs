//! Games as the database has them: one file for each table that play owns, and one for the lists.
//!
//! Behaviour calls these functions; no SQL stands elsewhere in `play/table`. What changes a game is a
//! [`Statement`] that goes through the journal, so that it is fenced and committed with the log.
//!
//! - [`games`]: `games`, from its making to its end; its sleep.
//! - [`seats`]: `seats`, who sits where and how they ended.
//! - [`log`]: `log`, read alone; the journal writes it.
//! - [`chat`]: `chat`; [`mutes`]: `mutes`; [`blocks`]: `blocks`.
//! - [`sleeping_boards`]: `sleeping_boards`, by which boards of games that sleep are found.
//! - [`lists`]: games that are not over, as lists show them.
//! - [`ratings`], [`timeouts`]: what tables read of rows that others own.

pub(super) mod blocks;
pub(super) mod chat;
pub(in crate::play) mod games;
pub(super) mod lists;
pub(super) mod log;
pub(super) mod mutes;
pub(super) mod ratings;
pub(in crate::play) mod seats;
pub(super) mod sleeping_boards;
pub(super) mod timeouts;

pub(super) use log::SavedEntry;
pub(super) use seats::SavedSeat;

use super::residency::SleepRow;
use crate::error::Refusal;
use crate::storage::db::{Db, Statement};
use crate::time;
use crate::wire::{ChatLine, ClockRule, GameResult, NotRated, Status, UserRef, Visibility};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;

/// A game as the database has it.
#[derive(Clone, Debug)]
pub(super) struct Saved {
    pub(super) id: String,
    pub(super) game: String,
    pub(super) setup: String,
    /// The position that the game began with, if that was laid by hand: its text on one line.
    pub(super) laid: Option<String>,
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
    /// So many entries of the log were not played here: the game began with a position.
    pub(super) from_ply: i64,
    /// Whether it was played in a browser without a server.
    pub(super) offline: bool,
    pub(super) seats: Vec<SavedSeat>,
    pub(super) log: Vec<SavedEntry>,
    pub(super) chat: VecDeque<ChatLine>,
    /// What the row says of the game's sleep.
    pub(super) row: Option<SleepRow>,
}

impl Saved {
    /// A game that waits, with nothing filled in.
    pub(super) fn blank() -> Self {
        Self {
            id: String::new(),
            game: String::new(),
            setup: String::new(),
            laid: None,
            options: serde_json::Value::Null,
            status: Status::Waiting,
            rated: false,
            visibility: Visibility::Public,
            clock: ClockRule::None,
            pass_and_play: false,
            host: UserRef { id: String::new(), name: String::new() },
            seed: String::new(),
            seed_given: false,
            commit: String::new(),
            created: time::now(),
            started: None,
            ended: None,
            result: None,
            not_rated: None,
            rating_weight: None,
            help: false,
            rematch_of: None,
            rematch: None,
            from_ply: 0,
            offline: false,
            seats: Vec::new(),
            log: Vec::new(),
            chat: VecDeque::new(),
            row: None,
        }
    }
}

/// A game from the database; `None` if there is none.
pub(super) async fn load(db: &Db, id: &str) -> Result<Option<Saved>, Refusal> {
    let Some(mut saved) = games::read(db, id).await? else { return Ok(None) };
    saved.seats = seats::read(db, id).await?;
    saved.log = log::read(db, id).await?;
    saved.chat = chat::read_last(db, id).await?;
    Ok(Some(saved))
}

/// What writes a new game and its seats.
pub(super) fn insert(saved: &Saved) -> Vec<Statement> {
    let seats = saved.seats.iter().enumerate();
    let seats = seats.map(|(number, seat)| seats::insert(&saved.id, number, seat));
    std::iter::once(games::insert(saved)).chain(seats).collect()
}

/// A stored value.
fn parse<T: DeserializeOwned>(text: String) -> Result<T, Refusal> {
    serde_json::from_str(&text).map_err(|error| {
        tracing::error!(%error, "a stored game cannot be read");
        Refusal::Internal
    })
}

/// A stored word of an enum.
fn word<T: DeserializeOwned>(text: String) -> Result<T, Refusal> {
    parse(format!("\"{text}\""))
}

/// A value to be stored.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data is JSON")
}
