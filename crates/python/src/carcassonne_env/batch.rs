//! Thousands of games of Carcassonne at once, stepped in parallel into numpy arrays.

use super::arrays::{Arrays, Observation, bytes_per_game};
use super::lanes::{Bundle, LANES, Rows, Rules};
use super::{CarcassonneState, playable, read_setup, refusal};
use crate::arrays::one_each;
use crate::bot::limits;
use crate::errors::{IllegalActionError, check_started, no_such_game, value_error};
use crate::exclusive::Exclusive;
use crate::options::{Autoreset, Illegal, Reward, choose};
use crate::pool::Pool;
use game::{Player, Random};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

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
    seat: Seat,
    random: Random,
    started: bool,
}

/// Which seat learns when the others are played for.
#[derive(Clone, Copy)]
enum Seat {
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
        num_envs: usize,
        setup: &str,
        observation: &str,
        mask: bool,
        reward: &str,
        autoreset: &str,
        illegal: &str,
        penalty: f32,
        threads: Option<usize>,
        opponent: Option<&str>,
        learner: Option<usize>,
        nodes: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Self> {
        let setup = read_setup(setup)?;
        let rules = Rules {
            setup,
            numbering: playable(&setup)?,
            reward: Reward::named(reward)?,
            autoreset: Autoreset::named(autoreset)?,
            illegal: Illegal::named(illegal)?,
            penalty,
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
            let rival = opponent.map(|spec| crate::bot::make(spec, setup.players())).transpose()?;
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

    /// Starts every game anew; gives the legal actions and where each game's begin.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(&self, py: Python<'py>, seed: Option<u64>) -> PyResult<Legal<'py>> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        games.run(py, |bundle, first, rules, seat, rows| {
            bundle.reset(rules, seed, first, |lane| seat.of(lane, rules.setup.players()), rows);
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
        games.run(py, |bundle, first, rules, _, rows| {
            bundle.step(rules, &actions[first..first + bundle.lanes.len()], rows);
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
    fn state(&self, index: usize) -> PyResult<CarcassonneState> {
        let mut held = self.0.lock()?;
        let games = held.open()?;
        check_started(games.started)?;
        let lane = games.bundles.get(index / LANES).and_then(|b| b.lanes.get(index % LANES));
        let lane = lane.ok_or_else(|| no_such_game(index, games.count))?;
        Ok(CarcassonneState::from_parts(&lane.game, games.rules.numbering, &lane.moves))
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

impl Seat {
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
        work: impl Fn(&mut Bundle, usize, &Rules, Seat, Rows<'_>) + Sync + Send,
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
        let done = py.detach(|| {
            pool.each(&mut jobs, |(first, bundle, rows)| {
                if let Some(rows) = rows.take() {
                    work(bundle, *first, rules, seat, rows);
                }
            })
        });
        done.map_err(value_error)?;
        match bundles.iter_mut().find_map(|bundle| bundle.foul.take()) {
            None => Ok(()),
            Some(foul) => Err(pyo3::exceptions::PyRuntimeError::new_err(foul)),
        }
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
    Ok(())
}

/// Who learns: everybody, or one seat against an opponent.
fn seat_of(players: usize, opponent: Option<&str>, learner: Option<usize>) -> PyResult<Seat> {
    match (opponent, learner) {
        (None, None) => Ok(Seat::Everyone),
        (None, Some(_)) => Err(value_error("learner: without an opponent every seat learns")),
        (Some(_), None) => Ok(Seat::Spread),
        (Some(_), Some(seat)) if seat < players => Ok(Seat::Fixed(Player::new(seat))),
        (Some(_), Some(seat)) => {
            Err(value_error(format!("learner={seat}: seats are 0 to {}", players - 1)))
        }
    }
}
