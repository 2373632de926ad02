//! Thousands of games of Tinytown at once, stepped in parallel into numpy arrays.

use super::read_setup;
use super::state::TinytownState;
use crate::arrays::{Cut, cut, listed, one_each, open, zeros};
use crate::carcassonne_env::games::indices;
use crate::errors::{IllegalActionError, check_started, no_such_game, value_error};
use crate::exclusive::Exclusive;
use crate::numbers::{self, check_penalty};
use crate::options::{Autoreset, Illegal};
use crate::pool::Pool;
use game::{Game, Random, ignore};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tinytown::tensor::matrix_len;
use tinytown::{Action, Tinytown};

/// The most games of one batch.
const MOST_GAMES: usize = 10_000_000;

/// Games that one thread steps together.
const CHUNK: usize = 256;

/// Many games of Tinytown; the engine under `bastide.TinytownBatch`.
#[pyclass(frozen, module = "bastide._native")]
pub(crate) struct TinytownGames(Exclusive<Games>);

struct Games {
    start: Tinytown,
    autoreset: Autoreset,
    illegal: Illegal,
    penalty: f32,
    towns: Vec<Tinytown>,
    pool: Pool,
    arrays: Arrays,
    random: Random,
    started: bool,
}

struct Arrays {
    matrix: Py<PyArray2<u8>>,
    mask: Py<PyArray2<i8>>,
    reward: Py<PyArray1<f32>>,
    terminated: Py<PyArray1<bool>>,
    illegal: Py<PyArray1<bool>>,
}

/// Some games and their rows.
struct Job<'a> {
    first: usize,
    towns: &'a mut [Tinytown],
    matrix: &'a mut [u8],
    mask: &'a mut [i8],
    reward: &'a mut [f32],
    terminated: &'a mut [bool],
    illegal: &'a mut [bool],
}

#[pymethods]
impl TinytownGames {
    #[new]
    #[pyo3(signature = (num_envs, setup, autoreset, illegal, penalty, threads=None))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::num_envs)] num_envs: usize,
        setup: &str,
        autoreset: &str,
        illegal: &str,
        penalty: f32,
        #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
    ) -> PyResult<Self> {
        let setup = read_setup(setup)?;
        if !(1..=MOST_GAMES).contains(&num_envs) {
            let text = format!("num_envs={num_envs}: a batch has 1 to {MOST_GAMES} games");
            return Err(value_error(text));
        }
        let row = matrix_len(setup.size) + Action::count(setup.size) + 6;
        let bytes = num_envs * (row + size_of::<Tinytown>());
        crate::memory::check(&format!("a batch of {num_envs} games"), bytes)?;
        let start = Tinytown::new(&setup);
        let arrays = Arrays {
            matrix: zeros(py, num_envs, matrix_len(setup.size)),
            mask: zeros(py, num_envs, Action::count(setup.size)),
            reward: PyArray1::zeros(py, num_envs, false).unbind(),
            terminated: PyArray1::zeros(py, num_envs, false).unbind(),
            illegal: PyArray1::zeros(py, num_envs, false).unbind(),
        };
        Ok(Self(Exclusive::new(Games {
            start,
            autoreset: Autoreset::named(autoreset)?,
            illegal: Illegal::named(illegal)?,
            penalty: check_penalty(penalty)?,
            towns: vec![start; num_envs],
            pool: Pool::new(threads)?,
            arrays,
            random: Random::new(0),
            started: false,
        })))
    }

    /// The arrays that every step writes, by name.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut held = self.0.lock()?;
        let arrays = &held.open()?.arrays;
        let dict = PyDict::new(py);
        dict.set_item("matrix", arrays.matrix.bind(py))?;
        dict.set_item("mask", arrays.mask.bind(py))?;
        dict.set_item("reward", arrays.reward.bind(py))?;
        dict.set_item("terminated", arrays.terminated.bind(py))?;
        dict.set_item("illegal", arrays.illegal.bind(py))?;
        Ok(dict)
    }

    /// Resets every game. The seed is only for `sample_actions`: the game has no chance.
    ///
    /// With `only`, a flag for each game, the others stay as they are.
    #[pyo3(signature = (seed=None, only=None))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = numbers::maybe_seed)] seed: Option<u64>,
        only: Option<PyReadonlyArray1<'py, bool>>,
    ) -> PyResult<()> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        let only = match &only {
            Some(only) => {
                check_started(games.started)?;
                Some(one_each(only, games.towns.len())?)
            }
            None => None,
        };
        if let Some(seed) = seed {
            games.random = Random::new(seed);
        }
        games.started = true;
        let start = games.start;
        games.run(py, |job| {
            for at in 0..job.towns.len() {
                if only.is_none_or(|only| only[job.first + at]) {
                    job.towns[at] = start;
                    job.write(at, StepResult::default());
                }
            }
        })
    }

    /// What a copy of the batch is made of: whether it was started, the generator of
    /// `sample_actions`, and every game as a line.
    fn saved(&self) -> PyResult<(bool, u64, Vec<String>)> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        let lines = games.towns.iter().map(Tinytown::line).collect();
        Ok((games.started, games.random.seed(), lines))
    }

    /// Goes on from what `saved` gave.
    fn restore(
        &self,
        py: Python<'_>,
        started: bool,
        random: u64,
        saved: Vec<String>,
    ) -> PyResult<()> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        if saved.len() != games.towns.len() {
            let (found, wanted) = (saved.len(), games.towns.len());
            return Err(value_error(format!("{found} games were saved, the batch has {wanted}")));
        }
        let setup = games.start.setup();
        let towns: Result<Vec<_>, _> =
            saved.iter().map(|line| Tinytown::from_line(setup, line)).collect();
        games.towns = towns.map_err(value_error)?;
        (games.started, games.random) = (started, Random::new(random));
        games.run(py, |job| {
            for at in 0..job.towns.len() {
                job.write(at, StepResult::default());
            }
        })
    }

    /// Plays an action in every game.
    fn step<'py>(&self, py: Python<'py>, actions: PyReadonlyArray1<'py, i64>) -> PyResult<()> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        check_started(games.started)?;
        let actions = one_each(&actions, games.towns.len())?;
        if games.illegal == Illegal::Raise {
            games.refuse_illegal(actions)?;
        }
        let rules = (games.start, games.autoreset, games.illegal, games.penalty);
        games.run(py, |job| {
            for at in 0..job.towns.len() {
                let result = step_one(&mut job.towns[at], actions[job.first + at], rules);
                job.write(at, result);
            }
        })
    }

    /// A legal action for every game, any with equal chance; 0 where a game is over.
    fn sample_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        check_started(games.started)?;
        let Games { towns, random, .. } = games;
        let mut legal = Vec::new();
        let actions = towns.iter().map(|town| {
            legal.clear();
            town.for_each_number(|number| legal.push(number as i64));
            random.pick(&legal).copied().unwrap_or(0)
        });
        let actions: Vec<i64> = actions.collect();
        Ok(PyArray1::from_vec(py, actions))
    }

    /// A copy of one of the games.
    fn state(&self, #[pyo3(from_py_with = numbers::game)] index: usize) -> PyResult<TinytownState> {
        let mut held = self.0.lock()?;
        let towns = &held.open()?.towns;
        let found = towns.get(index).map(|town| TinytownState { town: *town });
        found.ok_or_else(|| no_such_game(index, towns.len()))
    }

    /// Copies of games, of all if none are named.
    #[pyo3(signature = (games=None))]
    fn get_states(&self, games: Option<PyReadonlyArray1<'_, i64>>) -> PyResult<Vec<TinytownState>> {
        let mut held = self.0.lock()?;
        let towns = &held.open()?.towns;
        let games = games.as_ref().map(listed).transpose()?;
        let chosen = indices(games, games.map_or(towns.len(), <[i64]>::len), towns.len())?;
        Ok(chosen.into_iter().map(|index| TinytownState { town: towns[index] }).collect())
    }

    /// Puts games into states, all of them if none are named.
    #[pyo3(signature = (states, games=None))]
    fn set_states<'py>(
        &self,
        py: Python<'py>,
        states: Vec<PyRef<'py, TinytownState>>,
        games: Option<PyReadonlyArray1<'py, i64>>,
    ) -> PyResult<()> {
        let mut held = self.0.lock()?;
        let own = held.open()?;
        let games = games.as_ref().map(listed).transpose()?;
        if games.is_some() {
            check_started(own.started)?;
        }
        let chosen = indices(games, states.len(), own.towns.len())?;
        for (at, state) in states.iter().enumerate() {
            let (wanted, found) = (own.start.setup(), state.town.setup());
            if wanted != found {
                return Err(value_error(format!(
                    "states[{at}]: its setup is '{found}', that of the batch is '{wanted}'"
                )));
            }
        }
        let mut set = vec![false; own.towns.len()];
        for (index, state) in chosen.into_iter().zip(&states) {
            own.towns[index] = state.town;
            set[index] = true;
        }
        own.started = true;
        own.run(py, |job| {
            for at in 0..job.towns.len() {
                if set[job.first + at] {
                    let terminated = job.towns[at].is_over();
                    job.write(at, StepResult { terminated, ..StepResult::default() });
                }
            }
        })
    }

    /// How many threads step the games.
    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(self.0.lock()?.open()?.pool.threads())
    }

    /// The setup.
    #[getter]
    fn setup(&self) -> PyResult<String> {
        Ok(self.0.lock()?.open()?.start.setup().to_string())
    }

    /// Frees the games; using them afterwards raises `ClosedError`.
    fn close(&self) -> PyResult<()> {
        self.0.lock()?.close();
        Ok(())
    }

    /// Whether the games were freed.
    #[getter]
    fn closed(&self) -> PyResult<bool> {
        Ok(self.0.lock()?.is_closed())
    }
}

/// What a step did to a game.
#[derive(Clone, Copy, Default)]
struct StepResult {
    reward: f32,
    terminated: bool,
    illegal: bool,
}

#[inline]
fn step_one(
    town: &mut Tinytown,
    action: i64,
    (start, autoreset, illegal, penalty): (Tinytown, Autoreset, Illegal, f32),
) -> StepResult {
    if town.is_over() {
        if autoreset == Autoreset::NextStep {
            *town = start;
            return StepResult::default();
        }
        return StepResult { terminated: true, ..StepResult::default() };
    }
    let legal = usize::try_from(action).ok().and_then(|number| town.legal_number(number));
    let mut result = StepResult::default();
    match legal {
        Some(action) => {
            town.play_unchecked(action, ignore);
            result.terminated = town.is_over();
            result.reward = town.reward() as f32;
        }
        None => {
            result.illegal = true;
            result.reward = -penalty;
            result.terminated = illegal == Illegal::Terminate;
        }
    }
    // A game that was ended by an illegal action cannot continue: it is reset in any case.
    if result.terminated && (autoreset == Autoreset::SameStep || result.illegal) {
        *town = start;
    }
    result
}

impl Job<'_> {
    #[inline]
    fn write(&mut self, at: usize, result: StepResult) {
        let rows = self.towns.len();
        let (wide, actions) = (self.matrix.len() / rows, self.mask.len() / rows);
        self.towns[at].write_matrix(&mut self.matrix[at * wide..][..wide]);
        self.towns[at].write_mask(&mut self.mask[at * actions..][..actions]);
        self.reward[at] = result.reward;
        self.terminated[at] = result.terminated;
        self.illegal[at] = result.illegal;
    }
}

impl Games {
    fn refuse_illegal(&self, actions: &[i64]) -> PyResult<()> {
        for (index, (town, action)) in self.towns.iter().zip(actions).enumerate() {
            let known = usize::try_from(*action).ok();
            if town.is_over() || known.and_then(|n| town.legal_number(n)).is_some() {
                continue;
            }
            let reason = TinytownState { town: *town }.play(*action);
            let reason = reason.err().map(|error| error.to_string()).unwrap_or_default();
            return Err(IllegalActionError::new_err(format!("game {index}: {reason}")));
        }
        Ok(())
    }

    /// Lets `work` step some games at a time, without the interpreter's lock.
    fn run(&mut self, py: Python<'_>, work: impl Fn(&mut Job<'_>) + Sync + Send) -> PyResult<()> {
        let Self { towns, pool, arrays, .. } = self;
        let mut matrix = open(py, &arrays.matrix)?;
        let mut mask = open(py, &arrays.mask)?;
        let mut reward = open(py, &arrays.reward)?;
        let mut terminated = open(py, &arrays.terminated)?;
        let mut illegal = open(py, &arrays.illegal)?;
        let mut matrix: Cut<'_, u8> = cut(&mut matrix)?;
        let mut mask: Cut<'_, i8> = cut(&mut mask)?;
        let mut reward: Cut<'_, f32> = cut(&mut reward)?;
        let mut terminated: Cut<'_, bool> = cut(&mut terminated)?;
        let mut illegal: Cut<'_, bool> = cut(&mut illegal)?;
        let mut jobs: Vec<Job<'_>> = towns
            .chunks_mut(CHUNK)
            .enumerate()
            .map(|(index, towns)| Job {
                first: index * CHUNK,
                matrix: matrix.next(towns.len()),
                mask: mask.next(towns.len()),
                reward: reward.next(towns.len()),
                terminated: terminated.next(towns.len()),
                illegal: illegal.next(towns.len()),
                towns,
            })
            .collect();
        py.detach(|| pool.each(&mut jobs, work)).map_err(value_error)
    }
}
