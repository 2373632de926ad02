//! Our players of Carcassonne, for Python: choose, analyse, solve endings.

use crate::carcassonne_env::{AnyAgent, CarcassonneState, either, read_setup};
use crate::errors::{BusyError, value_error};
use crate::interruptible::interruptible;
use crate::numbers;
use crate::pool::Pool;
use bots::BotError;
use bots::levels::LEVELS;
use bots::roster::{self, BotSpec, NAMES, Playable};
use carcassonne::{Edition, ExpandedSetup, Move, Options, Position, Setup};
use game::{Game, Turn};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use search::{Limits, Report, Stop};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::time::Duration;

/// The longest that one move may be thought about, in seconds.
const LONGEST: f64 = 86_400.0;

/// How long a move is thought about where nothing is said.
const DEFAULT_NODES: u64 = 1000;

/// A player of Carcassonne by name, such as "best", "greedy" or "mcts:c=0.7".
///
/// With the same seed and a limit of nodes it plays the same moves everywhere.
#[pyclass(frozen, module = "bastide._native")]
pub(crate) struct Bot {
    agent: Mutex<AnyAgent>,
    setup: ExpandedSetup,
    spec: String,
    seed: u64,
    limits: Limits,
}

/// What one of many searches came to.
type Answer = Result<Report<Move>, BotError>;

#[pymethods]
impl Bot {
    #[new]
    #[pyo3(signature = (spec, players=None, *, setup=None, seed=0, nodes=None, time=None,
                        depth=None))]
    fn new(
        spec: &str,
        players: Option<usize>,
        setup: Option<&str>,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<Self> {
        let setup = match setup {
            Some(setup) => read_setup(setup)?,
            None => Setup::new(players.unwrap_or(2)).map_err(value_error)?.into(),
        };
        let own = setup.rules().players();
        if let Some(players) = players.filter(|players| *players != own) {
            return Err(value_error(format!("players={players}: the setup has {own} players")));
        }
        let parsed: BotSpec = spec.parse().map_err(value_error)?;
        let mut agent = AnyAgent::make(&parsed, &setup).map_err(value_error)?;
        agent.new_game(&setup, seed);
        let limits = limits(nodes, time, depth, Limits::nodes(DEFAULT_NODES))?;
        check_depth(&agent, &limits)?;
        Ok(Self { agent: Mutex::new(agent), setup, spec: spec.to_owned(), seed, limits })
    }

    /// The setup it was made for: it plays games with as many players and the same sets.
    #[getter]
    fn setup(&self) -> String {
        self.setup.to_string()
    }

    /// The name it was made by.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// Forgets the game it was in; the same seed plays the same way again.
    #[pyo3(signature = (seed=0))]
    fn new_game(&self, #[pyo3(from_py_with = numbers::seed)] seed: u64) -> PyResult<()> {
        self.lock()?.new_game(&self.setup, seed);
        Ok(())
    }

    /// The next action of the player to move.
    #[pyo3(signature = (state, *, nodes=None, time=None, depth=None))]
    fn choose(
        &self,
        py: Python<'_>,
        state: &CarcassonneState,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<i64> {
        let report = self.search(py, state, limits(nodes, time, depth, self.limits)?)?;
        first(state, &report)
    }

    /// The whole turn of the player to move: one or two actions.
    #[pyo3(signature = (state, *, nodes=None, time=None, depth=None))]
    fn turn(
        &self,
        py: Python<'_>,
        state: &CarcassonneState,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<Vec<i64>> {
        let report = self.search(py, state, limits(nodes, time, depth, self.limits)?)?;
        report.turn.iter().map(|m| state.number(*m)).collect()
    }

    /// What it thinks of the position: the best turns with their values, as a dictionary.
    #[pyo3(signature = (state, *, top=5, nodes=None, time=None, depth=None))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        state: &CarcassonneState,
        top: usize,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let report = self.search(py, state, limits(nodes, time, depth, self.limits)?)?;
        described(py, state, &report, top)
    }

    /// What it thinks of many positions at once, on `threads` threads (one a core if none are named):
    /// a dictionary for each, as `analyse` gives it for a bot that was just made. Ctrl-C ends it.
    #[pyo3(signature = (states, *, top=5, nodes=None, time=None, depth=None, threads=None))]
    #[allow(
        clippy::too_many_arguments,
        reason = "they are named where they are written, in Python"
    )]
    fn analyse_batch<'py>(
        &self,
        py: Python<'py>,
        states: Vec<PyRef<'py, CarcassonneState>>,
        top: usize,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
        #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let limits = limits(nodes, time, depth, self.limits)?;
        let states: Vec<&CarcassonneState> = states.iter().map(|state| &**state).collect();
        for (at, state) in states.iter().enumerate() {
            let checked = self.check_game(state).and_then(|()| check_decision(state));
            checked.map_err(|error| value_error(format!("states[{at}]: {}", error.value(py))))?;
        }
        check_depth(&*self.lock()?, &limits)?;
        let reports = self.search_all(py, &states, &limits, threads)?;
        let both = states.iter().zip(&reports);
        both.map(|(state, report)| described(py, state, report, top)).collect()
    }

    /// A copy is made afresh, as after `new_game` with the seed it was made with.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((&str, usize), Bound<'py, PyDict>)> {
        let options = PyDict::new(py);
        options.set_item("setup", self.setup.to_string())?;
        options.set_item("seed", self.seed)?;
        options.set_item("nodes", self.limits.nodes)?;
        options.set_item("time", self.limits.time.map(|time| time.as_secs_f64()))?;
        options.set_item("depth", self.limits.depth)?;
        Ok(((&self.spec, self.setup.rules().players()), options))
    }

    fn __repr__(&self) -> String {
        let (players, sets) = (self.setup.rules().players(), self.setup.sets());
        match sets.is_empty() {
            true => format!("Bot('{}', players={players})", self.spec),
            false => format!("Bot('{}', setup='players={players} sets={sets}')", self.spec),
        }
    }
}

impl Bot {
    fn lock(&self) -> PyResult<std::sync::MutexGuard<'_, AnyAgent>> {
        match self.agent.try_lock() {
            Ok(agent) => Ok(agent),
            Err(TryLockError::WouldBlock) => {
                Err(BusyError::new_err("another thread is using this bot; give each its own"))
            }
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        }
    }

    fn search(
        &self,
        py: Python<'_>,
        state: &CarcassonneState,
        limits: Limits,
    ) -> PyResult<Report<Move>> {
        self.check_game(state)?;
        check_decision(state)?;
        let mut agent = self.lock()?;
        check_depth(&agent, &limits)?;
        let (agent, game) = (&mut *agent, &state.game);
        let report = interruptible(py, |stop| agent.search(game, &limits, stop))?;
        report.ok_or_else(|| value_error("this bot was made for games of other sets"))
    }

    /// Searches positions of games it was made for, each with an agent that begins afresh.
    fn search_all(
        &self,
        py: Python<'_>,
        states: &[&CarcassonneState],
        limits: &Limits,
        threads: Option<usize>,
    ) -> PyResult<Vec<Report<Move>>> {
        let parsed: BotSpec = self.spec.parse().map_err(value_error)?;
        let mut pool = Pool::new(threads)?;
        // As many agents as there are threads at work, each taken by one search at a time.
        let agents = Mutex::new(Vec::new());
        let unlocked = || agents.lock().unwrap_or_else(PoisonError::into_inner);
        let mut jobs: Vec<(&CarcassonneState, Option<Answer>)> =
            states.iter().map(|state| (*state, None)).collect();
        let done = interruptible(py, |stop| {
            pool.each(&mut jobs, |(state, answer)| {
                let idle = unlocked().pop();
                let made = match idle {
                    Some(agent) => Ok(agent),
                    None => AnyAgent::make(&parsed, &self.setup),
                };
                *answer = match made {
                    Err(error) => Some(Err(error)),
                    Ok(mut agent) => {
                        agent.new_game(&self.setup, self.seed);
                        let report = agent.search(&state.game, limits, stop);
                        unlocked().push(agent);
                        report.map(Ok)
                    }
                };
            })
        })?;
        done.map_err(value_error)?;
        let missing = || value_error("this bot was made for games of other sets");
        let report =
            |(_, answer): (_, Option<Answer>)| answer.ok_or_else(missing)?.map_err(value_error);
        jobs.into_iter().map(report).collect()
    }

    /// Refuses games that it was not made for.
    fn check_game(&self, state: &CarcassonneState) -> PyResult<()> {
        let (own, found) = (&self.setup, state.game.setup());
        let (players, sets) = (own.rules().players(), own.sets());
        if found.rules().players() != players {
            let found = found.rules().players();
            return Err(value_error(format!(
                "this bot was made for {players} players, the game has {found}"
            )));
        }
        if found.sets() != sets {
            let named = |sets: carcassonne::Sets| match sets.is_empty() {
                true => "the base game".to_owned(),
                false => format!("sets={sets}"),
            };
            return Err(value_error(format!(
                "this bot was made for {}, the game is {}: give the bot the game's setup",
                named(sets),
                named(found.sets())
            )));
        }
        Ok(())
    }
}

/// The exact value of an ending, all draws and best play included; `None` if a limit came first.
///
/// With the tile in hand and two more to come it takes milliseconds; each tile more takes tens of
/// times longer.
#[pyfunction]
#[pyo3(signature = (state, *, nodes=None, time=None, threads=1))]
pub(crate) fn solve_ending<'py>(
    py: Python<'py>,
    state: &CarcassonneState,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    time: Option<f64>,
    threads: usize,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    check_decision(state)?;
    if !(1..=roster::MOST_THREADS).contains(&threads) {
        return Err(value_error(format!(
            "threads={threads}: expected 1 to {}",
            roster::MOST_THREADS
        )));
    }
    let limits = limits(nodes, time, None, Limits::time(Duration::from_secs(10)))?;
    let report = interruptible(
        py,
        |stop| either!(&state.game, game => solve(game, threads, &limits, stop)),
    )?;
    report.map(|report| described(py, state, &report, usize::MAX)).transpose()
}

fn solve<E: Edition>(
    game: &Position<E>,
    threads: usize,
    limits: &Limits,
    stop: &Stop,
) -> Option<Report<Move>> {
    roster::ending_solver::<E>().with_threads(threads).solve(game, limits, stop)
}

/// Every player that can be named, with a line about it: the levels, weakest first, then others.
#[pyfunction]
pub(crate) fn bot_names(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for level in &LEVELS {
        dict.set_item(level.name, level.about)?;
    }
    for (name, about) in NAMES {
        dict.set_item(name, about)?;
    }
    Ok(dict)
}

/// The names of the levels, weakest first.
#[pyfunction]
pub(crate) fn level_names() -> Vec<&'static str> {
    LEVELS.iter().map(|level| level.name).collect()
}

/// A player of Carcassonne by name, for games with this setup.
pub(crate) fn make<E: Playable>(spec: &str, setup: &E::Setup) -> PyResult<roster::BoxedAgent<E>> {
    named::<E>(spec, setup).map_err(value_error)
}

/// As [`make`], where no interpreter is near.
pub(crate) fn named<E: Playable>(
    spec: &str,
    setup: &E::Setup,
) -> Result<roster::BoxedAgent<E>, BotError> {
    let spec: BotSpec = spec.parse()?;
    roster::make::<E>(&spec, setup)
}

/// Limits from what was said; `default` where nothing was.
pub(crate) fn limits(
    nodes: Option<u64>,
    time: Option<f64>,
    depth: Option<u32>,
    default: Limits,
) -> PyResult<Limits> {
    if let Some(time) = time.filter(|seconds| !(0.0..=LONGEST).contains(seconds)) {
        return Err(value_error(format!("time={time}: expected 0 to {LONGEST} seconds")));
    }
    if nodes.is_none() && time.is_none() && depth.is_none() {
        return Ok(default);
    }
    Ok(Limits { nodes, time: time.map(Duration::from_secs_f64), depth, ..Limits::default() })
}

/// A search that knows no depth would never end if that were its only limit.
fn check_depth(agent: &AnyAgent, limits: &Limits) -> PyResult<()> {
    match limits.depth.is_some() && !agent.heeds_depth() {
        true => Err(value_error("this bot knows no limit of depth; allowed: nodes, time")),
        false => Ok(()),
    }
}

fn check_decision(state: &CarcassonneState) -> PyResult<()> {
    match state.game.turn() {
        Turn::Player(_) => Ok(()),
        Turn::Chance => {
            Err(value_error("this is a chance node: apply one of chance_outcomes() first"))
        }
        Turn::Over => Err(value_error("the game is over")),
    }
}

fn first(state: &CarcassonneState, report: &Report<Move>) -> PyResult<i64> {
    let m = report.best().ok_or_else(|| value_error("the bot gave no turn"))?;
    state.number(m)
}

fn described<'py>(
    py: Python<'py>,
    state: &CarcassonneState,
    report: &Report<Move>,
    top: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let numbers =
        |moves: &[Move]| -> PyResult<Vec<i64>> { moves.iter().map(|m| state.number(*m)).collect() };
    let texts = |moves: &[Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut lines = Vec::new();
    for line in report.lines.iter().take(top) {
        let dict = PyDict::new(py);
        dict.set_item("turn", texts(&line.moves))?;
        dict.set_item("actions", numbers(&line.moves)?)?;
        dict.set_item("margin", line.value.margin)?;
        dict.set_item("win", line.value.win)?;
        dict.set_item("visits", line.visits)?;
        lines.push(dict);
    }
    let dict = PyDict::new(py);
    dict.set_item("turn", texts(&report.turn))?;
    dict.set_item("actions", numbers(&report.turn)?)?;
    let values = report.values.as_slice();
    dict.set_item("margins", values.iter().map(|v| v.margin).collect::<Vec<_>>())?;
    dict.set_item("wins", values.iter().map(|v| v.win).collect::<Vec<_>>())?;
    dict.set_item("lines", lines)?;
    dict.set_item("nodes", report.nodes)?;
    dict.set_item("seconds", report.time.as_secs_f64())?;
    dict.set_item("depth", report.depth)?;
    dict.set_item("exact", report.exact)?;
    Ok(dict)
}
