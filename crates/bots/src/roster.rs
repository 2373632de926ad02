//! Players of Carcassonne by name, with parameters: `best`, `net`, `mcts:c=0.7`.

use crate::error::BotError;
use crate::judge::Judge;
use crate::levels::{Faults, LEVELS, Level, Person, Sight};
use crate::net::Net;
use crate::nets;
use crate::value::{Heuristic, Learned, Projection};
use carcassonne::Carcassonne;
use game::Game;
use search::{
    Agent, Expectimax, ExpectimaxParams, GreedyParams, Limits, Lookahead, LookaheadParams,
    Parallel, Pruning, Puct, PuctParams, Solver, Uct, UctParams, Uniform, WithEndings,
};
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

pub use crate::roster_with_sets::{NAMES_WITH_SETS, make_with_sets};

/// What can be played against beside the levels, each with a line about it. Every bot also takes
/// `threads=N`, the most it may think on: those that search use them.
pub const NAMES: [(&str, &str); 10] = [
    ("random", "any legal move"),
    ("greedy", "one ply on the projected score; meeple=POINTS in hand"),
    ("heuristic", "one ply on a hand-made evaluation"),
    ("net", "one ply on the learned evaluation; file=NET"),
    ("mcts", "UCT with random playouts; c=CONSTANT"),
    ("star", "expectimax with Star2.5 on the net; prune=none|star1|star2|star2.5, width=N, root=N"),
    ("look", "two turns over all draws, near-ties played on; width=N, tie=POINTS, on=TURNS"),
    ("puct", "tree search over whole turns on the net; c=, t=, width=, root="),
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
pub const MOST_THREADS: usize = 256;

/// A player of Carcassonne.
pub type BoxedAgent = Box<dyn Agent<Carcassonne>>;

/// Makes a player for games of this many seats.
///
/// # Errors
/// If the name or a parameter is unknown; the error says what is known.
pub fn make(spec: &BotSpec, players: usize) -> Result<BoxedAgent, BotError> {
    let mut given = Params::of(spec)?;
    let player = build(&mut given, players)?;
    given.all_used()?;
    Ok(player)
}

fn build(given: &mut Params<'_>, players: usize) -> Result<BoxedAgent, BotError> {
    let spec = given.spec;
    Ok(match spec.name.as_str() {
        "random" => Box::new(Uniform::default()),
        "greedy" => one_ply(Judge::Greedy(Projection { meeple: given.or("meeple", 0.75)? })),
        "heuristic" => one_ply(Judge::Heuristic(Box::default())),
        "net" => one_ply(given.judge(players)?),
        "mcts" => {
            let uct = Uct::new(given.uct()?);
            Box::new(Parallel::new(vec![uct; given.threads]))
        }
        "star" => {
            let params = given.star()?;
            let expectimax = Expectimax::new(params, given.judge(players)?);
            Box::new(expectimax.with_threads(given.threads))
        }
        "look" => Box::new(given.look(players)?),
        "puct" => Box::new(given.puct(players)?),
        "person" => Box::new(Person::new(given.faults()?, players)),
        "best" => best(given, players)?,
        name => match Level::named(name).map(|level| level.person(players)) {
            Some(Some(person)) => Box::new(person),
            Some(None) => best(given, players)?,
            None => {
                let levels = LEVELS.iter().map(|level| level.name);
                let known = levels.chain(NAMES.iter().map(|(name, _)| *name)).collect();
                return Err(BotError::Name { name: name.to_owned(), known });
            }
        },
    })
}

fn one_ply(judge: Judge) -> BoxedAgent {
    Box::new(search::Greedy::new(GreedyParams::default(), judge))
}

fn choice(key: &'static str, value: &str, allowed: &'static str) -> BotError {
    BotError::Choice { key, value: value.to_owned(), allowed }
}

/// The strongest: looks ahead on the net, and plays endings exactly.
fn best(given: &mut Params<'_>, players: usize) -> Result<BoxedAgent, BotError> {
    let inner: BoxedAgent = match given.text("search").unwrap_or("look") {
        "look" => Box::new(given.look(players)?),
        "puct" => Box::new(given.puct(players)?),
        other => return Err(choice("search", other, "look or puct")),
    };
    let solver = ending_solver().with_threads(given.threads);
    Ok(Box::new(WithEndings::new(inner, solver, ending_limits)))
}

/// What the strongest player solves endings with.
#[must_use]
pub fn ending_solver() -> Solver<Carcassonne, Judge> {
    Solver::new(ExpectimaxParams::default(), Judge::Greedy(Projection { meeple: 0.0 }))
}

/// When the last tiles are played exactly. With the tile in hand and two more (two players) it takes
/// milliseconds.
fn ending_limits(game: &Carcassonne, limits: &Limits) -> Option<Limits> {
    let always = if game.players() == 2 { 2 } else { 1 };
    exact_limits(game.tiles_left(), always, limits)
}

/// How long the last tiles may be played exactly: always where so few are left, and with one tile
/// more for a part of the time. A position of the solver costs a tenth of one of the net's.
pub(crate) fn exact_limits(left: usize, always: usize, limits: &Limits) -> Option<Limits> {
    match left {
        left if left <= always => Some(Limits::NONE),
        left if left == always + 1 => Some(Limits {
            time: limits.time.map(|time| time.mul_f64(0.7)),
            nodes: limits.nodes.map(|nodes| nodes.saturating_mul(8)),
            depth: None,
            ..*limits
        }),
        _ => None,
    }
}

/// The parameters that were given, and which of them were used.
pub(crate) struct Params<'a> {
    pub(crate) spec: &'a BotSpec,
    used: Vec<&'a str>,
    /// On how many threads the player may think.
    pub(crate) threads: usize,
}

impl<'a> Params<'a> {
    pub(crate) fn of(spec: &'a BotSpec) -> Result<Self, BotError> {
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

    pub(crate) fn or<T: FromStr + fmt::Display>(
        &mut self,
        key: &'a str,
        default: T,
    ) -> Result<T, BotError> {
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
    fn judge(&mut self, players: usize) -> Result<Judge, BotError> {
        let net = match self.text("file") {
            None => nets::for_players(players),
            Some(path) => Arc::new(Net::load(path)?),
        };
        match self.text("eval").unwrap_or("net") {
            "net" => Ok(Judge::Learned(Box::new(Learned::new(net)))),
            "heuristic" => Ok(Judge::Heuristic(Box::<Heuristic>::default())),
            "greedy" => Ok(Judge::Greedy(Projection::default())),
            other => Err(choice("eval", other, "net, heuristic or greedy")),
        }
    }

    pub(crate) fn uct(&mut self) -> Result<UctParams, BotError> {
        let d = UctParams::default();
        Ok(UctParams { exploration: self.or("c", d.exploration)?, ..d })
    }

    pub(crate) fn star(&mut self) -> Result<ExpectimaxParams, BotError> {
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

    fn look(&mut self, players: usize) -> Result<Lookahead<Judge>, BotError> {
        let params = self.look_params()?;
        Ok(Lookahead::new(params, self.judge(players)?).with_threads(self.threads))
    }

    pub(crate) fn look_params(&mut self) -> Result<LookaheadParams, BotError> {
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
    fn puct(&mut self, players: usize) -> Result<Parallel<Puct<Carcassonne, Judge>>, BotError> {
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
        let puct = Puct::new(params, self.judge(players)?);
        Ok(Parallel::new(vec![puct; self.threads]))
    }

    pub(crate) fn all_used(&self) -> Result<(), BotError> {
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
