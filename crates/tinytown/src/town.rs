//! A game in progress: the rules.

use crate::{Action, Building, Resource, Setup, Size, Square, Variant};
use game::{ByPlayer, Game, Player, Turn, ignore};

/// A game of Tinytown in progress: one player, no chance.
///
/// The player puts down a resource (resource phase), then builds as often as patterns allow and
/// ends the phase (building phase), until every square is filled. Every value is a state that
/// some game reaches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tinytown {
    // Sets of squares, a bit each in reading order; no square is in two of them.
    pub(crate) bricks: u32,
    pub(crate) glass: u32,
    pub(crate) cottages: u32,
    pub(crate) greenhouses: u32,
    /// The top-left squares of windows: fixed by the size, asked for at every step.
    anchors: u32,
    setup: Setup,
    phase: Phase,
}

const _: () = assert!(size_of::<Tinytown>() <= 24);

/// What the player may do now.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// A resource is put down.
    Resource,
    /// Patterns are turned into buildings, then the phase is ended.
    Building,
}

/// One fact of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A resource was put down.
    Placed {
        /// What.
        resource: Resource,
        /// Where.
        at: Square,
    },
    /// A pattern became a building.
    Built {
        /// What.
        building: Building,
        /// The top-left square of the pattern.
        anchor: Square,
        /// Where the building stands.
        at: Square,
    },
    /// The game ended: `points` = 3 for each fed cottage + cottages + greenhouses − squares.
    Scored {
        /// Cottages on the grid.
        cottages: u8,
        /// Greenhouses on the grid.
        greenhouses: u8,
        /// What the game earned.
        points: i32,
    },
}

impl Tinytown {
    /// A state from its parts, without asking whether a game reaches it.
    pub(crate) fn from_parts(setup: Setup, sets: [u32; 4], phase: Phase) -> Self {
        let [bricks, glass, cottages, greenhouses] = sets;
        let anchors = setup.size.anchors();
        Self { bricks, glass, cottages, greenhouses, anchors, setup, phase }
    }

    /// The size and the variant.
    #[must_use]
    pub const fn setup(&self) -> Setup {
        self.setup
    }

    /// The grid's size.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.setup.size
    }

    /// The phase; meaningless when the game is over.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// How many cottages and greenhouses stand.
    #[must_use]
    pub const fn buildings(&self) -> (usize, usize) {
        (self.cottages.count_ones() as usize, self.greenhouses.count_ones() as usize)
    }

    /// What the grid would earn if the game ended now.
    #[must_use]
    pub const fn points(&self) -> i32 {
        let (cottages, greenhouses) = self.buildings();
        self.setup.points(cottages, greenhouses)
    }

    /// The reward of the transition into this state: the points when the game is over, else 0.
    #[must_use]
    pub fn reward(&self) -> i32 {
        if self.is_over() { self.points() } else { 0 }
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.empty() == 0
            && match (self.phase, self.setup.variant) {
                (Phase::Resource, _) => true,
                (Phase::Building, Variant::Spec) => false,
                (Phase::Building, Variant::Older) => !self.can_build(),
            }
    }

    /// Plays the action if it is legal, and gives the reward.
    ///
    /// # Errors
    /// As [`Game::play`].
    pub fn step(&mut self, action: Action) -> Result<i32, game::IllegalMove> {
        self.play(action, ignore)?;
        Ok(self.reward())
    }

    /// The squares with nothing on them.
    pub(crate) const fn empty(&self) -> u32 {
        self.free() & !(self.bricks | self.glass)
    }

    /// The squares without a building.
    pub(crate) const fn free(&self) -> u32 {
        self.setup.size.all() & !(self.cottages | self.greenhouses)
    }

    /// The anchors where the building's pattern lies now.
    pub(crate) fn ready(&self, building: Building) -> u32 {
        building.pattern().iter().fold(self.anchors, |anchors, &(row, col, resource)| {
            let lying = match resource {
                Resource::Brick => self.bricks,
                Resource::Glass => self.glass,
            };
            anchors & (lying >> (row as usize * self.size().cols() + col as usize))
        })
    }

    fn can_build(&self) -> bool {
        self.ready(Building::Cottage) | self.ready(Building::Greenhouse) != 0
    }

    /// The window's squares that the pattern takes.
    fn taken(&self, building: Building, anchor: Square) -> u32 {
        let shifts = building.pattern().iter();
        let window = shifts.fold(0, |set, &(row, col, _)| {
            set | 1 << (row as usize * self.size().cols() + col as usize)
        });
        window << self.size().index(anchor)
    }
}

impl Game for Tinytown {
    const NAME: &'static str = "tinytown";
    type Setup = Setup;
    type Move = Action;
    type Event = Event;

    fn start(setup: &Setup, _emit: impl FnMut(Event)) -> Self {
        Self::from_parts(*setup, [0; 4], Phase::Resource)
    }

    fn players(&self) -> usize {
        1
    }

    fn turn(&self) -> Turn {
        if self.is_over() { Turn::Over } else { Turn::Player(Player::new(0)) }
    }

    /// In the order of the compact numbers.
    fn moves(&self, out: &mut Vec<Action>) {
        out.clear();
        let size = self.size();
        if self.phase == Phase::Resource {
            let empty = self.empty();
            for resource in Resource::ALL {
                out.extend(squares(size, empty).map(|at| Action::Place { resource, at }));
            }
            return;
        }
        if self.is_over() {
            return;
        }
        for building in Building::ALL {
            for anchor in squares(size, self.ready(building)) {
                out.extend(building.pattern().iter().map(|&(row, col, _)| {
                    let at = Square::new(anchor.row + row, anchor.col + col);
                    Action::Build { building, anchor, at }
                }));
            }
        }
        out.push(Action::End);
    }

    fn odds(&self, _outcome: Action) -> u32 {
        0
    }

    fn play_unchecked(&mut self, m: Action, mut emit: impl FnMut(Event)) {
        let size = self.size();
        match m {
            Action::Place { resource, at } => {
                match resource {
                    Resource::Brick => self.bricks |= 1 << size.index(at),
                    Resource::Glass => self.glass |= 1 << size.index(at),
                }
                self.phase = Phase::Building;
                emit(Event::Placed { resource, at });
            }
            Action::Build { building, anchor, at } => {
                let rest = !self.taken(building, anchor);
                self.bricks &= rest;
                self.glass &= rest;
                match building {
                    Building::Cottage => self.cottages |= 1 << size.index(at),
                    Building::Greenhouse => self.greenhouses |= 1 << size.index(at),
                }
                emit(Event::Built { building, anchor, at });
            }
            Action::End => self.phase = Phase::Resource,
        }
        if self.is_over() {
            let (cottages, greenhouses) = self.buildings();
            let points = self.points();
            let (cottages, greenhouses) = (cottages as u8, greenhouses as u8);
            emit(Event::Scored { cottages, greenhouses, points });
        }
    }

    /// What the grid would earn if the game ended now.
    fn scores(&self) -> ByPlayer<i32> {
        ByPlayer::new(1, self.points())
    }

    fn is_legal(&self, m: Action) -> bool {
        let size = self.size();
        match m {
            Action::Place { at, .. } => {
                self.phase == Phase::Resource
                    && size.contains(at)
                    && self.empty() >> size.index(at) & 1 == 1
            }
            Action::Build { building, anchor, .. } => {
                self.phase == Phase::Building
                    && m.number(size).is_some()
                    && self.ready(building) >> size.index(anchor) & 1 == 1
            }
            Action::End => self.phase == Phase::Building && !self.is_over(),
        }
    }

    fn why_illegal(&self, m: Action) -> String {
        let size = self.size();
        let outside = |square| format!("{square} is outside the {size} grid");
        if self.is_over() {
            return "the game is over".to_owned();
        }
        match (m, self.phase) {
            (Action::Place { at, .. }, _) if !size.contains(at) => outside(at),
            (Action::Build { anchor, .. }, _) if !size.contains(anchor) => outside(anchor),
            (Action::Build { at, .. }, _) if !size.contains(at) => outside(at),
            (Action::Place { .. }, Phase::Building) => {
                "it is the building phase: build, or end it".to_owned()
            }
            (Action::Build { .. } | Action::End, Phase::Resource) => {
                "it is the resource phase: put a resource on an empty square".to_owned()
            }
            (Action::Place { at, .. }, _) => format!("{at} is not empty"),
            (Action::Build { building, anchor, at }, _) => {
                if self.ready(building) >> size.index(anchor) & 1 == 0 {
                    format!("the {} pattern does not lie at {anchor}", building.name())
                } else {
                    format!("{at} is not a square of the {} pattern at {anchor}", building.name())
                }
            }
            (Action::End, _) => "it is not among the legal moves".to_owned(),
        }
    }
}

/// The squares of a set, in reading order.
pub(crate) fn squares(size: Size, set: u32) -> impl Iterator<Item = Square> {
    bits(set).map(move |index| size.square(index))
}

/// The numbers of the bits that are set, lowest first.
pub(crate) fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(setup: &str, actions: &[&str]) -> Tinytown {
        let mut town = Tinytown::new(&setup.parse().unwrap());
        for action in actions {
            town.step(action.parse().unwrap()).unwrap();
        }
        town
    }

    fn refusal(town: &Tinytown, action: &str) -> String {
        let before = *town;
        let mut town = *town;
        let error = town.step(action.parse().unwrap()).unwrap_err();
        assert_eq!(town, before);
        error.reason
    }

    const COTTAGE: [&str; 6] =
        ["glass 0,0", "end", "brick 0,1", "end", "brick 1,0", "cottage 0,0 on 1,0"];

    #[test]
    fn a_cottage_keeps_the_square_its_pattern_ignores() {
        let mut town = play("2x2", &["glass 1,1", "end"]);
        for action in COTTAGE {
            town.step(action.parse().unwrap()).unwrap();
        }
        assert_eq!((town.glass, town.bricks, town.cottages), (0b1000, 0, 0b0100));
        assert_eq!(town.phase(), Phase::Building, "more may be built in the same phase");
    }

    #[test]
    fn a_mirrored_or_turned_pattern_is_no_cottage() {
        let mirrored = play("2x2", &["glass 0,1", "end", "brick 0,0", "end", "brick 1,1"]);
        let turned = play("2x2", &["glass 1,1", "end", "brick 0,1", "end", "brick 1,0"]);
        for town in [mirrored, turned] {
            assert_eq!(
                refusal(&town, "cottage 0,0 on 0,0"),
                "the cottage pattern does not lie at 0,0"
            );
        }
        let upside_down = ["glass 0,0", "end", "glass 0,1", "end", "brick 1,0", "end", "brick 1,1"];
        let town = play("2x2", &upside_down);
        assert_eq!(
            refusal(&town, "greenhouse 0,0 on 0,0"),
            "the greenhouse pattern does not lie at 0,0"
        );
    }

    #[test]
    fn a_building_goes_on_its_pattern_only() {
        let town = play("3x3", &COTTAGE[..5]);
        assert_eq!(
            refusal(&town, "cottage 0,0 on 1,1"),
            "1,1 is not a square of the cottage pattern at 0,0"
        );
        assert_eq!(refusal(&town, "cottage 0,0 on 1,3"), "1,3 is outside the 3x3 grid");
        for at in ["0,0", "0,1", "1,0"] {
            let mut town = town;
            assert!(town.step(format!("cottage 0,0 on {at}").parse().unwrap()).is_ok());
        }
    }

    #[test]
    fn rows_come_first() {
        let town = play("2x3", &["brick 1,0", "end", "glass 0,2"]);
        assert_eq!((town.bricks, town.glass), (0b001_000, 0b000_100));
        assert_eq!(refusal(&play("2x3", &[]), "brick 2,0"), "2,0 is outside the 2x3 grid");
        assert_eq!(refusal(&town, "brick 0,0"), "it is the building phase: build, or end it");
        let town = play("2x3", &["brick 1,0", "end"]);
        assert_eq!(refusal(&town, "glass 1,0"), "1,0 is not empty");
        assert_eq!(
            refusal(&town, "end"),
            "it is the resource phase: put a resource on an empty square"
        );
    }

    #[test]
    fn the_spec_ends_by_end_and_the_older_variant_at_once() {
        let mut town = play("1x1", &["brick 0,0"]);
        assert!(!town.is_over());
        assert_eq!(town.step(Action::End).unwrap(), -1);
        assert!(town.is_over());
        assert_eq!(refusal(&town, "end"), "the game is over");
        let town = play("1x1 older", &["brick 0,0"]);
        assert!(town.is_over());
        assert_eq!(town.reward(), -1);
        let full = ["glass 1,1", "end", "glass 0,0", "end", "brick 0,1", "end", "brick 1,0"];
        let town = play("2x2 older", &full);
        assert!(!town.is_over(), "a cottage can still be built");
    }

    #[test]
    fn the_score_explains_itself() {
        let mut events = Vec::new();
        let mut town = Tinytown::new(&"1x1".parse().unwrap());
        for action in ["glass 0,0", "end"] {
            town.play(action.parse().unwrap(), |event| events.push(event)).unwrap();
        }
        let at = Square::new(0, 0);
        let scored = Event::Scored { cottages: 0, greenhouses: 0, points: -1 };
        assert_eq!(events, [Event::Placed { resource: Resource::Glass, at }, scored]);
    }
}
