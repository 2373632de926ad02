//! Tools from Python: matches between our players, and records replayed with what happened.

use crate::bot::{limits, named};
use crate::carcassonne_env::read_setup;
use crate::errors::value_error;
use crate::interruptible::interruptible;
use crate::numbers;
use crate::pool::Pool;
use bots::BotError;
use bots::review::{Depth, Step, review as review_record, review_tinytown};
use bots::roster::Playable;
use carcassonne::{
    AllSets, AnyInterpreted, Base, Edition, ExpandedSetup, Interpreted, Options, Position,
    interpret_any,
};
use game::{Game, Player, Record};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use search::arena::{Contestant, Outcome, Tally, deal_from, play_game};
use search::{Limits, Stop};
use std::fmt;
use tinytown::Tinytown;

/// One game of a match.
struct Job {
    round: u64,
    /// Where the first side sits.
    seat: usize,
    played: Option<Result<PointsAndRecord, GameError>>,
}

/// The points by seat, and the record.
type PointsAndRecord = (Vec<i32>, String);

/// Why a game of a match came to no end.
enum GameError {
    Bot(BotError),
    /// A player broke its contract, as text: games of both editions can fail.
    Failed(String),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bot(error) => error.fmt(f),
            Self::Failed(error) => f.write_str(error),
        }
    }
}

/// Plays a match between two of our players: the same decks, with the first on every seat once.
///
/// Gives a dictionary: the margin of the first side a game with its standard error, its score,
/// the difference in Elo with its 95 % interval, and every game.
#[pyfunction]
#[pyo3(signature = (first, second, *, rounds=10, setup="players=2 board=unlimited", seed=1,
                    nodes=None, time=None, threads=None))]
#[allow(clippy::too_many_arguments, reason = "they are named where they are written, in Python")]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
    first: &str,
    second: &str,
    #[pyo3(from_py_with = numbers::rounds)] rounds: u64,
    setup: &str,
    #[pyo3(from_py_with = numbers::seed)] seed: u64,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    time: Option<f64>,
    #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let setup = read_setup(setup)?;
    let players = setup.rules().players();
    if !(1..=1_000_000).contains(&rounds) {
        return Err(value_error(format!("rounds={rounds}: a match has 1 to 1000000 rounds")));
    }
    let mut pool = Pool::new(threads)?;
    // An unknown name is refused before anything is played.
    for side in [first, second] {
        let known = match setup.sets().is_empty() {
            true => named::<Base>(side, setup.rules()).map(|_| ()),
            false => named::<AllSets>(side, &setup).map(|_| ()),
        };
        known.map_err(value_error)?;
    }
    let limits = limits(nodes, time, None, Limits::nodes(1000))?;
    let mut jobs: Vec<Job> = (0..rounds)
        .flat_map(|round| (0..players).map(move |seat| Job { round, seat, played: None }))
        .collect();
    let sides = [first, second];
    let done = interruptible(py, |stop| {
        pool.each(&mut jobs, |job| {
            let at = (job.round, job.seat);
            job.played = Some(match setup.sets().is_empty() {
                true => play::<Base>(setup.rules(), sides, limits, seed, at, stop),
                false => play::<AllSets>(&setup, sides, limits, seed, at, stop),
            });
        })
    })?;
    done.map_err(value_error)?;
    summary(py, players, &jobs)
}

fn play<E: Playable>(
    setup: &E::Setup,
    sides: [&str; 2],
    limits: Limits,
    seed: u64,
    (round, seat): (u64, usize),
    stop: &Stop,
) -> Result<PointsAndRecord, GameError> {
    let mut agents = Vec::new();
    for at in 0..setup.rules().players() {
        let side = sides[usize::from(at != seat)];
        agents.push(named::<E>(side, setup).map_err(GameError::Bot)?);
    }
    let mut seats: Vec<Contestant<'_, Position<E>>> =
        agents.iter_mut().map(|agent| Contestant { agent, limits, game_time: None }).collect();
    let (deck, seeds) = bots::deck::of_round_in::<E>(setup, seed, round);
    let deal = deal_from(deck);
    let played = play_game(setup, &mut seats, seeds[seat], stop, deal, |_, _| {});
    let played = played.map_err(|failed| GameError::Failed(failed.to_string()))?;
    Ok((played.scores.as_slice().to_vec(), played.record.to_string()))
}

fn summary<'py>(py: Python<'py>, players: usize, jobs: &[Job]) -> PyResult<Bound<'py, PyDict>> {
    let mut tally = Tally::new(players);
    let mut games = Vec::new();
    for round in jobs.chunks(players) {
        let mut outcomes = Vec::new();
        for job in round {
            let (scores, record) = match &job.played {
                Some(Ok(played)) => played,
                Some(Err(failure)) => return Err(PyRuntimeError::new_err(failure.to_string())),
                None => return Err(PyRuntimeError::new_err("a game was not played")),
            };
            let by_seat = game::ByPlayer::from_slice(scores);
            outcomes.push(Outcome::new(&by_seat, Player::new(job.seat)));
            let game = PyDict::new(py);
            game.set_item("round", job.round)?;
            game.set_item("seat", job.seat)?;
            game.set_item("scores", scores)?;
            game.set_item("record", record)?;
            games.push(game);
        }
        tally.add(&outcomes);
    }
    let (margin, score, elo) = (tally.margin(), tally.score(), tally.elo());
    let dict = PyDict::new(py);
    dict.set_item("margin", margin.mean)?;
    dict.set_item("margin_error", margin.error)?;
    dict.set_item("score", score.mean)?;
    dict.set_item("score_error", score.error)?;
    dict.set_item("elo", (elo.low, elo.mean, elo.high))?;
    dict.set_item("wins", tally.wins)?;
    dict.set_item("draws", tally.draws)?;
    dict.set_item("losses", tally.losses)?;
    dict.set_item("games", games)?;
    Ok(dict)
}

/// Replays a record (text, or a JSON list of moves): its moves, what happened, how it stands.
#[pyfunction]
pub(crate) fn replay<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyDict>> {
    match interpret_any(text, &ExpandedSetup::default()).map_err(value_error)? {
        AnyInterpreted::Base(read) => described(py, &read),
        AnyInterpreted::Expanded(read) => described(py, &read),
    }
}

/// Reviews a record (text, or a JSON list of moves): what every decision lost, what every draw was
/// worth, and how it adds up. Gives a dictionary; docs/review.md says what is in it.
///
/// `depth` is "quick" (about ten seconds for two players) or "deep" (about two minutes).
#[pyfunction]
#[pyo3(signature = (record, *, depth="quick"))]
pub(crate) fn review<'py>(
    py: Python<'py>,
    record: &str,
    depth: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let depth: Depth = depth.parse().map_err(|error: String| value_error(error))?;
    let each = &mut |_: &Step, _, _| {};
    let done = if game::named_game(record) == Tinytown::NAME {
        let record: Record<Tinytown> = record.parse().map_err(value_error)?;
        interruptible(py, |stop| review_tinytown(&record, depth, stop, each))?
    } else {
        match interpret_any(record, &ExpandedSetup::default()).map_err(value_error)? {
            AnyInterpreted::Base(read) => {
                interruptible(py, |stop| review_record(&read.record, depth, stop, each))?
            }
            AnyInterpreted::Expanded(read) => {
                interruptible(py, |stop| review_record(&read.record, depth, stop, each))?
            }
        }
    };
    let text = serde_json::to_string(&done.map_err(value_error)?).map_err(value_error)?;
    py.import("json")?.call_method1("loads", (text,))
}

fn described<'py, E: Edition>(
    py: Python<'py>,
    read: &Interpreted<E>,
) -> PyResult<Bound<'py, PyDict>> {
    let events: Vec<(usize, String)> =
        read.events.iter().map(|(ply, event)| (*ply, event.to_string())).collect();
    let moves: Vec<String> = read.record.moves.iter().map(ToString::to_string).collect();
    let dict = PyDict::new(py);
    dict.set_item("setup", read.record.setup.to_string())?;
    dict.set_item("moves", moves)?;
    dict.set_item("events", events)?;
    dict.set_item("phase", read.game.phase().name())?;
    dict.set_item("scores", read.game.scores().as_slice())?;
    dict.set_item("projected_scores", read.game.projected_scores().as_slice())?;
    dict.set_item("picture", read.game.picture().to_string())?;
    dict.set_item("record", read.record.to_string())?;
    Ok(dict)
}
