//! Every state of a grid has a rank, found by arithmetic: nothing is hashed, nothing is stored.
//!
//! A state is a layout of buildings, what lies on the other squares, and the phase. Layouts are
//! listed; what lies is a number with a digit 0, 1 or 2 (nothing, brick, glass) for each free
//! square. A place only raises a digit, an end only lowers the phase, a building only raises the
//! layout: so ranks taken by layout, then by resources, put every state before its successors
//! (but for *end*, one rank down), and one sweep backwards solves the game.

use crate::progress::{Progress, ProgressTicker, Stopped};
use crate::shape::spots;
use crate::town::bits;
use crate::{
    Action, Building, Counts, Phase, Resource, Setup, TableError, Tinytown, TooLarge, Variant,
};

/// The ranks of all states of one setup, and their successors.
pub struct Space {
    setup: Setup,
    /// (occupied squares, those with greenhouses), sorted.
    layouts: Vec<(u32, u32)>,
    /// For each set of occupied squares, where its layouts start.
    starts: Vec<u32>,
    /// For each layout, the fillings of the layouts before it; one more at the end.
    fillings: Vec<u32>,
    /// The layout of every filling whose number is a multiple of 2^`GUIDE`: rank to layout is one
    /// look here and a short walk.
    guide: Vec<u32>,
    numbers: Numbers,
}

/// A state's rank: below [`Space::len`]. Ranks of states that no game reaches exist, too: the
/// empty grid in the building phase, and in the older variant what would come after its end.
pub type Rank = u32;

const GUIDE: u32 = 6;

const POWERS: [u32; 21] = {
    let mut powers = [1; 21];
    let mut k = 1;
    while k < 21 {
        powers[k] = powers[k - 1] * 3;
        k += 1;
    }
    powers
};

/// A state taken apart, as ranks see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parts {
    pub(crate) layout: u32,
    pub(crate) filling: u32,
    pub(crate) bricks: u32,
    pub(crate) glass: u32,
    pub(crate) building_phase: bool,
}

/// For each anchor, by its square's number, the first compact number of its buildings; and end's.
struct Numbers {
    cottages: Vec<u8>,
    greenhouses: Vec<u8>,
    end: u8,
}

impl Space {
    /// Lists the layouts of a setup.
    ///
    /// # Errors
    /// If there are too many states for ranks or for `memory` bytes, or `progress` stops it.
    pub fn new(setup: Setup, memory: u64, progress: &mut Progress) -> Result<Self, TableError> {
        let counts = Counts::of(setup, progress)?;
        let bytes = Self::bytes(setup, &counts);
        TooLarge::check("the table of states", setup, counts, counts.ranks, bytes, memory)?;
        Ok(Self::listed(setup, progress)?)
    }

    /// As [`new`](Self::new), for a caller that has checked the counts.
    pub(crate) fn listed(setup: Setup, progress: &mut Progress) -> Result<Self, Stopped> {
        let layouts = list_layouts(setup, progress)?;
        let mut starts = vec![0u32; (1 << setup.size.cells()) + 1];
        for &(occupied, _) in &layouts {
            starts[occupied as usize + 1] += 1;
        }
        for occupied in 1..starts.len() {
            starts[occupied] += starts[occupied - 1];
        }
        let mut fillings = Vec::with_capacity(layouts.len() + 1);
        let mut total = 0u64;
        for &(occupied, _) in &layouts {
            fillings.push(total as u32);
            total += u64::from(POWERS[(setup.size.all() & !occupied).count_ones() as usize]);
        }
        // Both phases of every filling have a rank.
        assert!(2 * total < u64::from(u32::MAX), "{setup} has more states than 32-bit ranks");
        let total = total as u32;
        fillings.push(total);
        let mut guide = Vec::with_capacity((total >> GUIDE) as usize + 1);
        let mut layout = 0;
        for filling in (0..total).step_by(1 << GUIDE) {
            while fillings[layout + 1] <= filling {
                layout += 1;
            }
            guide.push(layout as u32);
        }
        let numbers = Numbers::new(setup);
        Ok(Self { setup, layouts, starts, fillings, guide, numbers })
    }

    /// The bytes that the table of a setup with these counts takes.
    #[must_use]
    pub fn bytes(setup: Setup, counts: &Counts) -> u128 {
        let listed = counts.layouts * 8 + (counts.layouts + 1) * 4;
        let starts = ((1u128 << setup.size.cells()) + 1) * 4;
        let guide = (((counts.ranks / 2) >> GUIDE) + 1) * 4;
        listed + starts + guide
    }

    /// The setup.
    #[must_use]
    pub fn setup(&self) -> Setup {
        self.setup
    }

    /// How many ranks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        2 * self.fillings[self.layouts.len()] as usize
    }

    /// Whether there is no rank: never, a game has a start.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state's rank.
    ///
    /// # Panics
    /// If the state is one of another setup.
    #[must_use]
    pub fn rank(&self, town: &Tinytown) -> Rank {
        assert_eq!(town.setup(), self.setup, "ranks of another setup");
        let layout = self.layout(town.cottages | town.greenhouses, town.greenhouses);
        let mut filling = self.fillings[layout as usize];
        for (digit, square) in bits(town.free()).enumerate() {
            let code = (town.bricks >> square & 1) + 2 * (town.glass >> square & 1);
            filling += code * POWERS[digit];
        }
        2 * filling + Rank::from(town.phase() == Phase::Building)
    }

    /// The state with this rank. It may be one that no game reaches.
    ///
    /// # Panics
    /// If the rank is not below [`len`](Self::len).
    #[must_use]
    pub fn state(&self, rank: Rank) -> Tinytown {
        let parts = self.parts(rank);
        let (occupied, greenhouses) = self.layouts[parts.layout as usize];
        let sets = [parts.bricks, parts.glass, occupied & !greenhouses, greenhouses];
        let phase = if parts.building_phase { Phase::Building } else { Phase::Resource };
        Tinytown::from_parts(self.setup, sets, phase)
    }

    /// Takes a rank apart.
    pub(crate) fn parts(&self, rank: Rank) -> Parts {
        let mut filling = rank >> 1;
        let mut layout = self.guide[(filling >> GUIDE) as usize];
        while self.fillings[layout as usize + 1] <= filling {
            layout += 1;
        }
        filling -= self.fillings[layout as usize];
        let (mut bricks, mut glass, mut rest) = (0, 0, filling);
        let mut free = self.free(layout);
        while rest > 0 {
            let square = free & free.wrapping_neg();
            match rest % 3 {
                1 => bricks |= square,
                2 => glass |= square,
                _ => {}
            }
            rest /= 3;
            free ^= square;
        }
        Parts { layout, filling, bricks, glass, building_phase: rank & 1 == 1 }
    }

    /// The points of a layout's buildings.
    pub(crate) fn points(&self, layout: u32) -> i32 {
        let (occupied, greenhouses) = self.layouts[layout as usize];
        let both = occupied.count_ones() as usize;
        let greenhouses = greenhouses.count_ones() as usize;
        self.setup.points(both - greenhouses, greenhouses)
    }

    /// Calls `each` with the compact number, the successor's rank and the reward of every legal
    /// action, in the order of the numbers.
    #[inline]
    pub(crate) fn successors(&self, at: &Parts, mut each: impl FnMut(u8, Rank, i32)) {
        let free = self.free(at.layout);
        let empty = free & !(at.bricks | at.glass);
        let here = 2 * (self.fillings[at.layout as usize] + at.filling);
        if !at.building_phase {
            let last = empty & empty.wrapping_sub(1) == 0;
            let ends_at_once = last && self.setup.variant == Variant::Older;
            let cells = self.setup.size.cells();
            for resource in Resource::ALL {
                let code = resource as u32 + 1;
                let mut reward = 0;
                if ends_at_once && !self.lies_after(at, resource, empty) {
                    reward = self.points(at.layout);
                }
                for square in bits(empty) {
                    let digit = (free & ((1 << square) - 1)).count_ones() as usize;
                    let number = (resource as usize * cells + square) as u8;
                    each(number, here + 2 * code * POWERS[digit] + 1, reward);
                }
            }
            return;
        }
        let mut built = false;
        for building in Building::ALL {
            let anchors = self.lying(building, at.bricks, at.glass);
            if anchors != 0 {
                built = true;
                self.builds(at, free, building, anchors, &mut each);
            }
        }
        if empty != 0 {
            each(self.numbers.end, here, 0);
        } else if built || self.setup.variant == Variant::Spec {
            each(self.numbers.end, here, self.points(at.layout));
        }
    }

    fn builds(
        &self,
        at: &Parts,
        free: u32,
        building: Building,
        anchors: u32,
        each: &mut impl FnMut(u8, Rank, i32),
    ) {
        let cols = self.setup.size.cols();
        let (occupied, greenhouses) = self.layouts[at.layout as usize];
        let digit = |square: usize| (free & ((1 << square) - 1)).count_ones() as usize;
        for anchor in bits(anchors) {
            let squares = building.pattern().iter().map(|&(row, col, resource)| {
                (anchor + row as usize * cols + col as usize, resource)
            });
            let taken = squares
                .clone()
                .map(|(square, resource)| (resource as u32 + 1) * POWERS[digit(square)])
                .sum::<u32>();
            let rest = at.filling - taken;
            let first = match building {
                Building::Cottage => self.numbers.cottages[anchor],
                Building::Greenhouse => self.numbers.greenhouses[anchor],
            };
            for (entry, (square, _)) in squares.enumerate() {
                let stands = 1u32 << square;
                let greenhouses = match building {
                    Building::Cottage => greenhouses,
                    Building::Greenhouse => greenhouses | stands,
                };
                let layout = self.layout(occupied | stands, greenhouses);
                // The square is free no more: its digit, 0 by now, goes.
                let power = POWERS[digit(square)];
                let filling = rest % power + rest / (3 * power) * power;
                each(first + entry as u8, 2 * (self.fillings[layout as usize] + filling) + 1, 0);
            }
        }
    }

    /// Whether something can be built once the resource is put on the last empty square.
    fn lies_after(&self, at: &Parts, resource: Resource, square: u32) -> bool {
        let (bricks, glass) = match resource {
            Resource::Brick => (at.bricks | square, at.glass),
            Resource::Glass => (at.bricks, at.glass | square),
        };
        Building::ALL.into_iter().any(|building| self.lying(building, bricks, glass) != 0)
    }

    /// The anchors where the building's pattern lies.
    fn lying(&self, building: Building, bricks: u32, glass: u32) -> u32 {
        let cols = self.setup.size.cols();
        let pattern = building.pattern().iter();
        pattern.fold(self.setup.size.anchors(), |anchors, &(row, col, resource)| {
            let lying = match resource {
                Resource::Brick => bricks,
                Resource::Glass => glass,
            };
            anchors & lying >> (row as usize * cols + col as usize)
        })
    }

    pub(crate) fn layouts(&self) -> usize {
        self.layouts.len()
    }

    /// Every filling of a layout, in rising order; the phase is left for the caller to set.
    #[inline]
    pub(crate) fn fillings_up<E>(
        &self,
        layout: u32,
        mut each: impl FnMut(Parts) -> Result<(), E>,
    ) -> Result<(), E> {
        let free = self.free(layout);
        let mut at = Parts { layout, filling: 0, bricks: 0, glass: 0, building_phase: false };
        loop {
            each(at)?;
            // Adds 1 to a number whose digits are squares: glass carries, brick becomes glass.
            let square = lowest(free & !at.glass);
            if square == 0 {
                return Ok(());
            }
            let carried = square - 1;
            at.glass = at.glass & !carried | at.bricks & square;
            at.bricks ^= square;
            at.filling += 1;
        }
    }

    /// Every filling of a layout, in falling order; the phase is left for the caller to set.
    #[inline]
    pub(crate) fn fillings_down<E>(
        &self,
        layout: u32,
        mut each: impl FnMut(Parts) -> Result<(), E>,
    ) -> Result<(), E> {
        let free = self.free(layout);
        let filling = POWERS[free.count_ones() as usize] - 1;
        let mut at = Parts { layout, filling, bricks: 0, glass: free, building_phase: false };
        loop {
            each(at)?;
            // Takes 1 away: nothing borrows, glass becomes brick, brick becomes nothing.
            let square = lowest(at.bricks | at.glass);
            if square == 0 {
                return Ok(());
            }
            let borrowed = free & (square - 1);
            at.bricks ^= square;
            at.glass = at.glass & !square | borrowed;
            at.filling -= 1;
        }
    }

    /// The squares of a layout without a building.
    pub(crate) fn free(&self, layout: u32) -> u32 {
        self.setup.size.all() & !self.layouts[layout as usize].0
    }

    /// The rank of a layout's first filling, in the resource phase.
    pub(crate) fn first_rank(&self, layout: u32) -> Rank {
        2 * self.fillings[layout as usize]
    }

    fn layout(&self, occupied: u32, greenhouses: u32) -> u32 {
        let start = self.starts[occupied as usize] as usize;
        let end = self.starts[occupied as usize + 1] as usize;
        let within = self.layouts[start..end].binary_search_by_key(&greenhouses, |layout| layout.1);
        (start + within.expect("the layout of a reachable state is listed")) as u32
    }
}

/// The lowest square of a set, or the empty set.
const fn lowest(set: u32) -> u32 {
    set & set.wrapping_neg()
}

impl Numbers {
    fn new(setup: Setup) -> Self {
        let size = setup.size;
        let first = |building| {
            let number = |index| {
                let anchor = size.square(index);
                Action::Build { building, anchor, at: anchor }.number(size).unwrap_or(0)
            };
            (0..size.cells()).map(number).collect()
        };
        Self {
            cottages: first(Building::Cottage),
            greenhouses: first(Building::Greenhouse),
            end: (Action::count(size) - 1) as u8,
        }
    }
}

/// All reachable layouts, by following every building that could come next from the empty grid.
fn list_layouts(setup: Setup, progress: &mut Progress) -> Result<Vec<(u32, u32)>, Stopped> {
    let size = setup.size;
    let mut all = vec![(0, 0)];
    let mut latest = all.clone();
    let mut meter = ProgressTicker::new("listing layouts", size.cells() as u64, 0, progress);
    // One round a building: the layouts with one more than the round before.
    for round in 1.. {
        meter.at(round)?;
        let mut next = Vec::new();
        for &(occupied, greenhouses) in &latest {
            let free = size.all() & !occupied;
            for spot in bits(free & spots(size, Building::Cottage, free)) {
                next.push((occupied | 1 << spot, greenhouses));
            }
            for spot in bits(free & spots(size, Building::Greenhouse, free)) {
                next.push((occupied | 1 << spot, greenhouses | 1 << spot));
            }
        }
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            break;
        }
        all.extend_from_slice(&next);
        latest = next;
    }
    all.sort_unstable();
    all.shrink_to_fit();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Counts;
    use crate::progress::without_progress;
    use game::Game;

    /// Ranks, successors and rewards are those of the rules, on every state.
    fn check(text: &str) {
        let setup: Setup = text.parse().unwrap();
        let space = Space::new(setup, u64::MAX, &mut without_progress).unwrap();
        let size = setup.size;
        let mut moves = Vec::new();
        for rank in 0..space.len() as Rank {
            let town = space.state(rank);
            assert_eq!(space.rank(&town), rank, "{text} {}", town.line());
            town.moves(&mut moves);
            let mut expected = Vec::new();
            for action in &moves {
                let mut then = town;
                let reward = then.step(*action).unwrap();
                expected.push((action.number(size).unwrap(), space.rank(&then), reward));
            }
            let mut found = Vec::new();
            space.successors(&space.parts(rank), |number, then, reward| {
                found.push((number, then, reward));
            });
            // A state that is over has no moves, though its parts would allow some.
            assert_eq!(found, expected, "{text} {}", town.line());
        }
    }

    #[test]
    fn successors_are_those_of_the_rules() {
        for setup in ["1x1", "1x3", "2x2", "2x3", "3x2", "2x2 older", "2x3 older", "3x2 older"] {
            check(setup);
        }
    }

    #[test]
    fn fillings_come_in_order_both_ways() {
        let space = Space::new("2x3".parse().unwrap(), u64::MAX, &mut without_progress).unwrap();
        for layout in 0..space.layouts() as u32 {
            let mut up = Vec::new();
            let done = space.fillings_up(layout, |at| {
                assert_eq!(at, space.parts(space.first_rank(layout) + 2 * at.filling));
                up.push(at);
                Ok::<(), ()>(())
            });
            assert_eq!(done, Ok(()));
            assert_eq!(up.len(), POWERS[space.free(layout).count_ones() as usize] as usize);
            let mut down = Vec::new();
            let done = space.fillings_down(layout, |at| {
                down.push(at);
                Ok::<(), ()>(())
            });
            assert_eq!(done, Ok(()));
            down.reverse();
            assert_eq!(up, down);
        }
    }

    #[test]
    fn there_is_one_rank_more_than_states() {
        for setup in ["2x3", "2x4", "3x3"] {
            let setup: Setup = setup.parse().unwrap();
            let space = Space::new(setup, u64::MAX, &mut without_progress).unwrap();
            let counts = Counts::of(setup, &mut without_progress).unwrap();
            assert_eq!(space.len() as u128, counts.states + 1);
            assert_eq!(space.layouts() as u128, counts.layouts);
        }
    }

    #[test]
    fn tables_are_as_large_as_was_estimated() {
        for setup in ["1x1", "2x3", "3x3", "2x3 older", "3x3 older"] {
            let setup: Setup = setup.parse().unwrap();
            let space = Space::new(setup, u64::MAX, &mut without_progress).unwrap();
            let counts = Counts::of(setup, &mut without_progress).unwrap();
            assert_eq!(space.len() as u128, counts.ranks, "{setup}");
            let held = 8 * space.layouts.capacity()
                + 4 * (space.starts.capacity() + space.fillings.capacity());
            let held = held + 4 * space.guide.capacity();
            assert_eq!(held as u128, Space::bytes(setup, &counts), "{setup}");
        }
    }
}
