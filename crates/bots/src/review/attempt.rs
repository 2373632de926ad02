//! A turn that somebody tries in place of one that was played.

use super::Depth;
use super::facts::facts;
use super::grade::{Category, shown};
use super::judge::{Judge, Stopped};
use super::reasons::reasons;
use super::report::{Fact, Reason, Worth};
use crate::nets;
use crate::one_ply::OnePly;
use crate::roster::Playable;
use crate::turn_look::turn_look;
use crate::value::Learned;
use carcassonne::{Edition, Move, Position};
use game::{Game, Record, ReplayError, Turn};
use search::Stop;
use std::error::Error;
use std::fmt;

/// What the engine's turn is worth more than one that was tried.
#[derive(Clone, PartialEq, Debug)]
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
    /// Where the difference comes from, the largest part first; empty for small losses.
    pub reasons: Vec<Reason>,
    /// What one of the two turns does at once and the other does not; empty for small losses.
    pub facts: Vec<Fact>,
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
    let mut attempt = Attempt {
        measured: Worth::default(),
        error: Worth::default(),
        loss: Worth::default(),
        category: Category::Best,
        exact: judge.is_exact(&position),
        reasons: Vec::new(),
        facts: Vec::new(),
    };
    if turn_look(&position, best) == turn_look(&position, tried) {
        return Ok(attempt);
    }
    let seed = plies as u64;
    let compared = judge.compare(&position, best, tried, seed)?;
    attempt.measured = Worth::of(compared.difference[player]);
    attempt.error = Worth::of(compared.error);
    attempt.loss = shown(attempt.measured, attempt.error);
    attempt.category = Category::of(attempt.loss, attempt.error);
    if attempt.category >= Category::Inaccuracy {
        let mut learned = Learned::new(nets::for_setup(&record.setup).net);
        attempt.reasons = reasons(&position, [best, tried], &mut learned, depth, seed);
        attempt.facts = facts(&position, best, tried);
    }
    Ok(attempt)
}

/// The turn after so many plies of a record that looks best at first sight, by one ply of the net, and is
/// none of these; `None` if there is no other.
///
/// # Errors
/// If the record is not legal, or nobody is to move there.
pub fn tempting_turn<E: Playable>(
    record: &Record<Position<E>>,
    plies: usize,
    but: &[Vec<Move>],
) -> Result<Option<Vec<Move>>, AttemptError> {
    E::tempting_turn(record, plies, but)
}

pub(crate) fn tempting_turn_of<E: Edition>(
    record: &Record<Position<E>>,
    plies: usize,
    but: &[Vec<Move>],
) -> Result<Option<Vec<Move>>, AttemptError> {
    let position = record.replay_to(plies, |_, _| {}).map_err(AttemptError::Record)?;
    let Turn::Player(_) = position.turn() else { return Err(AttemptError::NobodyMoves(plies)) };
    let mut one_ply = OnePly::default();
    one_ply.list(&position, &mut Learned::new(nets::for_setup(&record.setup).net));
    let known: Vec<_> = but.iter().map(|turn| turn_look(&position, turn)).collect();
    let other = |turn: &usize| !known.contains(&turn_look(&position, one_ply.moves(*turn)));
    let values = one_ply.values();
    let best = (0..values.len()).filter(other).max_by(|a, b| values[*a].total_cmp(&values[*b]));
    Ok(best.map(|turn| one_ply.moves(turn).to_vec()))
}

/// Refuses moves that are not one whole turn.
///
/// # Errors
/// If a move is not legal, or they end before the turn does, or go on after it.
pub fn check_whole_turn<G: Game>(position: &G, turn: &[G::Move]) -> Result<(), AttemptError> {
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
