//! Puzzles found in a game.

use super::grading::{is_doubtful, is_trivial, rating, solved_by_levels};
use super::measure::{Best, Measure};
use super::{Gap, Puzzle, PuzzleId, Source, about};
use crate::review::judge::Stopped;
use crate::roster::{self, BotSpec, Playable};
use crate::{BotError, deck};
use carcassonne::{AllSets, Base, Expanded, ExpandedSetup, Move, MoveKind, Options, Position};
use game::{Game, Random, Record, ReplayError, Turn, ignore};
use search::{Limits, Stop};
use std::error::Error;
use std::fmt;

/// What was found in a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mined {
    /// How many decisions were looked at.
    pub positions: usize,
    /// The puzzles among them.
    pub puzzles: Vec<Puzzle>,
}

/// Why a game was not mined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MineError {
    /// The record cannot be replayed.
    Record(ReplayError),
    /// It was stopped.
    Stopped,
}

impl fmt::Display for MineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(error) => error.fmt(f),
            Self::Stopped => f.write_str("it was stopped"),
        }
    }
}

impl Error for MineError {}

impl From<Stopped> for MineError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Looks for puzzles in a game, at decisions with at most so many tiles left in the bag; `each` is called before each of
/// them. The same record gives the same puzzles on every machine.
///
/// # Errors
/// If the record holds a move that is not legal, or it is stopped.
pub fn mine(
    record: &Record<Expanded>,
    source: &Source,
    tiles_left: usize,
    stop: &Stop,
    each: &mut dyn FnMut(),
) -> Result<Mined, MineError> {
    check_whole(record).map_err(MineError::Record)?;
    match record.setup.sets().is_empty() {
        true => mine_in::<Base>(record, *record.setup.rules(), source, tiles_left, stop, each),
        false => mine_in::<AllSets>(record, record.setup, source, tiles_left, stop, each),
    }
}

/// Refuses a record that is not legal, or begins with a position laid by hand: puzzles are from whole games.
fn check_whole(record: &Record<Expanded>) -> Result<(), ReplayError> {
    record.must_begin_at_start().map_err(|reason| ReplayError {
        ply: 0,
        moved: String::new(),
        reason,
    })?;
    record.replay().map(|_| ())
}

/// Whether the answer of a puzzle holds: whether a search with 50 times the nodes finds it, and whether it is the
/// best when games are played on to their end, with draws that mining has not seen.
///
/// # Errors
/// If it is stopped.
pub fn check(puzzle: &Puzzle, stop: &Stop) -> Result<[bool; 2], MineError> {
    let setup = puzzle.record.setup;
    match setup.sets().is_empty() {
        true => check_in::<Base>(puzzle, setup.rules(), stop),
        false => check_in::<AllSets>(puzzle, &setup, stop),
    }
}

/// A game in which each seat is taken by one of the bots, by lot; only its beginning if it is stopped.
///
/// # Errors
/// If a bot cannot be made.
pub(super) fn self_play(
    setup: &ExpandedSetup,
    bots: &[BotSpec],
    nodes: u64,
    seed: u64,
    stop: &Stop,
) -> Result<Record<Expanded>, BotError> {
    let moves = match setup.sets().is_empty() {
        true => self_play_in::<Base>(setup.rules(), bots, nodes, seed, stop)?,
        false => self_play_in::<AllSets>(setup, bots, nodes, seed, stop)?,
    };
    Ok(Record::with_moves(*setup, moves))
}

fn self_play_in<E: Playable>(
    setup: &E::Setup,
    bots: &[BotSpec],
    nodes: u64,
    seed: u64,
    stop: &Stop,
) -> Result<Vec<Move>, BotError> {
    let mut random = Random::new(seed);
    let mut game = Position::<E>::new(setup);
    let mut draws = deck::shuffled_of::<E>(setup, &mut random).into_iter();
    let mut seats = Vec::new();
    for _ in 0..game.players() {
        let spec = random.pick(bots).cloned();
        let spec = spec.unwrap_or_else(|| BotSpec { name: "net".to_owned(), params: Vec::new() });
        let mut bot = roster::make::<E>(&spec, setup)?;
        bot.new_game(&game, random.bits());
        seats.push(bot);
    }
    let mut moves = Vec::new();
    while !stop.is_stopped() {
        match game.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let Some(draw) = draws.next() else { break };
                game.play_unchecked(draw, ignore);
                moves.push(draw);
            }
            Turn::Player(player) => {
                let report = seats[player.index()].search(&game, &Limits::nodes(nodes), stop);
                if report.turn.is_empty() {
                    break;
                }
                report.turn.iter().for_each(|m| game.play_unchecked(*m, ignore));
                moves.extend(report.turn);
            }
        }
    }
    Ok(moves)
}

fn mine_in<E: Playable>(
    record: &Record<Expanded>,
    setup: E::Setup,
    source: &Source,
    tiles_left: usize,
    stop: &Stop,
    each: &mut dyn FnMut(),
) -> Result<Mined, MineError> {
    let mut mined = Mined::default();
    let mut measure = Measure::<E>::new(&setup, stop);
    let mut position = Position::<E>::new(&setup);
    for (ply, m) in record.moves.iter().enumerate() {
        position.play_unchecked(*m, ignore);
        let decides = matches!(position.turn(), Turn::Player(_));
        if !decides || position.tiles_left() > tiles_left || !matches!(m.kind(), MoveKind::Draw(_))
        {
            continue;
        }
        if stop.is_stopped() {
            return Err(MineError::Stopped);
        }
        each();
        mined.positions += 1;
        let up_to_here = record.up_to(ply + 1);
        let seed = PuzzleId::of(&up_to_here).bits();
        if let Some(best) = measure.best(&position, seed)? {
            let puzzle =
                puzzle_of(&mut measure, &position, &setup, best, up_to_here, source, stop)?;
            mined.puzzles.extend(puzzle);
        }
    }
    Ok(mined)
}

/// The puzzle of a position with one clear best choice; `None` if it is too easy or doubtful.
fn puzzle_of<E: Playable>(
    measure: &mut Measure<E>,
    position: &Position<E>,
    setup: &E::Setup,
    best: Best,
    record: Record<Expanded>,
    source: &Source,
    stop: &Stop,
) -> Result<Option<Puzzle>, Stopped> {
    let Best { choices, answer, rival, gap } = best;
    let seed = PuzzleId::of(&record).bits();
    let is_answer = |turn: &[Move]| choices.index_of(turn) == Some(answer);
    let solved = solved_by_levels::<E>(position, setup, is_answer, seed, stop);
    if stop.is_stopped() {
        return Err(Stopped);
    }
    if is_trivial(&solved) || is_doubtful(&solved) {
        return Ok(None);
    }
    let turns = [answer, rival].map(|index| choices.all()[index].turn());
    // As the text has it, so that what was mined equals what is read.
    let hundredths = |points: f64| (points * 100.0).round() / 100.0;
    Ok(Some(Puzzle {
        rating: rating(&solved, setup),
        themes: about::themes(position, turns, measure.learned(), seed),
        gap: Gap { points: hundredths(gap.points), error: hundredths(gap.error) },
        solved,
        source: source.clone(),
        answer: turns[0].to_vec(),
        also: choices.all()[answer].others().to_vec(),
        record,
    }))
}

fn check_in<E: Playable>(
    puzzle: &Puzzle,
    setup: &E::Setup,
    stop: &Stop,
) -> Result<[bool; 2], MineError> {
    let mut position = Position::<E>::new(setup);
    puzzle.record.moves.iter().for_each(|m| position.play_unchecked(*m, ignore));
    // Other draws than those of mining.
    let seed = Random::new(puzzle.id().bits()).bits();
    Ok(Measure::<E>::new(setup, stop).check(&position, &puzzle.answer, seed)?)
}
