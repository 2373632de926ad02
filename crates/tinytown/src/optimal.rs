//! Perfect play from any state of any supported grid.
//!
//! Resources need not be put down before the moment they are used, so what can still be earned
//! depends on the buildings and on the resources that lie already: a search over those alone, with
//! what could be built if nothing lay in the way ([`Prospects`]) as its bound. The phase does not
//! matter: a pattern that lies can be used in this building phase or, unless the grid is full, in
//! a later one.

use crate::progress::{Progress, Stopped};
use crate::prospect::Prospects;
use crate::town::bits;
use crate::{Action, Building, Phase, Resource, Setup, Square, Tinytown};
use game::{Game, ignore};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// Knows the value of every reachable state of one setup, and a best action in each.
pub struct Optimal {
    prospects: Prospects,
}

impl Optimal {
    /// Prepares for a setup: at once up to 16 squares, a few seconds and 70 MB for 25.
    ///
    /// # Errors
    /// If `progress` stops it.
    pub fn new(setup: Setup, progress: &mut Progress) -> Result<Self, Stopped> {
        Ok(Self { prospects: Prospects::new(setup, progress)? })
    }

    /// The setup it was prepared for.
    #[must_use]
    pub fn setup(&self) -> Setup {
        self.prospects.setup()
    }

    /// What the best games earn from the start: V* of the start state.
    #[must_use]
    pub fn start_value(&self) -> i32 {
        self.prospects.best(self.setup().size.all(), 0, 0)
    }

    /// The (cottages, greenhouses) at the end of the best games.
    #[must_use]
    pub fn best_towns(&self) -> Vec<(usize, usize)> {
        self.prospects.best_towns()
    }

    /// V*: the reward that perfect play still earns; 0 when the game is over.
    ///
    /// # Panics
    /// If the state is one of another setup, as all methods here.
    #[must_use]
    pub fn value(&self, town: &Tinytown) -> i32 {
        if town.is_over() { 0 } else { self.best_points(town) }
    }

    /// Q*: every legal action with the reward that perfect play earns from it on.
    #[must_use]
    pub fn action_values(&self, town: &Tinytown) -> Vec<(Action, i32)> {
        if town.is_over() {
            return Vec::new();
        }
        // No action leads to more than the state itself has.
        let most = self.best_points(town);
        let points = |then: &Tinytown| match then.is_over() {
            true => then.points(),
            false => self.search(then.points(), most).best_of(Node::of(then)),
        };
        after_each(town).map(|(action, then)| (action, points(&then))).collect()
    }

    /// All actions that perfect play may take; none when the game is over.
    #[must_use]
    pub fn optimal_actions(&self, town: &Tinytown) -> Vec<Action> {
        if town.is_over() {
            return Vec::new();
        }
        let best = self.best_points(town);
        self.actions_for(town, best).collect()
    }

    /// One best action, always the same in the same state; `None` when the game is over.
    #[must_use]
    pub fn best_action(&self, town: &Tinytown) -> Option<Action> {
        if town.is_over() {
            return None;
        }
        let size = town.size();
        let mut next = None;
        let best = self.best_points(town);
        if best > town.points() {
            let mut search = self.search(best - 1, best);
            Node::of(town).builds(town.setup(), |build, then| {
                if next.is_none() && search.reaches(then) {
                    next = Some(build);
                }
            });
        }
        let Some((building, anchor, at)) = next else {
            // Nothing more is worth building: what fills the grid does not matter.
            let first = bits(town.empty()).next().map(|index| size.square(index));
            return Some(match (town.phase(), first) {
                (Phase::Resource, Some(at)) => Action::Place { resource: Resource::Brick, at },
                _ => Action::End,
            });
        };
        let missing = building.pattern().iter().find_map(|&(row, col, resource)| {
            let at = Square::new(anchor.row + row, anchor.col + col);
            let empty = town.empty() >> size.index(at) & 1 == 1;
            empty.then_some(Action::Place { resource, at })
        });
        match (missing, town.phase()) {
            (None, Phase::Building) => Some(Action::Build { building, anchor, at }),
            (Some(_), Phase::Building) => Some(Action::End),
            (Some(place), Phase::Resource) => Some(place),
            // The pattern lies already, but something must be put down before it can be used.
            (None, Phase::Resource) => self.actions_for(town, best).next(),
        }
    }

    /// The actions after which so many points can still be had, the first first.
    fn actions_for(&self, town: &Tinytown, points: i32) -> impl Iterator<Item = Action> {
        let mut search = self.search(points - 1, points);
        let mut can_have = move |then: &Tinytown| match then.is_over() {
            true => then.points() >= points,
            false => search.reaches(Node::of(then)),
        };
        after_each(town).filter(move |(_, then)| can_have(then)).map(|(action, _)| action)
    }

    /// The points at the end of the best games through this state.
    fn best_points(&self, town: &Tinytown) -> i32 {
        assert_eq!(town.setup(), self.setup(), "prepared for another setup");
        if town.is_over() {
            return town.points();
        }
        let node = Node::of(town);
        let most = self.bound(&node.without_dead(town.setup()));
        self.search(town.points(), most).best_of(node)
    }

    fn bound(&self, node: &Node) -> i32 {
        self.prospects.best(node.free, node.cottages as usize, node.greenhouses as usize)
    }

    /// A search for more than `floor` points that is content with `enough`.
    fn search(&self, floor: i32, enough: i32) -> Search<'_> {
        Search { optimal: self, seen: HashSet::default(), best: floor, enough }
    }
}

/// Each legal action with the state after it.
fn after_each(town: &Tinytown) -> impl Iterator<Item = (Action, Tinytown)> {
    let mut actions = Vec::new();
    town.moves(&mut actions);
    let town = *town;
    actions.into_iter().map(move |action| {
        let mut then = town;
        then.play_unchecked(action, ignore);
        (action, then)
    })
}

/// Buildings, counted, and the resources that lie. Only free squares matter: where the buildings
/// stand does not.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    /// Squares that a pattern may still use.
    free: u32,
    bricks: u32,
    glass: u32,
    cottages: u8,
    greenhouses: u8,
}

impl Node {
    fn of(town: &Tinytown) -> Self {
        let (cottages, greenhouses) = town.buildings();
        Self {
            free: town.free(),
            bricks: town.bricks,
            glass: town.glass,
            cottages: cottages as u8,
            greenhouses: greenhouses as u8,
        }
    }

    fn points(&self, setup: Setup) -> i32 {
        setup.points(self.cottages as usize, self.greenhouses as usize)
    }

    fn lying(&self, resource: Resource) -> u32 {
        match resource {
            Resource::Brick => self.bricks,
            Resource::Glass => self.glass,
        }
    }

    /// Nodes with the same key are the same.
    fn key(&self) -> u64 {
        u64::from(self.free & !self.glass)
            | u64::from(self.free & !self.bricks) << 25
            | u64::from(self.cottages) << 50
            | u64::from(self.greenhouses) << 55
    }

    /// The node without the squares whose resource can never be used.
    ///
    /// A resource is dead unless some pattern needs it where it lies and no building or dead
    /// resource is in that pattern's way.
    fn without_dead(mut self, setup: Setup) -> Self {
        let cols = setup.size.cols();
        loop {
            let mut live = 0;
            for building in Building::ALL {
                let shifts = || {
                    building
                        .pattern()
                        .iter()
                        .map(|&(row, col, resource)| (row as usize * cols + col as usize, resource))
                };
                let anchors =
                    shifts().fold(setup.size.anchors(), |set, (shift, _)| set & self.free >> shift);
                for (shift, resource) in shifts() {
                    live |= anchors << shift & self.lying(resource);
                }
            }
            let dead = (self.bricks | self.glass) & !live;
            if dead == 0 {
                return self;
            }
            self.free &= !dead;
            self.bricks &= !dead;
            self.glass &= !dead;
        }
    }

    /// Everything that could be built next once the missing resources are put down.
    fn builds(&self, setup: Setup, mut each: impl FnMut((Building, Square, Square), Self)) {
        let size = setup.size;
        let empty = self.free & !(self.bricks | self.glass);
        for building in Building::ALL {
            let shift = |row: u8, col: u8| row as usize * size.cols() + col as usize;
            let (mut anchors, mut window) = (size.anchors(), 0);
            for &(row, col, resource) in building.pattern() {
                anchors &= (empty | self.lying(resource)) >> shift(row, col);
                window |= 1u32 << shift(row, col);
            }
            for anchor in bits(anchors) {
                let rest = !(window << anchor);
                for &(row, col, _) in building.pattern() {
                    let at = anchor + shift(row, col);
                    let (bricks, glass) = (self.bricks & rest, self.glass & rest);
                    let mut then = Self { free: self.free & !(1 << at), bricks, glass, ..*self };
                    match building {
                        Building::Cottage => then.cottages += 1,
                        Building::Greenhouse => then.greenhouses += 1,
                    }
                    each((building, size.square(anchor), size.square(at)), then);
                }
            }
        }
    }
}

/// Depth first, the most promising first; what cannot beat the best so far is left out, and what
/// was visited before need not be again, because the best only rises.
struct Search<'a> {
    optimal: &'a Optimal,
    seen: HashSet<u64, BuildHasherDefault<Mix>>,
    best: i32,
    enough: i32,
}

impl Search<'_> {
    /// The best points from a node, if they are above the floor.
    fn best_of(mut self, node: Node) -> i32 {
        self.best = self.best.max(node.points(self.optimal.setup()));
        self.visit(node);
        self.best
    }

    /// Whether a node can have enough points. What was seen in vain for one node is remembered for
    /// the next.
    fn reaches(&mut self, node: Node) -> bool {
        self.best = self.enough - 1;
        if node.points(self.optimal.setup()) >= self.enough {
            return true;
        }
        self.visit(node);
        self.best >= self.enough
    }

    fn visit(&mut self, node: Node) {
        let setup = self.optimal.setup();
        let node = node.without_dead(setup);
        let bound = self.optimal.bound(&node);
        if bound <= self.best || self.best >= self.enough {
            return;
        }
        if node.bricks | node.glass == 0 {
            self.best = bound;
            return;
        }
        if !self.seen.insert(node.key()) {
            return;
        }
        let mut next = Vec::new();
        node.builds(setup, |_, then| {
            self.best = self.best.max(then.points(setup));
            let bound = self.optimal.bound(&then);
            if bound > self.best {
                next.push((bound, then));
            }
        });
        let lying = |node: &Node| (node.bricks | node.glass).count_ones();
        next.sort_by_key(|(bound, then)| (-bound, lying(then)));
        for (_, then) in next {
            self.visit(then);
        }
        if self.best >= self.enough {
            // Left early: this node was not seen in vain.
            self.seen.remove(&node.key());
        }
    }
}

/// Spreads keys that are already numbers; the standard hash would be most of the search's time.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        let mixed = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::without_progress;

    fn optimal(setup: &str) -> Optimal {
        Optimal::new(setup.parse().unwrap(), &mut without_progress).unwrap()
    }

    #[test]
    fn a_played_out_game_reaches_the_value_of_the_start() {
        let sizes = (1..=4).flat_map(|n| (1..=4).map(move |m| format!("{n}x{m}")));
        for size in sizes.chain(["2x5", "5x2", "3x5", "1x25"].map(str::to_owned)) {
            for setup in [size.clone(), format!("{size} older")] {
                let optimal = optimal(&setup);
                let mut town = Tinytown::new(&optimal.setup());
                let mut earned = 0;
                while let Some(action) = optimal.best_action(&town) {
                    assert_eq!(optimal.value(&town), optimal.start_value(), "{setup}");
                    earned += town.step(action).unwrap();
                }
                assert!(town.is_over());
                assert_eq!(earned, optimal.start_value(), "{setup}");
                assert!(optimal.best_towns().contains(&town.buildings()), "{setup}");
            }
        }
    }

    #[test]
    fn the_best_values_follow_one_formula_where_it_was_seen() {
        for (n, m) in [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (2, 8), (4, 5)] {
            assert_eq!(optimal(&format!("{n}x{m}")).start_value(), 3 * (n - 1) * (m - 1) - 2);
        }
    }

    #[test]
    fn a_pattern_that_lies_in_the_resource_phase_is_kept() {
        let optimal = optimal("2x3");
        let mut town = Tinytown::new(&optimal.setup());
        let actions = ["glass 0,0", "end", "brick 0,1", "end", "brick 1,0", "end"];
        for action in actions {
            town.step(action.parse().unwrap()).unwrap();
        }
        let value = optimal.value(&town);
        let mut earned = 0;
        while let Some(action) = optimal.best_action(&town) {
            earned += town.step(action).unwrap();
        }
        assert_eq!(earned, value);
    }
}
