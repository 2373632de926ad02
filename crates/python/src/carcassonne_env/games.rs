//! The games of a batch, of one edition and one version of the numbers.

use super::arrays::{Arrays, GivenPlanes, MOST_SLOTS, Observation, bytes_per_game};
use super::sub_envs::{CHUNK, Chunk, Reset, Rows, Rules, SavedGame, Seeds};
use super::{AnyGame, CarcassonneState, OfEdition, refusal};
use crate::arrays::one_each;
use crate::errors::{IllegalActionError, check_started, no_such_game, value_error};
use crate::interruptible::interruptible;
use crate::options::Illegal;
use crate::pool::Pool;
use bots::roster::Playable;
use carcassonne::tensor::Tensors;
use carcassonne::{Edition, Options, Position};
use game::{Player, Random};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use search::Stop;
use std::sync::{Mutex, PoisonError};

/// The most games of one batch.
const MOST_GAMES: usize = 1_000_000;

/// The most memory of one batch.
const MOST_BYTES: usize = 16 << 30;

/// What a batch is made of beside its rules.
pub(super) struct BatchOptions<'a> {
    pub(super) count: usize,
    pub(super) observation: Observation,
    pub(super) mask: bool,
    pub(super) threads: Option<usize>,
    pub(super) opponent: Option<&'a str>,
    pub(super) learner: Option<usize>,
}

pub(super) struct Games<E: Edition, T> {
    rules: Rules<E>,
    count: usize,
    chunks: Vec<Chunk<E, T>>,
    pool: Pool,
    arrays: Arrays,
    seat: LearnerSeat,
    random: Random,
    started: bool,
}

/// Which seat learns when the others are played for.
#[derive(Clone, Copy)]
pub(super) enum LearnerSeat {
    Everyone,
    Fixed(Player),
    /// Game i has seat i modulo the players.
    Spread,
}

pub(super) type Legal<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i64>>);

impl LearnerSeat {
    fn of(self, env: usize, players: usize) -> Option<Player> {
        match self {
            Self::Everyone => None,
            Self::Fixed(player) => Some(player),
            Self::Spread => Some(Player::new(env % players)),
        }
    }
}

impl<E: Playable, T: Tensors<E>> Games<E, T> {
    pub(super) fn new(
        py: Python<'_>,
        rules: Rules<E>,
        options: &BatchOptions<'_>,
    ) -> PyResult<Self> {
        let BatchOptions { count, observation, mask, threads, opponent, learner } = *options;
        check_size(count, &rules, observation, mask)?;
        let seat = seat_of(rules.setup.rules().players(), opponent, learner)?;
        let mut chunks = Vec::new();
        for first in (0..count).step_by(CHUNK) {
            let rival = opponent.map(|spec| crate::bot::make::<E>(spec, &rules.setup));
            chunks.push(Chunk::new(&rules, first, CHUNK.min(count - first), rival.transpose()?));
        }
        let arrays = Arrays::new(py, count, &rules, observation, mask);
        let (pool, random) = (Pool::new(threads)?, Random::new(0));
        Ok(Self { rules, count, chunks, pool, arrays, seat, random, started: false })
    }

    pub(super) fn named_arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.arrays.named(py)
    }

    pub(super) fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seeds: Seeds<'_>,
        only: Option<&PyReadonlyArray1<'py, bool>>,
        planes: Option<&GivenPlanes<'py>>,
    ) -> PyResult<Legal<'py>> {
        if let Seeds::Each(seeds) = seeds
            && seeds.len() != self.count
        {
            let (found, wanted) = (seeds.len(), self.count);
            return Err(value_error(format!("seed: expected {wanted} seeds, found {found}")));
        }
        let only = match only {
            Some(only) => {
                check_started(self.started)?;
                Some(one_each(only, self.count)?)
            }
            None => None,
        };
        self.run(py, planes, |chunk, first, rules, seat, stop, rows| {
            let learner = |env| seat.of(env, rules.setup.rules().players());
            let chosen = only.map(|only| &only[first..]);
            let reset = Reset { seeds, first, only: chosen, starts: None };
            chunk.reset(rules, reset, learner, stop, rows);
        })?;
        if let Some(seed) = seeds.first() {
            self.random = Random::new(!seed);
        }
        self.started = true;
        self.legal(py)
    }

    /// Puts games into states; the others stay as they are.
    pub(super) fn set_states<'py>(
        &mut self,
        py: Python<'py>,
        states: &[&CarcassonneState],
        games: Option<&[i64]>,
        seed: Option<u64>,
        planes: Option<&GivenPlanes<'py>>,
    ) -> PyResult<Legal<'py>>
    where
        E: OfEdition,
    {
        if games.is_some() {
            check_started(self.started)?;
        }
        let indices = indices(games, states.len(), self.count)?;
        let (mut starts, mut only) = (vec![None; self.count], vec![false; self.count]);
        for (at, (index, state)) in indices.into_iter().zip(states).enumerate() {
            let position = self
                .position(state)
                .map_err(|error| value_error(format!("states[{at}]: {error}")))?;
            starts[index] = Some((position, state.history.as_slice()));
            only[index] = true;
        }
        let seeds = seed.map_or(Seeds::Going, Seeds::One);
        self.run(py, planes, |chunk, first, rules, seat, stop, rows| {
            let learner = |env| seat.of(env, rules.setup.rules().players());
            let (only, starts) = (Some(&only[first..]), Some(&starts[first..]));
            chunk.reset(rules, Reset { seeds, first, only, starts }, learner, stop, rows);
        })?;
        if let Some(seed) = seed {
            self.random = Random::new(!seed);
        }
        self.started = true;
        self.legal(py)
    }

    /// The position of a state, if it is one of games like these.
    fn position<'a>(&self, state: &'a CarcassonneState) -> Result<&'a Position<E>, String>
    where
        E: OfEdition,
    {
        let (own, found) = (self.rules.setup.to_string(), state.game.setup().to_string());
        let position = E::position(&state.game).filter(|_| own == found);
        let position = position
            .ok_or_else(|| format!("its setup is '{found}', that of the batch is '{own}'"))?;
        let (own, found) = (self.rules.numbering.version(), state.numbering.version());
        match own == found {
            true => Ok(position),
            false => Err(format!(
                "its tensors are '{}', those of the batch are '{}'",
                found.name(),
                own.name()
            )),
        }
    }

    pub(super) fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &PyReadonlyArray1<'py, i64>,
        planes: Option<&GivenPlanes<'py>>,
    ) -> PyResult<Legal<'py>> {
        check_started(self.started)?;
        let actions = one_each(actions, self.count)?;
        if self.rules.illegal == Illegal::Raise {
            self.refuse_illegal(actions)?;
        }
        self.run(py, planes, |chunk, first, rules, _, stop, rows| {
            chunk.step(rules, &actions[first..first + chunk.envs.len()], stop, rows);
        })?;
        self.legal(py)
    }

    pub(super) fn sample_actions(&mut self) -> PyResult<Vec<i64>> {
        check_started(self.started)?;
        let mut actions = Vec::with_capacity(self.count);
        for chunk in &self.chunks {
            for env in 0..chunk.envs.len() {
                let picked = self.random.pick(chunk.legal_of(env)).copied().unwrap_or(0);
                actions.push(i64::from(picked));
            }
        }
        Ok(actions)
    }

    pub(super) fn state(&self, index: usize) -> PyResult<CarcassonneState>
    where
        AnyGame: for<'a> From<&'a Position<E>>,
    {
        check_started(self.started)?;
        let env = self.chunks.get(index / CHUNK).and_then(|b| b.envs.get(index % CHUNK));
        let env = env.ok_or_else(|| no_such_game(index, self.count))?;
        let game = AnyGame::from(&env.game);
        Ok(CarcassonneState::from_parts(game, self.rules.numbering, &env.moves))
    }

    /// Copies of games, of all if none are named.
    pub(super) fn states(&self, games: Option<&[i64]>) -> PyResult<Vec<CarcassonneState>>
    where
        AnyGame: for<'a> From<&'a Position<E>>,
    {
        check_started(self.started)?;
        let length = games.map_or(self.count, <[i64]>::len);
        let indices = indices(games, length, self.count)?;
        indices.into_iter().map(|index| self.state(index)).collect()
    }

    pub(super) fn saved(&self) -> (bool, u64, Vec<SavedGame>) {
        let setup = self.rules.setup;
        let envs = self.chunks.iter().flat_map(|chunk| &chunk.envs);
        let saved = envs.take_while(|_| self.started).map(|env| env.saved(&setup)).collect();
        (self.started, self.random.seed(), saved)
    }

    /// Goes on from what `saved` gave. After an error only closing is of use.
    pub(super) fn restore(
        &mut self,
        py: Python<'_>,
        started: bool,
        random: u64,
        saved: &[SavedGame],
    ) -> PyResult<Result<(), PyErr>> {
        self.random = Random::new(random);
        if !started {
            return Ok(Ok(()));
        }
        if saved.len() != self.count {
            let (found, wanted) = (saved.len(), self.count);
            return Err(value_error(format!("{found} games were saved, the batch has {wanted}")));
        }
        let failed = Mutex::new(None);
        self.run(py, None, |chunk, first, rules, seat, _, rows| {
            let learner = |env| seat.of(env, rules.setup.rules().players());
            if let Err(error) = chunk.restore(rules, &saved[first..], first, learner, rows) {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        })?;
        self.started = true;
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(failed.map_or(Ok(()), |error| Err(value_error(error))))
    }

    pub(super) fn threads(&self) -> usize {
        self.pool.threads()
    }

    pub(super) fn setup(&self) -> String {
        self.rules.setup.to_string()
    }

    pub(super) fn tensors(&self) -> &'static str {
        self.rules.numbering.version().name()
    }

    pub(super) fn bytes_per_env(&self) -> usize {
        let Arrays { observation, mask, .. } = &self.arrays;
        bytes_per_game(&self.rules, *observation, mask.is_some())
    }

    fn refuse_illegal(&self, actions: &[i64]) -> PyResult<()> {
        for (index, chunk) in self.chunks.iter().enumerate() {
            if let Some(env) = chunk.first_illegal(&actions[index * CHUNK..]) {
                let at = index * CHUNK + env;
                let reason = refusal(&chunk.envs[env].game, self.rules.numbering, actions[at]);
                return Err(IllegalActionError::new_err(format!("game {at}: {reason}")));
            }
        }
        Ok(())
    }

    /// Lets `work` step each chunk, without the interpreter's lock.
    fn run(
        &mut self,
        py: Python<'_>,
        planes: Option<&GivenPlanes<'_>>,
        work: impl Fn(&mut Chunk<E, T>, usize, &Rules<E>, LearnerSeat, &Stop, Rows<'_>) + Sync + Send,
    ) -> PyResult<()> {
        let Self { rules, chunks, pool, arrays, seat, count, .. } = self;
        let slot = planes.map(|planes| planes.slot).unwrap_or_default();
        if slot.at >= MOST_SLOTS {
            return Err(value_error(format!("there are {MOST_SLOTS} arrays of planes at most")));
        }
        let mut open = arrays.open(py, *count, planes)?;
        let mut rows = open.rows()?;
        let mut jobs: Vec<(usize, &mut Chunk<E, T>, Option<Rows<'_>>)> = chunks
            .iter_mut()
            .enumerate()
            .map(|(index, chunk)| {
                let cut = rows.next(chunk.envs.len());
                (index * CHUNK, chunk, Some(cut))
            })
            .collect();
        let (rules, seat) = (&*rules, *seat);
        let mut each = |jobs: &mut [_], stop: &Stop| {
            pool.each(
                jobs,
                |(first, chunk, rows): &mut (usize, &mut Chunk<E, T>, Option<Rows<'_>>)| {
                    if let Some(rows) = rows.take() {
                        chunk.write_into(slot);
                        work(chunk, *first, rules, seat, stop, rows);
                    }
                },
            )
        };
        // Only players at other seats may think for long.
        let done = match seat {
            LearnerSeat::Everyone => Ok(py.detach(|| each(&mut jobs, &Stop::new()))),
            _ => interruptible(py, |stop| each(&mut jobs, stop)),
        };
        let failure = chunks.iter_mut().find_map(|chunk| chunk.failure.take());
        done?.map_err(value_error)?;
        failure.map_or(Ok(()), |failure| Err(PyRuntimeError::new_err(failure.to_string())))
    }

    /// All legal actions, and where each game's begin (and the last one's end).
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Legal<'py>> {
        let total = self.chunks.iter().map(|chunk| chunk.legal.len()).sum();
        let mut actions = Vec::with_capacity(total);
        let mut offsets = Vec::with_capacity(self.count + 1);
        offsets.push(0);
        for chunk in &self.chunks {
            let first = actions.len() as i64;
            actions.extend_from_slice(&chunk.legal);
            offsets.extend(chunk.ends.iter().map(|end| first + i64::from(*end)));
        }
        Ok((PyArray1::from_vec(py, actions), PyArray1::from_vec(py, offsets)))
    }
}

/// Refuses batches that no machine holds, before anything is allocated.
fn check_size<E: Edition>(
    games: usize,
    rules: &Rules<E>,
    observation: Observation,
    mask: bool,
) -> PyResult<()> {
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

/// The numbers of games: those named, each once, or all of them.
pub(crate) fn indices(games: Option<&[i64]>, states: usize, count: usize) -> PyResult<Vec<usize>> {
    let Some(games) = games else {
        return match states == count {
            true => Ok((0..count).collect()),
            false => Err(value_error(format!(
                "expected {count} states, one for each game, found {states}; \
                 name the games to set fewer"
            ))),
        };
    };
    if games.len() != states {
        let named = games.len();
        return Err(value_error(format!("games: expected shape ({states},), found ({named},)")));
    }
    let mut seen = vec![false; count];
    let index = |game: &i64| {
        let known = usize::try_from(*game).ok().filter(|index| *index < count);
        let index = known.ok_or_else(|| {
            PyIndexError::new_err(format!(
                "games: index {game} is out of bounds for a batch of {count} games"
            ))
        })?;
        match std::mem::replace(&mut seen[index], true) {
            true => Err(value_error(format!("games: game {index} is named twice"))),
            false => Ok(index),
        }
    };
    games.iter().map(index).collect()
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
