//! Thousands of games of Carcassonne at once, stepped in parallel into numpy arrays.

use super::arrays::{Arrays, Observation, bytes_per_game};
use super::lanes::{Bundle, LANES, Reset, Rows, Rules, SavedGame};
use super::{CarcassonneState, playable, read_setup, refusal};
use crate::arrays::one_each;
use crate::bot::limits;
use crate::errors::{IllegalActionError, check_started, no_such_game, value_error};
use crate::exclusive::Exclusive;
use crate::numbers::{self, check_penalty};
use crate::options::{Autoreset, Illegal, Reward, choose};
use crate::patience::interruptible;
use crate::pool::Pool;
use game::{Player, Random};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use search::Stop;
use std::sync::{Mutex, PoisonError};

/// The most games of one batch.
const MOST_GAMES: usize = 1_000_000;

/// The most memory of one batch.
const MOST_BYTES: usize = 16 << 30;

/// Many games of Carcassonne; the engine under `bastide.CarcassonneBatch`.
#[pyclass(frozen, module = "bastide._native")]
pub(crate) struct CarcassonneGames(Exclusive<Games>);

struct Games {
    rules: Rules,
    count: usize,
    bundles: Vec<Bundle>,
    pool: Pool,
    arrays: Arrays,
    seat: LearnerSeat,
    random: Random,
    started: bool,
}

/// Which seat learns when the others are played for.
#[derive(Clone, Copy)]
enum LearnerSeat {
    Everyone,
    Fixed(Player),
    /// Game i has seat i modulo the players.
    Spread,
}

type Legal<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i64>>);

#[pymethods]
impl CarcassonneGames {
    #[new]
    #[pyo3(signature = (num_envs, setup, observation, mask, reward, autoreset, illegal, penalty,
                        threads=None, opponent=None, learner=None, nodes=None, time=None))]
    #[allow(
        clippy::too_many_arguments,
        reason = "they are named where they are written, in Python"
    )]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::num_envs)] num_envs: usize,
        setup: &str,
        observation: &str,
        mask: bool,
        reward: &str,
        autoreset: &str,
        illegal: &str,
        penalty: f32,
        #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
        opponent: Option<&str>,
        #[pyo3(from_py_with = numbers::learner)] learner: Option<usize>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Self> {
        let setup = read_setup(setup)?;
        let rules = Rules {
            setup,
            numbering: playable(&setup)?,
            reward: Reward::named(reward)?,
            autoreset: Autoreset::named(autoreset)?,
            illegal: Illegal::named(illegal)?,
            penalty: check_penalty(penalty)?,
            limits: limits(nodes, time, None, search::Limits::nodes(1000))?,
        };
        let known = [
            ("compact", Observation::Compact),
            ("planes", Observation::Planes),
            ("none", Observation::Nothing),
        ];
        let observation = choose("observation", observation, &known)?;
        check_size(num_envs, &rules, observation, mask)?;
        let seat = seat_of(setup.players(), opponent, learner)?;
        let mut bundles = Vec::new();
        for first in (0..num_envs).step_by(LANES) {
            let rival = opponent.map(|spec| crate::bot::make(spec, &setup)).transpose()?;
            bundles.push(Bundle::new(&rules, LANES.min(num_envs - first), rival));
        }
        let arrays = Arrays::new(py, num_envs, &rules, observation, mask);
        let (pool, random) = (Pool::new(threads)?, Random::new(0));
        let games =
            Games { rules, count: num_envs, bundles, pool, arrays, seat, random, started: false };
        Ok(Self(Exclusive::new(games)))
    }

    /// The arrays that every step writes, by name.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.0.lock()?.open()?.arrays.named(py)
    }

    /// Resets every game; gives the legal actions and where each game's begin.
    ///
    /// With `only`, a flag for each game, the others stay as they are.
    #[pyo3(signature = (seed=None, only=None))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = numbers::maybe_seed)] seed: Option<u64>,
        only: Option<PyReadonlyArray1<'py, bool>>,
    ) -> PyResult<Legal<'py>> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        let only = match &only {
            Some(only) => {
                check_started(games.started)?;
                Some(one_each(only, games.count)?)
            }
            None => None,
        };
        games.run(py, |bundle, first, rules, seat, stop, rows| {
            let learner = |lane| seat.of(lane, rules.setup.players());
            let chosen = only.map(|only| &only[first..]);
            bundle.reset(rules, Reset { seed, first, only: chosen }, learner, stop, rows);
        })?;
        if let Some(seed) = seed {
            games.random = Random::new(!seed);
        }
        games.started = true;
        games.legal(py)
    }

    /// Plays an action in every game; gives the legal actions and where each game's begin.
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Legal<'py>> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        check_started(games.started)?;
        let actions = one_each(&actions, games.count)?;
        if games.rules.illegal == Illegal::Raise {
            games.refuse_illegal(actions)?;
        }
        games.run(py, |bundle, first, rules, _, stop, rows| {
            bundle.step(rules, &actions[first..first + bundle.lanes.len()], stop, rows);
        })?;
        games.legal(py)
    }

    /// A legal action for every game, any with equal chance; 0 where a game is over.
    fn sample_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        check_started(games.started)?;
        let mut actions = Vec::with_capacity(games.count);
        for bundle in &games.bundles {
            for lane in 0..bundle.lanes.len() {
                let picked = games.random.pick(bundle.legal_of(lane)).copied().unwrap_or(0);
                actions.push(i64::from(picked));
            }
        }
        Ok(PyArray1::from_vec(py, actions))
    }

    /// A copy of one of the games.
    fn state(
        &self,
        #[pyo3(from_py_with = numbers::game)] index: usize,
    ) -> PyResult<CarcassonneState> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        check_started(games.started)?;
        let lane = games.bundles.get(index / LANES).and_then(|b| b.lanes.get(index % LANES));
        let lane = lane.ok_or_else(|| no_such_game(index, games.count))?;
        Ok(CarcassonneState::from_parts(&lane.game, games.rules.numbering, &lane.moves))
    }

    /// What a copy of the batch is made of: whether it was started, the generator of
    /// `sample_actions`, and of each game its record, its dealer, and whether it is over.
    fn saved(&self) -> PyResult<(bool, u64, Vec<SavedGame>)> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        let setup = games.rules.setup;
        let lanes = games.bundles.iter().flat_map(|bundle| &bundle.lanes);
        let saved = lanes.take_while(|_| games.started).map(|lane| lane.saved(&setup)).collect();
        Ok((games.started, games.random.seed(), saved))
    }

    /// Goes on from what `saved` gave.
    fn restore(
        &self,
        py: Python<'_>,
        started: bool,
        random: u64,
        saved: Vec<SavedGame>,
    ) -> PyResult<()> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        games.random = Random::new(random);
        if !started {
            return Ok(());
        }
        if saved.len() != games.count {
            let (found, wanted) = (saved.len(), games.count);
            return Err(value_error(format!("{found} games were saved, the batch has {wanted}")));
        }
        let failed = Mutex::new(None);
        games.run(py, |bundle, first, rules, seat, _, rows| {
            let learner = |lane| seat.of(lane, rules.setup.players());
            if let Err(error) = bundle.restore(rules, &saved[first..], first, learner, rows) {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        })?;
        games.started = true;
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(error) => {
                held.close();
                Err(value_error(error))
            }
        }
    }

    /// How many threads step the games.
    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(self.0.lock()?.open()?.pool.threads())
    }

    /// The setup in full.
    #[getter]
    fn setup(&self) -> PyResult<String> {
        Ok(self.0.lock()?.open()?.rules.setup.to_string())
    }

    /// Bytes of one game with its row in every array.
    #[getter]
    fn bytes_per_env(&self) -> PyResult<usize> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        let Arrays { observation, mask, .. } = &games.arrays;
        Ok(bytes_per_game(&games.rules, *observation, mask.is_some()))
    }

    /// Frees the games; using them afterwards raises `ClosedError`.
    fn close(&self) -> PyResult<()> {
        self.0.lock()?.close();
        Ok(())
    }

    #[getter]
    fn closed(&self) -> PyResult<bool> {
        Ok(self.0.lock()?.is_closed())
    }
}

impl LearnerSeat {
    fn of(self, lane: usize, players: usize) -> Option<Player> {
        match self {
            Self::Everyone => None,
            Self::Fixed(player) => Some(player),
            Self::Spread => Some(Player::new(lane % players)),
        }
    }
}

impl Games {
    fn refuse_illegal(&self, actions: &[i64]) -> PyResult<()> {
        for (index, bundle) in self.bundles.iter().enumerate() {
            if let Some(lane) = bundle.first_illegal(&actions[index * LANES..]) {
                let at = index * LANES + lane;
                let reason = refusal(&bundle.lanes[lane].game, self.rules.numbering, actions[at]);
                return Err(IllegalActionError::new_err(format!("game {at}: {reason}")));
            }
        }
        Ok(())
    }

    /// Lets `work` step each bundle, without the interpreter's lock.
    fn run(
        &mut self,
        py: Python<'_>,
        work: impl Fn(&mut Bundle, usize, &Rules, LearnerSeat, &Stop, Rows<'_>) + Sync + Send,
    ) -> PyResult<()> {
        let Self { rules, bundles, pool, arrays, seat, .. } = self;
        let mut open = arrays.open(py)?;
        let mut rows = open.rows()?;
        let mut jobs: Vec<(usize, &mut Bundle, Option<Rows<'_>>)> = bundles
            .iter_mut()
            .enumerate()
            .map(|(index, bundle)| {
                let cut = rows.next(bundle.lanes.len());
                (index * LANES, bundle, Some(cut))
            })
            .collect();
        let (rules, seat) = (&*rules, *seat);
        let mut each = |jobs: &mut [_], stop: &Stop| {
            pool.each(jobs, |(first, bundle, rows): &mut (usize, &mut Bundle, Option<Rows<'_>>)| {
                if let Some(rows) = rows.take() {
                    work(bundle, *first, rules, seat, stop, rows);
                }
            })
        };
        // Only players at other seats may think for long.
        let done = match seat {
            LearnerSeat::Everyone => Ok(py.detach(|| each(&mut jobs, &Stop::new()))),
            _ => interruptible(py, |stop| each(&mut jobs, stop)),
        };
        let failure = bundles.iter_mut().find_map(|bundle| bundle.failure.take());
        done?.map_err(value_error)?;
        failure.map_or(Ok(()), |failure| Err(PyRuntimeError::new_err(failure.to_string())))
    }

    /// All legal actions, and where each game's begin (and the last one's end).
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Legal<'py>> {
        let total = self.bundles.iter().map(|bundle| bundle.legal.len()).sum();
        let mut actions = Vec::with_capacity(total);
        let mut offsets = Vec::with_capacity(self.count + 1);
        offsets.push(0);
        for bundle in &self.bundles {
            let first = actions.len() as i64;
            actions.extend_from_slice(&bundle.legal);
            offsets.extend(bundle.ends.iter().map(|end| first + i64::from(*end)));
        }
        Ok((PyArray1::from_vec(py, actions), PyArray1::from_vec(py, offsets)))
    }
}

/// Refuses batches that no machine holds, before anything is allocated.
fn check_size(games: usize, rules: &Rules, observation: Observation, mask: bool) -> PyResult<()> {
    if !(1..=MOST_GAMES).contains(&games) {
        return Err(value_error(format!("num_envs={games}: a batch has 1 to {MOST_GAMES} games")));
    }
    let bytes = games * bytes_per_game(rules, observation, mask);
    if bytes > MOST_BYTES {
        let (bytes, most) = (bytes >> 20, MOST_BYTES >> 20);
        return Err(value_error(format!(
            "num_envs={games}: this batch would take {bytes} MiB, allowed are {most}; \
             use fewer games, a smaller board, or another observation"
        )));
    }
    crate::memory::check(&format!("a batch of {games} games"), bytes)
}

/// Who learns: everybody, or one seat against an opponent.
fn seat_of(
    players: usize,
    opponent: Option<&str>,
    learner: Option<usize>,
) -> PyResult<LearnerSeat> {
    match (opponent, learner) {
        (None, None) => Ok(LearnerSeat::Everyone),
        (None, Some(_)) => Err(value_error("learner: without an opponent every seat learns")),
        (Some(_), None) => Ok(LearnerSeat::Spread),
        (Some(_), Some(seat)) if seat < players => Ok(LearnerSeat::Fixed(Player::new(seat))),
        (Some(_), Some(seat)) => {
            Err(value_error(format!("learner={seat}: seats are 0 to {}", players - 1)))
        }
    }
}
