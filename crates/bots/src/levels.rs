//! Named levels from a gentle beginner to the best we have.
//!
//! A weak level plays like a person, not at random: it sees what it finishes, forgets fields,
//! likes to put meeples down, looks at its own points more than at the others', and overlooks
//! things now and then. Each level is one [`Character`]; the last ones search.

use crate::any_evaluator::AnyEvaluator;
use crate::value::{Heuristic, Projection};
use carcassonne::{Edition, Move, Options, Position, Terrain};
use game::{ByPlayer, Game, Player, Random, Turn};
use search::{Agent, Clock, Limits, Line, Report, Stop, Turns, Values, list_turns, value_turns};

/// A level that can be played against.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// Its name in lists, commands and addresses.
    pub name: &'static str,
    /// How it plays, for a person who chooses.
    pub about: &'static str,
    /// The nodes a turn with which its ratings were measured: what it gets in rated games. Those
    /// that look one turn ahead need less than a tenth of them.
    pub rated_nodes: u64,
    /// Its rating in games of two. The scale is that of win rates (400 points are ten to one)
    /// with `mason` at 1500; how they were measured is in `docs/strength.md`.
    pub rating_two: f64,
    /// Its rating in games of three to six, likewise, on the scale of Weng-Lin.
    pub rating_many: f64,
    character: Character,
    /// How far its judgement is off in games with sets, in points; `None` if it plays there as in
    /// the base game. The evaluation by hand knows little of sets, and games with them have more
    /// points, so those who err less play by the net there, with errors measured anew.
    noise_with_sets: Option<f32>,
    /// The same in games of two without sets: the net for these errs less than that for many.
    noise_of_two: Option<f32>,
}

/// How a level thinks.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Character {
    /// One ply on what it sees, with the faults of a person.
    HumanLike(Faults),
    /// The strongest player, with all it has.
    Best,
}

/// What a person sees of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Sight {
    /// The points as they would be counted now.
    Points,
    /// Also what may be finished.
    Hopes,
    /// What experience says: the net.
    Experience,
}

/// Where a person falls short.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Faults {
    pub(crate) sight: Sight,
    /// How much of the worth of fields is seen, 0 to 1.
    pub(crate) fields: f32,
    /// How much of the others' points is seen, 0 to 1.
    pub(crate) rivals: f32,
    /// Points by which putting a meeple down feels better than it is.
    pub(crate) eager: f32,
    /// How far a judgement is off, in points (standard deviation).
    pub(crate) noise: f32,
}

impl Faults {
    /// The same person among more players. Margins are smaller there, and an error of as many
    /// points would make those who see most play worst.
    fn among(self, players: usize) -> Self {
        match self.sight {
            Sight::Experience => Self { noise: self.noise * 2.0 / players as f32, ..self },
            Sight::Points | Sight::Hopes => self,
        }
    }
}

const EXPERIENCED: Faults =
    Faults { sight: Sight::Experience, fields: 1.0, rivals: 1.0, eager: 0.0, noise: 0.0 };

/// The levels, weakest first.
pub const LEVELS: [Level; 8] = [
    Level {
        name: "shepherd",
        about: "a first game: finishes what it sees, forgets the fields, wastes its meeples",
        rated_nodes: 1_000,
        rating_two: 1045.0,
        rating_many: 964.0,
        character: Character::HumanLike(Faults {
            sight: Sight::Points,
            fields: 0.0,
            rivals: 0.2,
            eager: 1.0,
            noise: 0.65,
        }),
        noise_with_sets: None,
        noise_of_two: None,
    },
    Level {
        name: "pilgrim",
        about: "has played before: counts points, still careless with meeples and fields",
        rated_nodes: 1_000,
        rating_two: 1172.0,
        rating_many: 1054.0,
        character: Character::HumanLike(Faults {
            sight: Sight::Points,
            fields: 0.0,
            rivals: 0.5,
            eager: 0.4,
            noise: 0.5,
        }),
        noise_with_sets: None,
        noise_of_two: None,
    },
    Level {
        name: "peddler",
        about: "thinks of what may be finished, and keeps some meeples",
        rated_nodes: 1_000,
        rating_two: 1337.0,
        rating_many: 1275.0,
        character: Character::HumanLike(Faults {
            sight: Sight::Hopes,
            fields: 1.0,
            rivals: 1.0,
            eager: 0.0,
            noise: 0.2,
        }),
        noise_with_sets: Some(3.8),
        noise_of_two: None,
    },
    Level {
        name: "mason",
        about: "knows what fields and meeples are worth, and errs often",
        rated_nodes: 1_000,
        rating_two: 1500.0,
        rating_many: 1500.0,
        character: Character::HumanLike(Faults { noise: 1.75, ..EXPERIENCED }),
        noise_with_sets: Some(3.0),
        noise_of_two: Some(1.95),
    },
    Level {
        name: "steward",
        about: "a strong player who errs now and then",
        rated_nodes: 1_000,
        rating_two: 1686.0,
        rating_many: 1675.0,
        character: Character::HumanLike(Faults { noise: 1.25, ..EXPERIENCED }),
        noise_with_sets: Some(2.3),
        noise_of_two: Some(1.48),
    },
    Level {
        name: "architect",
        about: "hardly ever errs",
        rated_nodes: 1_000,
        rating_two: 1849.0,
        rating_many: 1829.0,
        character: Character::HumanLike(Faults { noise: 0.8, ..EXPERIENCED }),
        noise_with_sets: Some(1.6),
        noise_of_two: Some(0.95),
    },
    Level {
        name: "abbess",
        about: "everything that experience teaches, in an instant",
        rated_nodes: 1_000,
        rating_two: 2007.0,
        rating_many: 1983.0,
        character: Character::HumanLike(EXPERIENCED),
        noise_with_sets: Some(0.8),
        noise_of_two: Some(0.42),
    },
    Level {
        name: "master",
        about: "the strongest we have: experience, search and exact endings",
        rated_nodes: 5_000,
        rating_two: 2186.0,
        rating_many: 2081.0,
        character: Character::Best,
        noise_with_sets: None,
        noise_of_two: None,
    },
];

impl Level {
    /// The level with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        LEVELS.iter().find(|level| level.name == name)
    }

    /// Whether it plays by a net in games with this setup.
    pub(crate) fn reads_net(&self, setup: &impl Options) -> bool {
        self.faults(setup).is_none_or(|faults| faults.sight == Sight::Experience)
    }

    /// Where it falls short in games with this setup; `None` for the best player.
    fn faults(&self, setup: &impl Options) -> Option<Faults> {
        let Character::HumanLike(base) = self.character else { return None };
        let players = setup.rules().players();
        let faults = match (self.noise_with_sets, self.noise_of_two) {
            (Some(noise), _) if !setup.sets().is_empty() => Faults { noise, ..EXPERIENCED },
            (_, Some(noise)) if players == 2 && setup.sets().is_empty() => Faults { noise, ..base },
            _ => base,
        };
        Some(faults.among(players))
    }

    /// Its player, for games with this setup; `None` for a level that is the best player.
    pub(crate) fn human_like<E: Edition>(&self, setup: &E::Setup) -> Option<HumanLike<E>> {
        self.faults(setup).map(|faults| HumanLike::new(faults, setup))
    }
}

/// A player with a person's faults.
pub(crate) struct HumanLike<E: Edition> {
    faults: Faults,
    evaluator: AnyEvaluator<E>,
    turns: Turns<Position<E>>,
    values: Vec<Values>,
    random: Random,
}

impl<E: Edition> HumanLike<E> {
    pub(crate) fn new(faults: Faults, setup: &E::Setup) -> Self {
        let evaluator = match faults.sight {
            Sight::Points => AnyEvaluator::Greedy(Projection { meeple: 0.75 }),
            Sight::Hopes => AnyEvaluator::Heuristic(Box::<Heuristic<E>>::default()),
            Sight::Experience => AnyEvaluator::of_setup(setup),
        };
        Self { faults, evaluator, turns: Turns::new(), values: Vec::new(), random: Random::new(0) }
    }

    /// What the end of a turn feels worth: what is judged, less what is overlooked.
    fn feels(&mut self, before: &Position<E>, me: Player, turn: usize) -> f32 {
        let after = self.turns.end(turn);
        let Faults { fields, rivals, eager, noise, .. } = self.faults;
        let mut worth = self.values[turn][me].margin;
        if fields < 1.0 || rivals < 1.0 {
            let seen = seen_points(after, fields);
            let others = seen.iter().filter(|(p, _)| *p != me).map(|(_, points)| *points);
            let lead = seen[me] - rivals * others.fold(0.0, f32::max);
            worth += lead - after.projected_scores().margin(me) as f32;
        }
        if before.meeples_in_hand(me) > after.meeples_in_hand(me) {
            worth += eager;
        }
        worth + noise * bell(&mut self.random)
    }
}

impl<E: Edition> Agent<Position<E>> for HumanLike<E> {
    fn new_game(&mut self, _start: &Position<E>, seed: u64) {
        self.random = Random::new(seed);
    }

    fn search(&mut self, position: &Position<E>, limits: &Limits, stop: &Stop) -> Report<Move> {
        let clock = Clock::new(limits, stop);
        let Turn::Player(me) = position.turn() else {
            return Report::empty(search::even_values(position.players()));
        };
        list_turns(&mut self.evaluator, position, &mut self.turns);
        value_turns(&mut self.evaluator, position, &self.turns, &mut self.values);
        let felt: Vec<f32> =
            (0..self.turns.len()).map(|turn| self.feels(position, me, turn)).collect();
        let mut order: Vec<usize> = (0..felt.len()).collect();
        order.sort_by(|a, b| felt[*b].total_cmp(&felt[*a]));
        let line = |turn: &usize| Line {
            moves: self.turns.moves(*turn).to_vec(),
            value: self.values[*turn][me],
            visits: 1,
        };
        let lines: Vec<Line<Move>> = order.iter().map(line).collect();
        Report {
            turn: lines.first().map(|line| line.moves.clone()).unwrap_or_default(),
            values: order
                .first()
                .map_or_else(|| search::even_values(position.players()), |turn| self.values[*turn]),
            nodes: lines.len() as u64,
            lines,
            time: clock.elapsed(),
            depth: 1,
            exact: false,
        }
    }
}

/// The projected scores as somebody sees them who overlooks a part of every field's worth.
fn seen_points<E: Edition>(game: &Position<E>, fields: f32) -> ByPlayer<f32> {
    let mut seen = game.projected_scores().map(|points| points as f32);
    if game.turn() != Turn::Over {
        game.for_each_claimed(|feature, terrain, counts| {
            if terrain == Terrain::Field {
                let overlooked = (1.0 - fields) * f32::from(game.points_now(terrain, feature));
                for owner in counts.owners().iter() {
                    seen[owner] -= overlooked;
                }
            }
        });
    }
    seen
}

/// A random number with mean 0 and deviation 1, near enough to normal: a sum of twelve.
fn bell(random: &mut Random) -> f32 {
    (0..12).map(|_| random.unit()).sum::<f64>() as f32 - 6.0
}
