//! Players of Carcassonne by name, with parameters: `best`, `net`, `mcts:c=0.7`.

use crate::any_evaluator::AnyEvaluator;
use crate::error::BotError;
use crate::levels::{Faults, HumanLike, LEVELS, Level, Sight};
use crate::net::Net;
use crate::nets;
use crate::review::{
    Attempt, AttemptError, Depth, DrawReview, Review, ReviewError, Step, compare_turn_of, draws_of,
    review_of, tempting_turn_of,
};
use crate::value::{Heuristic, Learned, Projection};
use carcassonne::{AllSets, Base, Edition, Move, Options, Position};
use game::{Game, Record};
use search::{
    Agent, Expectimax, ExpectimaxParams, GreedyParams, Limits, Lookahead, LookaheadParams, Pruning,
    Solver, Stop, Uniform, WithEndings,
};
#[cfg(feature = "trees")]
use search::{Parallel, Puct, PuctParams, Rollouts, RolloutsParams, Uct, UctParams};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A player by name, with parameters: `name` or `name:key=value,key=value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotSpec {
    /// Which player.
    pub name: String,
    /// Its parameters.
    pub params: Vec<(String, String)>,
}

/// What can be played against beside the levels, each with a line about it. Every bot also takes
/// `threads=N`, the most it may think on: those that search use them.
pub const NAMES: [(&str, &str); 11] = [
    ("random", "any legal move"),
    ("greedy", "one ply on the projected score; meeple=POINTS in hand"),
    ("heuristic", "one ply on a hand-made evaluation"),
    ("net", "one ply on the learned evaluation; file=NET"),
    ("mcts", "UCT with random playouts; c=CONSTANT"),
    ("star", "expectimax with Star2.5 on the net; prune=none|star1|star2|star2.5, width=N, root=N"),
    ("look", "two turns over all draws, near-ties played on; width=N, tie=POINTS, on=TURNS"),
    ("puct", "tree search over whole turns on the net; c=, t=, width=, root="),
    (
        "rollouts",
        "its best turns played on evenly, to measure others; width=N, turns=N, rounds=N, draws=N",
    ),
    (
        "person",
        "one ply with faults; sight=points|hopes|experience, fields=, rivals=, eager=, noise=",
    ),
    ("best", "the strongest we have, with exact endings; search=look|puct and theirs"),
];

impl FromStr for BotSpec {
    type Err = BotError;

    fn from_str(text: &str) -> Result<Self, BotError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let param = |pair: &str| {
            let (key, value) = pair.split_once('=')?;
            Some((key.to_owned(), value.to_owned()))
        };
        let params: Option<Vec<_>> =
            rest.split(',').filter(|pair| !pair.is_empty()).map(param).collect();
        let params = params.ok_or_else(|| BotError::Params(text.to_owned()))?;
        let twice = |at: &usize| params[..*at].iter().any(|(key, _)| *key == params[*at].0);
        if let Some(at) = (0..params.len()).find(twice) {
            let key = params[at].0.clone();
            return Err(BotError::Twice { spec: text.to_owned(), key });
        }
        Ok(Self { name: name.to_owned(), params })
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (key, value)) in self.params.iter().enumerate() {
            write!(f, "{}{key}={value}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

/// The most threads a player may think on.
pub const MOST_THREADS: usize = if cfg!(target_family = "wasm") { 1 } else { 256 };

/// A player of Carcassonne, with sets or without.
pub type BoxedAgent<E = Base> = Box<dyn Agent<Position<E>>>;

/// Makes a player for games with this setup.
///
/// # Errors
/// If the name or a parameter is unknown; the error says what is known.
pub fn make<E: Playable>(spec: &BotSpec, setup: &E::Setup) -> Result<BoxedAgent<E>, BotError> {
    E::make_bot(spec, setup)
}

/// An edition that bots play. Bots are compiled here, with this crate's optimisation; a generic
/// function would be compiled again in every crate that calls it, with the optimisation of that one.
pub trait Playable: Edition {
    /// Makes a player for games with this setup, as [`make`] does.
    #[doc(hidden)]
    fn make_bot(spec: &BotSpec, setup: &Self::Setup) -> Result<BoxedAgent<Self>, BotError>;

    /// Reviews a game, as [`review`](crate::review::review) does.
    #[doc(hidden)]
    fn review(
        record: &Record<Position<Self>>,
        depth: Depth,
        stop: &Stop,
        each: &mut dyn FnMut(&Step, usize, usize),
    ) -> Result<Review, ReviewError>;

    /// The draws of a game, as [`draws`](crate::review::draws) gives them.
    #[doc(hidden)]
    fn draws(record: &Record<Position<Self>>, stop: &Stop) -> Result<Vec<DrawReview>, ReviewError>;

    /// Values a turn that is tried, as [`compare_turn`](crate::review::compare_turn) does.
    #[doc(hidden)]
    fn compare_turn(
        record: &Record<Position<Self>>,
        plies: usize,
        turns: [&[Move]; 2],
        depth: Depth,
        stop: &Stop,
    ) -> Result<Attempt, AttemptError>;

    /// The turn that looks best at first sight, as [`tempting_turn`](crate::review::tempting_turn) finds it.
    #[doc(hidden)]
    fn tempting_turn(
        record: &Record<Position<Self>>,
        plies: usize,
        but: &[Vec<Move>],
    ) -> Result<Option<Vec<Move>>, AttemptError>;
}

/// The same for each edition: written once, compiled for each.
macro_rules! playable {
    ($($edition:ty),*) => {$(
        impl Playable for $edition {
            fn make_bot(
                spec: &BotSpec,
                setup: &Self::Setup,
            ) -> Result<BoxedAgent<Self>, BotError> {
                make_of(spec, setup)
            }

            fn review(
                record: &Record<Position<Self>>,
                depth: Depth,
                stop: &Stop,
                each: &mut dyn FnMut(&Step, usize, usize),
            ) -> Result<Review, ReviewError> {
                review_of(record, depth, stop, each)
            }

            fn draws(
                record: &Record<Position<Self>>,
                stop: &Stop,
            ) -> Result<Vec<DrawReview>, ReviewError> {
                draws_of(record, stop)
            }

            fn compare_turn(
                record: &Record<Position<Self>>,
                plies: usize,
                turns: [&[Move]; 2],
                depth: Depth,
                stop: &Stop,
            ) -> Result<Attempt, AttemptError> {
                compare_turn_of(record, plies, turns, depth, stop)
            }

            fn tempting_turn(
                record: &Record<Position<Self>>,
                plies: usize,
                but: &[Vec<Move>],
            ) -> Result<Option<Vec<Move>>, AttemptError> {
                tempting_turn_of(record, plies, but)
            }
        }
    )*};
}

playable!(Base, AllSets);

fn make_of<E: Edition>(spec: &BotSpec, setup: &E::Setup) -> Result<BoxedAgent<E>, BotError> {
    let mut given = Params::of(spec)?;
    let player = build::<E>(&mut given, setup)?;
    given.all_used()?;
    Ok(player)
}

/// What is to be said of the net that a bot plays this setup with: `None` if it was trained for it, or
/// if the bot needs none.
#[must_use]
pub fn net_note(spec: &BotSpec, setup: &impl Options) -> Option<String> {
    let reads = match Level::named(&spec.name) {
        Some(level) => level.reads_net(setup),
        None => {
            matches!(spec.name.as_str(), "net" | "star" | "look" | "rollouts" | "puct" | "best")
        }
    };
    let own = spec.params.iter().any(|(key, _)| matches!(key.as_str(), "file" | "eval"));
    (reads && !own).then(|| nets::for_setup(setup).note).flatten()
}

fn build<E: Edition>(given: &mut Params<'_>, setup: &E::Setup) -> Result<BoxedAgent<E>, BotError> {
    let spec = given.spec;
    Ok(match spec.name.as_str() {
        "random" => Box::new(Uniform::default()),
        "greedy" => {
            one_ply::<E>(AnyEvaluator::Greedy(Projection { meeple: given.or("meeple", 0.75)? }))
        }
        "heuristic" => one_ply::<E>(AnyEvaluator::Heuristic(Box::default())),
        "net" => one_ply::<E>(given.evaluator(setup)?),
        #[cfg(feature = "trees")]
        "mcts" => {
            let uct: Uct<Position<E>> = Uct::new(given.uct()?);
            Box::new(Parallel::new(vec![uct; given.threads]))
        }
        "star" => {
            let params = given.star()?;
            let evaluator: AnyEvaluator<E> = given.evaluator(setup)?;
            let expectimax = Expectimax::<Position<E>, _>::new(params, evaluator);
            Box::new(expectimax.with_threads(given.threads))
        }
        "look" => Box::new(given.lookahead::<E>(setup)?),
        #[cfg(feature = "trees")]
        "rollouts" => Box::new(Rollouts::new(given.rollouts()?, given.evaluator::<E>(setup)?)),
        #[cfg(feature = "trees")]
        "puct" => given.puct::<E>(setup)?,
        "person" => Box::new(HumanLike::<E>::new(given.faults()?, setup)),
        "best" => best::<E>(given, setup)?,
        name => match Level::named(name).map(|level| level.human_like::<E>(setup)) {
            Some(Some(person)) => Box::new(person),
            Some(None) => best::<E>(given, setup)?,
            None => {
                let levels = LEVELS.iter().map(|level| level.name);
                let known = levels.chain(NAMES.iter().map(|(name, _)| *name)).collect();
                return Err(BotError::Name { name: name.to_owned(), known });
            }
        },
    })
}

fn one_ply<E: Edition>(evaluator: AnyEvaluator<E>) -> BoxedAgent<E> {
    Box::new(search::Greedy::<Position<E>, _>::new(GreedyParams::default(), evaluator))
}

fn choice(key: &'static str, value: &str, allowed: &'static str) -> BotError {
    BotError::Choice { key, value: value.to_owned(), allowed }
}

/// The strongest: looks ahead on the net, and plays endings exactly.
fn best<E: Edition>(given: &mut Params<'_>, setup: &E::Setup) -> Result<BoxedAgent<E>, BotError> {
    let inner: BoxedAgent<E> = match given.text("search").unwrap_or("look") {
        "look" => Box::new(given.lookahead::<E>(setup)?),
        #[cfg(feature = "trees")]
        "puct" => given.puct::<E>(setup)?,
        other => return Err(choice("search", other, "look or puct")),
    };
    let solver = ending_solver::<E>().with_threads(given.threads);
    Ok(Box::new(WithEndings::new(inner, solver, ending_limits::<E>)))
}

/// What the strongest player solves endings with.
#[must_use]
pub fn ending_solver<E: Edition>() -> Solver<Position<E>, AnyEvaluator<E>> {
    Solver::new(ExpectimaxParams::default(), AnyEvaluator::Greedy(Projection { meeple: 0.0 }))
}

/// When the last tiles are played exactly. With the tile in hand and two more (two players) it takes
/// milliseconds, however few nodes a search is given. With sets more figures can be put down and a
/// turn may have two parts, so the search begins a tile later. With one tile more it gets a part of
/// the nodes too: a position of the solver costs a tenth of one of the net's.
fn ending_limits<E: Edition>(game: &Position<E>, limits: &Limits) -> Option<Limits> {
    let nodes = match game.tiles_left() {
        left if left <= tiles_solved_at_once(game) => None,
        left if left == tiles_solved_at_once(game) + 1 => {
            limits.nodes.map(|nodes| nodes.saturating_mul(8))
        }
        _ => return None,
    };
    let time = limits.time.map(|time| time.mul_f64(0.7));
    Some(Limits { time, nodes, depth: None, ..*limits })
}

/// Whether a position is so near the end that the strongest player solves it with any number of nodes.
#[must_use]
pub fn is_solved_at_once<E: Edition>(game: &Position<E>) -> bool {
    game.tiles_left() <= tiles_solved_at_once(game)
}

/// Beside the tile in hand.
fn tiles_solved_at_once<E: Edition>(game: &Position<E>) -> usize {
    usize::from(game.players() == 2) + usize::from(!E::EXPANDED)
}

/// The parameters that were given, and which of them were used.
struct Params<'a> {
    spec: &'a BotSpec,
    used: Vec<&'a str>,
    /// On how many threads the player may think.
    threads: usize,
}

impl<'a> Params<'a> {
    fn of(spec: &'a BotSpec) -> Result<Self, BotError> {
        let mut given = Self { spec, used: Vec::new(), threads: 1 };
        given.threads = given.or("threads", 1)?;
        match given.threads {
            1..=MOST_THREADS => Ok(given),
            threads => Err(BotError::Threads(threads)),
        }
    }

    fn text(&mut self, key: &'a str) -> Option<&'a str> {
        self.used.push(key);
        self.spec.params.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    fn or<T: FromStr + fmt::Display>(&mut self, key: &'a str, default: T) -> Result<T, BotError> {
        let Some(value) = self.text(key) else { return Ok(default) };
        // "nan" and "inf" are read as numbers, but nothing can be weighed by them.
        let endless = value.parse::<f64>().is_ok_and(|number| !number.is_finite());
        let read = value.parse().ok().filter(|_| !endless);
        read.ok_or_else(|| BotError::Value {
            name: self.spec.name.clone(),
            key: key.to_owned(),
            value: value.to_owned(),
            example: default.to_string(),
        })
    }

    /// The evaluation: the net that comes with the program, or the one in a file.
    fn evaluator<E: Edition>(&mut self, setup: &E::Setup) -> Result<AnyEvaluator<E>, BotError> {
        let net = match self.text("file") {
            None => AnyEvaluator::of_setup(setup),
            Some(path) => {
                let net = Arc::new(Net::load(path)?);
                AnyEvaluator::Learned(Box::new(Learned::new(net)), Arc::default())
            }
        };
        match self.text("eval").unwrap_or("net") {
            "net" => Ok(net),
            "heuristic" => Ok(AnyEvaluator::Heuristic(Box::<Heuristic<E>>::default())),
            "greedy" => Ok(AnyEvaluator::Greedy(Projection::default())),
            other => Err(choice("eval", other, "net, heuristic or greedy")),
        }
    }

    #[cfg(feature = "trees")]
    fn uct(&mut self) -> Result<UctParams, BotError> {
        let d = UctParams::default();
        Ok(UctParams { exploration: self.or("c", d.exploration)?, ..d })
    }

    fn star(&mut self) -> Result<ExpectimaxParams, BotError> {
        let pruning = match self.text("prune").unwrap_or("star2.5") {
            "none" => Pruning::Off,
            "star1" => Pruning::Star1,
            "star2" => Pruning::Star2,
            "star2.5" => Pruning::Star25(self.or("probe", 3)?),
            other => return Err(choice("prune", other, "none, star1, star2 or star2.5")),
        };
        Ok(ExpectimaxParams {
            pruning,
            width: self.or("width", 8)?,
            root_width: self.or("root", 12)?,
            ..ExpectimaxParams::default()
        })
    }

    fn lookahead<E: Edition>(
        &mut self,
        setup: &E::Setup,
    ) -> Result<Lookahead<AnyEvaluator<E>>, BotError> {
        let params = self.lookahead_params()?;
        Ok(Lookahead::new(params, self.evaluator(setup)?).with_threads(self.threads))
    }

    fn lookahead_params(&mut self) -> Result<LookaheadParams, BotError> {
        let d = LookaheadParams::default();
        Ok(LookaheadParams {
            width: self.or("width", d.width)?,
            window: self.or("window", d.window)?,
            reply_width: self.or("reply", d.reply_width)?,
            give_up: self.or("giveup", d.give_up)?,
            tie: self.or("tie", d.tie)?,
            tied: self.or("tied", d.tied)?,
            turns_on: self.or("on", d.turns_on)?,
            trust: self.or("trust", d.trust)?,
            ..d
        })
    }

    #[cfg(feature = "trees")]
    fn rollouts(&mut self) -> Result<RolloutsParams, BotError> {
        let d = RolloutsParams::default();
        Ok(RolloutsParams {
            width: self.or("width", d.width)?,
            turns: self.or("turns", d.turns)?,
            rounds: self.or("rounds", d.rounds)?,
            draws: self.or("draws", d.draws)?,
        })
    }

    fn faults(&mut self) -> Result<Faults, BotError> {
        Ok(Faults {
            sight: match self.text("sight").unwrap_or("experience") {
                "points" => Sight::Points,
                "hopes" => Sight::Hopes,
                "experience" => Sight::Experience,
                other => return Err(choice("sight", other, "points, hopes or experience")),
            },
            fields: self.or("fields", 1.0)?,
            rivals: self.or("rivals", 1.0)?,
            eager: self.or("eager", 0.0)?,
            noise: self.or("noise", 0.0)?,
        })
    }

    /// Tree search. On several threads the trees must differ to be worth more than one.
    #[cfg(feature = "trees")]
    fn puct<E: Edition>(&mut self, setup: &E::Setup) -> Result<BoxedAgent<E>, BotError> {
        let d = PuctParams::default();
        let params = PuctParams {
            jitter: if self.threads > 1 { 1.0 } else { d.jitter },
            exploration: self.or("c", d.exploration)?,
            temperature: self.or("t", d.temperature)?,
            root_width: self.or("root", d.root_width)?,
            width: self.or("width", d.width)?,
            first_width: self.or("first", d.first_width)?,
            widening: self.or("widen", d.widening)?,
            reply_width: self.or("reply", d.reply_width)?,
            halving: self.or("halving", d.halving)?,
            ..d
        };
        let evaluator: AnyEvaluator<E> = self.evaluator(setup)?;
        let puct = Puct::<Position<E>, _>::new(params, evaluator);
        Ok(Box::new(Parallel::new(vec![puct; self.threads])))
    }

    fn all_used(&self) -> Result<(), BotError> {
        match self.spec.params.iter().find(|(key, _)| !self.used.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, _)) => Err(BotError::Parameter {
                name: self.spec.name.clone(),
                key: key.clone(),
                known: self.used.iter().map(|key| (*key).to_owned()).collect(),
            }),
        }
    }
}
