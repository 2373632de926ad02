//! Many games side by side: what one step does to each, and what it writes about each.

use super::arrays::Slot;
use super::dealer::{stream, turn_seed};
use crate::options::{Autoreset, Illegal, Reward};
use carcassonne::tensor::{Numbering, Tensors};
use carcassonne::{Edition, Interpreted, Move, Position};
use game::{ByPlayer, Game, Player, Random, Record, Turn, ignore};
use search::{Agent, Limits, Stop};
use std::fmt;
use std::ops::Range;

/// Games that one thread steps together. Their number is fixed, so that players with chance of
/// their own give the same games on any number of threads.
pub(super) const CHUNK: usize = 32;

/// How games are played and rewarded.
#[derive(Clone, Copy)]
pub(super) struct Rules<E: Edition> {
    pub(super) setup: E::Setup,
    pub(super) numbering: Numbering,
    pub(super) reward: Reward,
    pub(super) autoreset: Autoreset,
    pub(super) illegal: Illegal,
    pub(super) penalty: f32,
    /// Limits of the players at the other seats.
    pub(super) limits: Limits,
    /// Whether the caller gives an array for the planes at every step.
    pub(super) fresh: bool,
}

impl<E: Edition> Rules<E> {
    /// The same for another edition.
    pub(super) fn with_setup<F: Edition>(self, setup: F::Setup) -> Rules<F> {
        let Self { numbering, reward, autoreset, illegal, penalty, limits, fresh, .. } = self;
        Rules { setup, numbering, reward, autoreset, illegal, penalty, limits, fresh }
    }
}

/// One game.
pub(super) struct SubEnv<E: Edition, T> {
    pub(super) game: Position<E>,
    pub(super) moves: Vec<Move>,
    random: Random,
    tensors: T,
    /// What was last written into each of the arrays of planes.
    planes: Vec<T>,
    /// Which seat learns, if the others are played for.
    learner: Option<Player>,
    pub(super) over: bool,
}

/// What a copy of a game is made of: its record, its dealer, and whether it is over (a game may be
/// ended by an illegal action).
pub(super) type SavedGame = (String, u64, bool);

/// Who plays the seats that do not learn.
pub(super) type Rival<E> = Box<dyn Agent<Position<E>>>;

/// A position to start from, and the moves that led to it.
pub(super) type Start<'a, E> = (&'a Position<E>, &'a [Move]);

/// How the dealers of games are seeded.
#[derive(Clone, Copy)]
pub(super) enum Seeds<'a> {
    /// They continue.
    Going,
    /// One seed for all: each game has its own stream of it.
    One(u64),
    /// A seed for each game, whose first stream it gets; those without one continue.
    Each(&'a [Option<u64>]),
}

impl Seeds<'_> {
    /// The generator of a game, unless its own continues.
    fn of(self, game: usize) -> Option<Random> {
        match self {
            Self::Going => None,
            Self::One(seed) => Some(stream(seed, game as u64)),
            Self::Each(seeds) => seeds[game].map(|seed| stream(seed, 0)),
        }
    }

    /// A seed for what games share.
    pub(super) fn first(self) -> Option<u64> {
        match self {
            Self::Going => None,
            Self::One(seed) => Some(seed),
            Self::Each(seeds) => seeds.iter().flatten().next().copied(),
        }
    }
}

/// Which games are reset, and how.
pub(super) struct Reset<'a, E: Edition> {
    pub(super) seeds: Seeds<'a>,
    /// The number of the first env in the whole batch.
    pub(super) first: usize,
    /// A flag for each env: the others stay as they are.
    pub(super) only: Option<&'a [bool]>,
    /// Where each env starts; none for the start of a game.
    pub(super) starts: Option<&'a [Option<Start<'a, E>>]>,
}

/// Games that are stepped together, with their legal actions.
pub(super) struct Chunk<E: Edition, T> {
    pub(super) envs: Vec<SubEnv<E, T>>,
    /// The legal actions of all envs, one env after the other.
    pub(super) legal: Vec<i32>,
    /// Where each env's legal actions end.
    pub(super) ends: Vec<u32>,
    /// Legal actions before the step, by which masks are wiped.
    before: (Vec<i32>, Vec<u32>),
    listed: Vec<Move>,
    /// Which array the planes go into.
    slot: usize,
    /// Plays the seats that do not learn.
    rival: Option<Rival<E>>,
    /// What a player at another seat did wrong, if one did.
    pub(super) failure: Option<RivalError>,
}

/// Where a chunk writes: a row for each env.
pub(super) struct Rows<'a> {
    pub(super) reward: &'a mut [f32],
    pub(super) terminated: &'a mut [bool],
    pub(super) illegal: &'a mut [bool],
    pub(super) seat: &'a mut [i8],
    pub(super) scores: &'a mut [i32],
    pub(super) final_scores: &'a mut [i32],
    pub(super) globals: Option<&'a mut [i16]>,
    pub(super) compact: Option<&'a mut [i16]>,
    pub(super) planes: Option<&'a mut [u8]>,
    pub(super) mask: Option<&'a mut [i8]>,
}

/// The row of an env in an array of all envs.
fn row<T>(array: &mut [T], envs: usize, env: usize) -> &mut [T] {
    let wide = array.len() / envs;
    &mut array[env * wide..][..wide]
}

impl<E: Edition, T: Tensors<E>> SubEnv<E, T> {
    fn new(rules: &Rules<E>, index: usize) -> Self {
        Self {
            game: Position::new(&rules.setup),
            moves: Vec::new(),
            random: stream(0, index as u64),
            tensors: T::default(),
            planes: vec![T::default()],
            learner: None,
            over: false,
        }
    }

    fn restart(&mut self, rules: &Rules<E>) {
        self.game = Position::new(&rules.setup);
        self.moves.clear();
        self.tensors.forget();
        self.planes.iter_mut().for_each(T::forget);
        self.over = false;
    }

    /// Whose view is written: the learner's, also of the end of a game.
    #[inline]
    fn viewer(&self) -> Player {
        self.learner.unwrap_or_else(|| self.game.player())
    }

    #[inline]
    fn play(&mut self, m: Move) {
        self.game.play_unchecked(m, ignore);
        self.moves.push(m);
    }

    pub(super) fn saved(&self, setup: &E::Setup) -> SavedGame {
        let record = Record::<Position<E>>::with_moves(*setup, self.moves.clone());
        (record.to_string(), self.random.seed(), self.over)
    }

    /// Takes up the game of a record; the record is checked move by move.
    fn take_up(
        &mut self,
        rules: &Rules<E>,
        record: &str,
        random: u64,
        over: bool,
        learner: Option<Player>,
    ) -> Result<(), SavedGameError> {
        let read = Interpreted::<E>::read(record, &E::Setup::default());
        let read = read.map_err(SavedGameError::Record)?;
        read.record.must_begin_at_start().map_err(SavedGameError::Laid)?;
        if read.record.setup != rules.setup {
            return Err(SavedGameError::Setup(read.record.setup.to_string()));
        }
        let wanted = match (read.game.turn(), learner) {
            (Turn::Over, _) => over,
            (Turn::Chance, _) => false,
            (Turn::Player(player), Some(learner)) => over || player == learner,
            (Turn::Player(_), None) => true,
        };
        if !wanted {
            return Err(SavedGameError::NoDecision);
        }
        self.restart(rules);
        (self.game, self.moves) = (read.game, read.record.moves);
        (self.random, self.learner, self.over) = (Random::new(random), learner, over);
        Ok(())
    }

    /// Lets chance and the other seats play until a decision is wanted or the game is over.
    #[inline]
    fn advance(
        &mut self,
        rules: &Rules<E>,
        rival: &mut Option<Rival<E>>,
        stop: &Stop,
    ) -> Result<(), RivalError> {
        loop {
            match (self.game.turn(), self.learner) {
                (Turn::Over, _) => {
                    self.over = true;
                    return Ok(());
                }
                (Turn::Chance, _) => {
                    if let Some(m) = self.game.sample_outcome(&mut self.random) {
                        self.play(m);
                    }
                }
                (Turn::Player(player), Some(learner)) if player != learner => {
                    let Some(agent) = rival else { return Ok(()) };
                    // A seed of its own for every turn, so that a copy of the game continues alike.
                    agent.new_game(&self.game, turn_seed(&self.random));
                    let report = agent.search(&self.game, &rules.limits, stop);
                    if report.turn.is_empty() {
                        return Err(RivalError::NoTurn(player));
                    }
                    for m in report.turn {
                        if !self.game.is_legal(m) {
                            return Err(RivalError::Illegal(player, m));
                        }
                        self.play(m);
                    }
                }
                (Turn::Player(_), _) => return Ok(()),
            }
        }
    }
}

impl<E: Edition, T: Tensors<E>> Chunk<E, T> {
    /// So many games, the first of which has this number in the batch.
    pub(super) fn new(
        rules: &Rules<E>,
        first: usize,
        envs: usize,
        rival: Option<Rival<E>>,
    ) -> Self {
        Self {
            envs: (first..first + envs).map(|index| SubEnv::new(rules, index)).collect(),
            legal: Vec::new(),
            ends: vec![0; envs],
            before: (Vec::new(), vec![0; envs]),
            listed: Vec::new(),
            slot: 0,
            rival,
            failure: None,
        }
    }

    /// Chooses the array that planes go into from now on.
    pub(super) fn write_into(&mut self, slot: Slot) {
        self.slot = slot.at;
        for env in &mut self.envs {
            if env.planes.len() <= slot.at {
                env.planes.resize(slot.at + 1, T::default());
            }
            if slot.new {
                env.planes[slot.at].forget();
            }
        }
    }

    /// The legal actions of an env.
    pub(super) fn legal_of(&self, env: usize) -> &[i32] {
        let start = if env == 0 { 0 } else { self.ends[env - 1] };
        &self.legal[start as usize..self.ends[env] as usize]
    }

    /// Resets games.
    pub(super) fn reset(
        &mut self,
        rules: &Rules<E>,
        Reset { seeds, first, only, starts }: Reset<'_, E>,
        learner: impl Fn(usize) -> Option<Player>,
        stop: &Stop,
        mut rows: Rows<'_>,
    ) {
        self.keep_legal();
        for at in 0..self.envs.len() {
            if only.is_some_and(|only| !only[at]) {
                let (legal, _) = &self.before;
                self.legal.extend_from_slice(&legal[self.legal_before(at)]);
                self.ends[at] = self.legal.len() as u32;
                if rules.fresh {
                    self.list(at);
                    self.write_planes(rules, at, &mut rows);
                }
                continue;
            }
            let env = &mut self.envs[at];
            if let Some(random) = seeds.of(first + at) {
                env.random = random;
            }
            env.learner = learner(first + at);
            env.restart(rules);
            if let Some((game, moves)) = starts.and_then(|starts| starts[at]) {
                env.game = game.clone();
                env.moves.extend_from_slice(moves);
            }
            self.advance(rules, at, stop);
            let env = &self.envs[at];
            let (terminated, scores) = (env.over, env.game.scores());
            let final_scores = terminated.then_some(scores);
            let result = StepResult { terminated, final_scores, ..StepResult::default() };
            self.write(rules, at, &mut rows, result);
        }
    }

    /// Takes up games where copies left off; `first` is the number of the first env.
    pub(super) fn restore(
        &mut self,
        rules: &Rules<E>,
        saved: &[SavedGame],
        first: usize,
        learner: impl Fn(usize) -> Option<Player>,
        mut rows: Rows<'_>,
    ) -> Result<(), SavedGameError> {
        self.keep_legal();
        for (at, (record, random, over)) in saved.iter().enumerate().take(self.envs.len()) {
            let env = &mut self.envs[at];
            env.take_up(rules, record, *random, *over, learner(first + at))?;
            self.write(rules, at, &mut rows, StepResult::default());
        }
        Ok(())
    }

    /// Puts the legal actions aside as those of before.
    fn keep_legal(&mut self) {
        std::mem::swap(&mut self.before.0, &mut self.legal);
        std::mem::swap(&mut self.before.1, &mut self.ends);
        self.legal.clear();
    }

    /// Where an env's legal actions of before are.
    fn legal_before(&self, env: usize) -> Range<usize> {
        let start = if env == 0 { 0 } else { self.before.1[env - 1] };
        start as usize..self.before.1[env] as usize
    }

    /// The first env whose action is not legal.
    pub(super) fn first_illegal(&self, actions: &[i64]) -> Option<usize> {
        (0..self.envs.len()).find(|env| !self.allows(*env, actions[*env]))
    }

    #[inline]
    fn allows(&self, env: usize, action: i64) -> bool {
        self.envs[env].over || self.legal_of(env).iter().any(|legal| i64::from(*legal) == action)
    }

    /// Plays an action in every game.
    pub(super) fn step(
        &mut self,
        rules: &Rules<E>,
        actions: &[i64],
        stop: &Stop,
        mut rows: Rows<'_>,
    ) {
        // Whether an action is legal is asked of the list of before, which the step replaces.
        let legal: [bool; CHUNK] =
            std::array::from_fn(|env| env < self.envs.len() && self.allows(env, actions[env]));
        self.keep_legal();
        for at in 0..self.envs.len() {
            let result = self.step_lane(rules, at, actions[at], legal[at], stop);
            self.write(rules, at, &mut rows, result);
        }
    }

    #[inline]
    fn step_lane(
        &mut self,
        rules: &Rules<E>,
        at: usize,
        action: i64,
        legal: bool,
        stop: &Stop,
    ) -> StepResult {
        let env = &mut self.envs[at];
        if env.over {
            if rules.autoreset == Autoreset::NextStep {
                env.restart(rules);
                self.advance(rules, at, stop);
                return StepResult::default();
            }
            return StepResult { terminated: true, ..StepResult::default() };
        }
        let mut result = StepResult::default();
        let before = env.game.scores();
        if legal {
            let m = u32::try_from(action).ok().and_then(|number| rules.numbering.action(number));
            env.play(m.expect("a legal action has a move"));
            self.advance(rules, at, stop);
        } else {
            result.illegal = true;
            result.reward[env.game.player().index()] -= rules.penalty;
            env.over = rules.illegal == Illegal::Terminate;
        }
        let env = &mut self.envs[at];
        result.add_rewards(rules, &env.game, &before, env.over && legal);
        if env.over {
            result.terminated = true;
            result.final_scores = Some(env.game.scores());
            if rules.autoreset == Autoreset::SameStep {
                env.restart(rules);
                self.advance(rules, at, stop);
            }
        }
        result
    }

    #[inline]
    fn advance(&mut self, rules: &Rules<E>, at: usize, stop: &Stop) {
        if let Err(failure) = self.envs[at].advance(rules, &mut self.rival, stop) {
            self.envs[at].over = true;
            self.failure = Some(failure);
        }
    }

    /// Lists the legal moves of an env.
    #[inline]
    fn list(&mut self, at: usize) {
        self.listed.clear();
        self.envs[at].game.moves(&mut self.listed);
    }

    /// Lists the legal actions of an env and writes its rows.
    #[inline]
    fn write(&mut self, rules: &Rules<E>, at: usize, rows: &mut Rows<'_>, result: StepResult) {
        let (envs, first) = (self.envs.len(), self.legal.len());
        self.list(at);
        // A game that an illegal action ended has moves, but none are legal.
        if !self.envs[at].over {
            let number = |m: &Move| rules.numbering.number(*m).map(|number| number as i32);
            self.legal.extend(self.listed.iter().filter_map(number));
        }
        self.ends[at] = self.legal.len() as u32;
        if let Some(mask) = &mut rows.mask {
            let mask = row(mask, envs, at);
            for action in &self.before.0[self.legal_before(at)] {
                mask[*action as usize] = 0;
            }
            for action in &self.legal[first..] {
                mask[*action as usize] = 1;
            }
        }
        let viewer = self.envs[at].viewer();
        let SubEnv { game, tensors, over, .. } = &mut self.envs[at];
        if let Some(array) = &mut rows.compact {
            tensors.compact(game, viewer, rules.numbering, row(array, envs, at));
        }
        if let Some(array) = &mut rows.globals {
            tensors.globals(game, viewer, row(array, envs, at));
        }
        rows.terminated[at] = result.terminated;
        rows.illegal[at] = result.illegal;
        rows.seat[at] = if *over { -1 } else { viewer.index() as i8 };
        let players = game.players();
        row(rows.reward, envs, at).copy_from_slice(&result.reward[..players]);
        row(rows.scores, envs, at).copy_from_slice(game.scores().as_slice());
        if let Some(scores) = result.final_scores {
            row(rows.final_scores, envs, at).copy_from_slice(scores.as_slice());
        }
        self.write_planes(rules, at, rows);
    }

    /// Brings the planes of an env up to date, from its legal moves.
    #[inline]
    fn write_planes(&mut self, rules: &Rules<E>, at: usize, rows: &mut Rows<'_>) {
        let envs = self.envs.len();
        if let Some(array) = &mut rows.planes {
            let (viewer, array) = (self.envs[at].viewer(), row(array, envs, at));
            let SubEnv { game, planes, .. } = &mut self.envs[at];
            planes[self.slot].planes(game, viewer, rules.numbering, &self.listed, array);
        }
    }
}

/// What a step did to a game.
#[derive(Clone, Copy, Default)]
struct StepResult {
    reward: [f32; game::MAX_PLAYERS],
    terminated: bool,
    illegal: bool,
    final_scores: Option<ByPlayer<i32>>,
}

impl StepResult {
    #[inline]
    fn add_rewards<E: Edition>(
        &mut self,
        rules: &Rules<E>,
        game: &Position<E>,
        before: &ByPlayer<i32>,
        over: bool,
    ) {
        if rules.reward == Reward::Points {
            for (player, points) in game.scores().iter() {
                self.reward[player.index()] += (points - before[player]) as f32;
            }
        } else if over {
            let scores = game.scores();
            for (player, _) in scores.iter() {
                self.reward[player.index()] += rules.reward.at_end(&scores, player);
            }
        }
    }
}

/// Why a saved game cannot be restored.
pub(super) enum SavedGameError {
    Record(carcassonne::InterpretError),
    /// It begins with a position laid by hand.
    Laid(String),
    /// It has another setup than the batch.
    Setup(String),
    /// It stops where no decision of the learner is wanted.
    NoDecision,
}

impl fmt::Display for SavedGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(error) => error.fmt(f),
            Self::Laid(reason) => f.write_str(reason),
            Self::Setup(setup) => write!(f, "a saved game has the setup {setup}"),
            Self::NoDecision => {
                f.write_str("a saved game stops where no decision of the learner is wanted")
            }
        }
    }
}

/// A player at another seat that broke its contract.
pub(super) enum RivalError {
    NoTurn(Player),
    Illegal(Player, Move),
}

impl fmt::Display for RivalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTurn(player) => write!(f, "the player at seat {player} gave no turn"),
            Self::Illegal(player, m) => write!(f, "the player at seat {player} played {m}"),
        }
    }
}
