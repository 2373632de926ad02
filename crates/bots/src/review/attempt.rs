//! A turn that somebody tries in place of one that was played.

use super::Depth;
use super::grade::{Category, shown};
use super::judge::{Judge, Stopped};
use super::report::Worth;
use crate::roster::Playable;
use crate::turn_look::turn_look;
use carcassonne::{Edition, Move, Position};
use game::{Game, Record, ReplayError, Turn};
use search::Stop;
use std::error::Error;
use std::fmt;

/// What the engine's turn is worth more than one that was tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Attempt {
    /// As measured: it may be negative.
    pub measured: Worth,
    /// The standard error of that; 0 where it is exact.
    pub error: Worth,
    /// The loss that is shown: 0 unless it is clearly more than its error.
    pub loss: Worth,
    /// How bad that is.
    pub category: Category,
    /// Whether the values are exact.
    pub exact: bool,
}

/// Why a turn was not valued.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttemptError {
    /// The record cannot be replayed.
    Record(ReplayError),
    /// Nobody is to move after so many plies.
    NobodyMoves(usize),
    /// A move is not legal; says why.
    Illegal(String),
    /// The moves end before the turn does, or go on after it.
    NotATurn,
    /// It was stopped.
    Stopped,
}

impl fmt::Display for AttemptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(error) => error.fmt(f),
            Self::NobodyMoves(plies) => write!(f, "after {plies} plies nobody is to move"),
            Self::Illegal(why) => f.write_str(why),
            Self::NotATurn => f.write_str(
                "a turn is all its moves and no more: the placement, then a meeple or 'pass'",
            ),
            Self::Stopped => f.write_str("it was stopped"),
        }
    }
}

impl Error for AttemptError {}

impl From<Stopped> for AttemptError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// What the engine's turn `best` after so many plies of a record is worth more than another, measured
/// as a review of that depth does.
///
/// # Errors
/// If the record or a turn is not legal, nobody is to move there, or it is stopped.
pub fn compare_turn<E: Playable>(
    record: &Record<Position<E>>,
    plies: usize,
    [best, tried]: [&[Move]; 2],
    depth: Depth,
    stop: &Stop,
) -> Result<Attempt, AttemptError> {
    E::compare_turn(record, plies, [best, tried], depth, stop)
}

pub(crate) fn compare_turn_of<E: Edition>(
    record: &Record<Position<E>>,
    plies: usize,
    [best, tried]: [&[Move]; 2],
    depth: Depth,
    stop: &Stop,
) -> Result<Attempt, AttemptError> {
    let position = record.replay_to(plies, |_, _| {}).map_err(AttemptError::Record)?;
    let Turn::Player(player) = position.turn() else {
        return Err(AttemptError::NobodyMoves(plies));
    };
    for turn in [best, tried] {
        check_whole_turn(&position, turn)?;
    }
    let mut judge = Judge::new(&record.setup, depth, stop);
    let exact = judge.is_exact(&position);
    let none = Worth::default();
    if turn_look(&position, best) == turn_look(&position, tried) {
        return Ok(Attempt {
            measured: none,
            error: none,
            loss: none,
            category: Category::Best,
            exact,
        });
    }
    let compared = judge.compare(&position, best, tried, plies as u64)?;
    let (measured, error) = (Worth::of(compared.difference[player]), Worth::of(compared.error));
    let loss = shown(measured, error);
    Ok(Attempt { measured, error, loss, category: Category::of(loss, error), exact })
}

fn check_whole_turn<E: Edition>(position: &Position<E>, turn: &[Move]) -> Result<(), AttemptError> {
    let mut end = position.clone();
    for (index, m) in turn.iter().enumerate() {
        if index > 0 && end.turn() != position.turn() {
            return Err(AttemptError::NotATurn);
        }
        end.play(*m, |_| {}).map_err(|error| AttemptError::Illegal(error.to_string()))?;
    }
    match end.turn() == position.turn() {
        true => Err(AttemptError::NotATurn),
        false => Ok(()),
    }
}
