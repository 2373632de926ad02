//! Exact counts of states, transitions and terminal states, without enumerating them.
//!
//! Resources can be put down just in time, so every filling of every reachable layout of
//! buildings with resources is reachable in both phases, and the counts are sums over layouts
//! (the building-layout identity). The layouts themselves are counted by the set of squares they
//! occupy, which makes it 2^nm small steps instead of one for each of up to 3^nm layouts.

use crate::progress::{Progress, ProgressTicker, Stopped};
use crate::shape::spots;
use crate::{Building, Setup, Size, Variant};

/// How large a state-transition graph is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Reachable layouts of buildings.
    pub layouts: u128,
    /// Reachable states, terminal ones included.
    pub states: u128,
    /// Legal actions over all states.
    pub transitions: u128,
    /// States in which the game is over.
    pub terminals: u128,
    /// Ranks of a [`Space`](crate::Space): the states, and what has a rank though no game reaches
    /// it. Tables over all states are as long as this.
    pub ranks: u128,
}

impl Counts {
    /// The exact counts.
    ///
    /// # Errors
    /// If `progress` stops it: on 25 squares it takes some seconds and 130 MB, on 16 an instant.
    pub fn of(setup: Setup, progress: &mut Progress) -> Result<Self, Stopped> {
        let size = setup.size;
        let layouts = layouts_by_occupied(size, progress)?;
        let ends_at_once = match setup.variant {
            Variant::Spec => Vec::new(),
            Variant::Older => unbuildable_fillings(size, progress)?,
        };
        let powers: Vec<u128> = (0..=size.cells() as u32).map(|power| 3u128.pow(power)).collect();
        let mut counts = Self { layouts: 0, states: 0, transitions: 0, terminals: 0, ranks: 0 };
        for (occupied, &number) in layouts.iter().enumerate() {
            if number == 0 {
                continue;
            }
            let number = u128::from(number);
            let free = size.all() & !(occupied as u32);
            let empty = free.count_ones();
            let three = |power: u32| powers[power as usize];
            let windows = |building| u128::from(windows(size, building, free));
            let placings = if empty == 0 { 0 } else { 2 * u128::from(empty) * three(empty - 1) };
            let cottages = windows(Building::Cottage) * 3 * three(empty.saturating_sub(3));
            let greenhouses = windows(Building::Greenhouse) * 4 * three(empty.saturating_sub(4));
            // In the older variant these are over before the end that would lead on from them.
            let over = ends_at_once.get(occupied).map_or(0, |n| u128::from(*n));
            counts.layouts += number;
            counts.ranks += number * 2 * three(empty);
            counts.states += number * (2 * three(empty) - over);
            counts.terminals += number << empty;
            counts.transitions +=
                number * (placings + three(empty) + cottages + greenhouses - over);
        }
        // The empty grid is reached in the resource phase only.
        counts.states -= 1;
        counts.transitions -= 1;
        Ok(counts)
    }
}

/// How many of the building's patterns lie wholly on free squares.
fn windows(size: Size, building: Building, free: u32) -> u32 {
    let pattern = building.pattern().iter();
    let anchors = pattern.fold(size.anchors(), |anchors, &(row, col, _)| {
        anchors & free >> (row as usize * size.cols() + col as usize)
    });
    anchors.count_ones()
}

/// How many reachable layouts occupy each set of squares.
///
/// A layout is reachable if it can be taken back piece by piece, and then it stays reachable when
/// any of the pieces that can go first are taken. So each layout is counted once by inclusion and
/// exclusion over the sets of pieces that can go first; whether a piece can does not depend on
/// what the other squares carry, only on which are free.
fn layouts_by_occupied(size: Size, progress: &mut Progress) -> Result<Vec<u32>, Stopped> {
    let mut layouts = vec![0u32; 1 << size.cells()];
    layouts[0] = 1;
    let mut meter = ProgressTicker::new("counting layouts", layouts.len() as u64, 14, progress);
    for occupied in 1..=size.all() {
        meter.at(u64::from(occupied))?;
        let free = size.all() & !occupied;
        let cottages = occupied & spots(size, Building::Cottage, free);
        let greenhouses = occupied & spots(size, Building::Greenhouse, free);
        let (first, either) = (cottages | greenhouses, cottages & greenhouses);
        let mut sum = 0i64;
        let mut taken = first;
        while taken != 0 {
            let rest = i64::from(layouts[(occupied & !taken) as usize]);
            let ways = rest << (taken & either).count_ones();
            sum += if taken.count_ones() % 2 == 1 { ways } else { -ways };
            taken = (taken - 1) & first;
        }
        layouts[occupied as usize] =
            u32::try_from(sum).expect("a set of at most 25 squares has at most 2^25 layouts");
    }
    Ok(layouts)
}

/// For each occupied set, how many ways fill the other squares with resources so that nothing can
/// be built.
fn unbuildable_fillings(size: Size, progress: &mut Progress) -> Result<Vec<u32>, Stopped> {
    let mut fillings = vec![0u32; 1 << size.cells()];
    let mut meter = ProgressTicker::new("counting fillings", fillings.len() as u64, 14, progress);
    // Squares are filled along the longer side, so that few of them border on those still to come.
    let by_columns = size.cols() > size.rows();
    let line = size.rows().min(size.cols());
    let mut filler = Filler { size, by_columns, line, fillings: &mut fillings };
    let mut start = vec![0u32; 2 << line];
    start[0] = 1;
    filler.fill(0, 0, &start, &mut meter)?;
    Ok(fillings)
}

/// Walks over all occupied sets, square by square; `ways` counts fillings of the squares behind by
/// what lies on the last `line + 1` of them (1 is glass; bricks and buildings are 0).
struct Filler<'a> {
    size: Size,
    by_columns: bool,
    line: usize,
    fillings: &'a mut [u32],
}

impl Filler<'_> {
    fn fill(
        &mut self,
        done: usize,
        occupied: u32,
        ways: &[u32],
        meter: &mut ProgressTicker,
    ) -> Result<(), Stopped> {
        if done == self.size.cells() {
            self.fillings[occupied as usize] = ways.iter().sum();
            return meter.at(u64::from(occupied));
        }
        let (major, minor) = (done / self.line, done % self.line);
        let (row, col) = if self.by_columns { (minor, major) } else { (major, minor) };
        let here = row * self.size.cols() + col;
        let mut next = vec![0u32; ways.len()];
        for building in [true, false] {
            next.fill(0);
            for (last, &count) in ways.iter().enumerate().filter(|(_, count)| **count > 0) {
                for glass in 0..if building { 1 } else { 2 } {
                    let free = !building;
                    let ready = row > 0
                        && col > 0
                        && self.pattern_lies(occupied, here, last, free, glass == 1);
                    if !ready {
                        next[(last << 1 | glass) & (ways.len() - 1)] += count;
                    }
                }
            }
            let occupied = occupied | u32::from(building) << here;
            self.fill(done + 1, occupied, &next, meter)?;
        }
        Ok(())
    }

    /// Whether a pattern lies in the window whose bottom-right square is `here`, where nothing or
    /// glass or brick is about to be put.
    fn pattern_lies(
        &self,
        occupied: u32,
        here: usize,
        last: usize,
        free: bool,
        glass: bool,
    ) -> bool {
        let cols = self.size.cols();
        let glass_at = |back: usize| last >> (back - 1) & 1 == 1;
        let free_at = |square: usize| occupied >> square & 1 == 0;
        let (left, above) = if self.by_columns { (self.line, 1) } else { (1, self.line) };
        let top_left = (free_at(here - cols - 1), glass_at(self.line + 1));
        let top_right = (free_at(here - cols), glass_at(above));
        let bottom_left = (free_at(here - 1), glass_at(left));
        const BRICK: (bool, bool) = (true, false);
        const GLASS: (bool, bool) = (true, true);
        let cottage = (top_left, top_right, bottom_left) == (GLASS, BRICK, BRICK);
        let greenhouse =
            (top_left, top_right, bottom_left) == (BRICK, BRICK, GLASS) && (free, glass) == GLASS;
        cottage || greenhouse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::without_progress;
    use std::ops::ControlFlow;

    fn counts(setup: &str) -> Counts {
        Counts::of(setup.parse().unwrap(), &mut without_progress).unwrap()
    }

    #[test]
    fn the_identity_gives_the_published_figures() {
        let table = [
            ("1x1", 1, 5, 4, 2),
            ("2x2", 11, 593, 942, 84),
            ("2x3", 81, 14_849, 30_168, 1_284),
            ("3x2", 81, 14_849, 30_168, 1_284),
            ("2x4", 535, 345_653, 859_935, 18_004),
            ("3x3", 2_840, 2_267_891, 5_932_591, 105_260),
            ("2x5", 3_401, 7_871_201, 23_221_824, 245_284),
            ("3x4", 79_101, 298_896_641, 965_373_023, 7_197_020),
            ("4x4", 8_120_698, 206_813_040_371, 832_141_679_711, 2_170_804_224),
        ];
        for (setup, layouts, states, transitions, terminals) in table {
            let ranks = states + 1;
            let expected = Counts { layouts, states, transitions, terminals, ranks };
            assert_eq!(counts(setup), expected, "{setup}");
        }
    }

    #[test]
    fn the_older_variant_has_fewer_states_and_as_many_ends() {
        let table = [
            ("2x2 older", 513, 862, 84),
            ("2x3 older", 13_661, 28_980, 1_284),
            ("3x2 older", 13_662, 28_981, 1_284),
        ];
        for (setup, states, transitions, terminals) in table {
            let found = counts(setup);
            let found = (found.states, found.transitions, found.terminals);
            assert_eq!(found, (states, transitions, terminals), "{setup}");
        }
    }

    #[test]
    fn counting_can_be_stopped() {
        let mut calls = 0;
        let stopped = Counts::of("4x5".parse().unwrap(), &mut |_, _, _| {
            calls += 1;
            ControlFlow::Break(())
        });
        assert_eq!((stopped, calls), (Err(Stopped), 1));
    }
}
