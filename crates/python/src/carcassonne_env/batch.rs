//! Thousands of games of Carcassonne at once, stepped in parallel into numpy arrays.

use super::arrays::{GivenPlanes, Observation, Slot};
use super::games::{BatchOptions, Games, Legal};
use super::sub_envs::{Rules, SavedGame, Seeds};
use super::{CarcassonneState, playable, read_setup};
use crate::arrays::listed;
use crate::bot::limits;
use crate::exclusive::Exclusive;
use crate::numbers::{self, check_penalty};
use crate::options::{Autoreset, Illegal, Reward, choose};
use carcassonne::tensor::{TensorsV1, TensorsV2, Version};
use carcassonne::{AllSets, Base, Options};
use numpy::{PyArray1, PyArrayDyn, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Many games of Carcassonne; the engine under `bastide.CarcassonneBatch`.
#[pyclass(frozen, module = "bastide._native")]
pub(crate) struct CarcassonneGames(Exclusive<AnyGames>);

/// The games by edition and version: what steps them is compiled for each.
enum AnyGames {
    BaseV1(Box<Games<Base, TensorsV1>>),
    BaseV2(Box<Games<Base, TensorsV2>>),
    ExpandedV2(Box<Games<AllSets, TensorsV2>>),
}

/// Does the same with games of any kind.
macro_rules! any {
    ($any:expr, $games:ident => $what:expr) => {
        match $any {
            AnyGames::BaseV1($games) => $what,
            AnyGames::BaseV2($games) => $what,
            AnyGames::ExpandedV2($games) => $what,
        }
    };
}

/// An array to write planes into, its number, and whether it is new.
type Planes<'py> = (Bound<'py, PyArrayDyn<u8>>, usize, bool);

fn given((array, at, new): Planes<'_>) -> GivenPlanes<'_> {
    GivenPlanes { array, slot: Slot { at, new } }
}

#[pymethods]
impl CarcassonneGames {
    #[new]
    #[pyo3(signature = (num_envs, setup, observation, mask, reward, autoreset, illegal, penalty,
                        threads=None, opponent=None, learner=None, nodes=None, time=None,
                        tensors=None, fresh=false))]
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
        tensors: Option<&str>,
        fresh: bool,
    ) -> PyResult<Self> {
        let setup = read_setup(setup)?;
        let numbering = playable(&setup, tensors)?;
        let version = numbering.version();
        let reward = Reward::named(reward)?;
        let autoreset = Autoreset::named(autoreset)?;
        let illegal = Illegal::named(illegal)?;
        let penalty = check_penalty(penalty)?;
        let limits = limits(nodes, time, None, search::Limits::nodes(1000))?;
        let base = *setup.rules();
        let rules = Rules::<Base> {
            setup: base,
            numbering,
            reward,
            autoreset,
            illegal,
            penalty,
            limits,
            fresh,
        };
        let known = [
            ("compact", Observation::Compact),
            ("planes", Observation::Planes),
            ("none", Observation::Nothing),
        ];
        let observation = choose("observation", observation, &known)?;
        let options =
            BatchOptions { count: num_envs, observation, mask, threads, opponent, learner };
        let games = match (setup.sets().is_empty(), version) {
            (true, Version::V1) => AnyGames::BaseV1(Box::new(Games::new(py, rules, &options)?)),
            (true, Version::V2) => AnyGames::BaseV2(Box::new(Games::new(py, rules, &options)?)),
            (false, _) => {
                let rules = rules.with_setup::<AllSets>(setup);
                AnyGames::ExpandedV2(Box::new(Games::new(py, rules, &options)?))
            }
        };
        Ok(Self(Exclusive::new(games)))
    }

    /// The arrays that every step writes, by name; with `fresh` the planes are not among them:
    /// an array for them is given to `reset` and `step`, with its number and whether it is new.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        any!(self.0.lock()?.open()?, games => games.named_arrays(py))
    }

    /// Resets every game; gives the legal actions and where each game's begin.
    ///
    /// With `only`, a flag for each game, the others stay as they are. `seeds` has one for each game,
    /// dealt as by `Dealer(seed)`, or none.
    #[pyo3(signature = (seed=None, only=None, planes=None, seeds=None))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = numbers::maybe_seed)] seed: Option<u64>,
        only: Option<PyReadonlyArray1<'py, bool>>,
        planes: Option<Planes<'py>>,
        seeds: Option<Vec<Option<u64>>>,
    ) -> PyResult<Legal<'py>> {
        let planes = planes.map(given);
        let seeds = match (&seeds, seed) {
            (Some(seeds), _) => Seeds::Each(seeds),
            (None, Some(seed)) => Seeds::One(seed),
            (None, None) => Seeds::Going,
        };
        any!(
            self.0.lock()?.open()?,
            games => games.reset(py, seeds, only.as_ref(), planes.as_ref())
        )
    }

    /// Plays an action in every game; gives the legal actions and where each game's begin.
    #[pyo3(signature = (actions, planes=None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
        planes: Option<Planes<'py>>,
    ) -> PyResult<Legal<'py>> {
        let planes = planes.map(given);
        any!(self.0.lock()?.open()?, games => games.step(py, &actions, planes.as_ref()))
    }

    /// A legal action for every game, any with equal chance; 0 where a game is over.
    fn sample_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let actions = any!(self.0.lock()?.open()?, games => games.sample_actions())?;
        Ok(PyArray1::from_vec(py, actions))
    }

    /// A copy of one of the games.
    fn state(
        &self,
        #[pyo3(from_py_with = numbers::game)] index: usize,
    ) -> PyResult<CarcassonneState> {
        any!(self.0.lock()?.open()?, games => games.state(index))
    }

    /// Copies of games, of all if none are named.
    #[pyo3(signature = (games=None))]
    fn get_states(
        &self,
        games: Option<PyReadonlyArray1<'_, i64>>,
    ) -> PyResult<Vec<CarcassonneState>> {
        let games = games.as_ref().map(listed).transpose()?;
        any!(self.0.lock()?.open()?, own => own.states(games))
    }

    /// Puts games into states, all of them if none are named; gives the legal actions and where
    /// each game's begin.
    #[pyo3(signature = (states, games=None, seed=None, planes=None))]
    fn set_states<'py>(
        &self,
        py: Python<'py>,
        states: Vec<PyRef<'py, CarcassonneState>>,
        games: Option<PyReadonlyArray1<'py, i64>>,
        #[pyo3(from_py_with = numbers::maybe_seed)] seed: Option<u64>,
        planes: Option<Planes<'py>>,
    ) -> PyResult<Legal<'py>> {
        let states: Vec<&CarcassonneState> = states.iter().map(|state| &**state).collect();
        let games = games.as_ref().map(listed).transpose()?;
        let planes = planes.map(given);
        any!(
            self.0.lock()?.open()?,
            own => own.set_states(py, &states, games, seed, planes.as_ref())
        )
    }

    /// What a copy of the batch is made of: whether it was started, the generator of
    /// `sample_actions`, and of each game its record, its dealer, and whether it is over.
    fn saved(&self) -> PyResult<(bool, u64, Vec<SavedGame>)> {
        Ok(any!(self.0.lock()?.open()?, games => games.saved()))
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
        let done = any!(held.open()?, games => games.restore(py, started, random, &saved))?;
        if done.is_err() {
            held.close();
        }
        done
    }

    /// How many threads step the games.
    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(any!(self.0.lock()?.open()?, games => games.threads()))
    }

    /// The setup in full.
    #[getter]
    fn setup(&self) -> PyResult<String> {
        Ok(any!(self.0.lock()?.open()?, games => games.setup()))
    }

    /// The version of the numbers.
    #[getter]
    fn tensors(&self) -> PyResult<&'static str> {
        Ok(any!(self.0.lock()?.open()?, games => games.tensors()))
    }

    /// Bytes of one game with its row in every array.
    #[getter]
    fn bytes_per_env(&self) -> PyResult<usize> {
        Ok(any!(self.0.lock()?.open()?, games => games.bytes_per_env()))
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
