//! What can still be built on a set of free squares when no resource lies in the way.
//!
//! It depends on the free squares only, and different sets rarely differ in it: 2^25 sets of a
//! 5×5 grid have 243 different prospects. So a table holds one small number for each set.

use crate::progress::{Progress, ProgressTicker, Stopped};
use crate::shape::spots;
use crate::town::bits;
use crate::{Building, MAX_CELLS, Setup};
use std::collections::HashMap;

/// The most that can be built from each set of free squares, under one setup.
pub(crate) struct Prospects {
    setup: Setup,
    /// The number of the front for each set of free squares.
    front_of: Vec<u16>,
    fronts: Vec<Front>,
    /// The best final points by front, cottages and greenhouses that stand already.
    best: Vec<i8>,
}

/// For each number of greenhouses, the most cottages that go with at least as many.
type Front = [u8; LANES];

/// No building without 3 free squares, so there are always fewer buildings than squares.
const LANES: usize = MAX_CELLS;

/// So many greenhouses cannot be had. Otherwise a lane holds the cottages + 1.
const NONE: u8 = 0;

impl Prospects {
    pub(crate) fn new(setup: Setup, progress: &mut Progress) -> Result<Self, Stopped> {
        let size = setup.size;
        let mut book = Book::default();
        let mut nothing = [NONE; LANES];
        nothing[0] = 1;
        let nothing = book.number(nothing);
        let mut front_of = vec![nothing; 1 << size.cells()];
        let mut meter = ProgressTicker::new("looking ahead", front_of.len() as u64, 16, progress);
        // Without a window nothing is ever built.
        let sets = if size.windows() == 0 { 0 } else { size.all() };
        for free in 1..=sets {
            meter.at(u64::from(free))?;
            // Every building that could come next leaves a smaller set, whose front is known.
            let mut front = nothing;
            for spot in bits(free & spots(size, Building::Cottage, free)) {
                let then = book.one_more(front_of[(free & !(1 << spot)) as usize]).0;
                front = book.either(front, then);
            }
            for spot in bits(free & spots(size, Building::Greenhouse, free)) {
                let then = book.one_more(front_of[(free & !(1 << spot)) as usize]).1;
                front = book.either(front, then);
            }
            front_of[free as usize] = front;
        }
        let mut best = Vec::with_capacity(book.fronts.len() * LANES * LANES);
        for front in &book.fronts {
            for (cottages, greenhouses) in (0..LANES).flat_map(|c| (0..LANES).map(move |g| (c, g)))
            {
                let ends = ends(front).map(|(c, g)| setup.points(cottages + c, greenhouses + g));
                let most = ends.max().expect("building nothing more is always possible");
                // More buildings than squares never stand: what is not an i8 is never read.
                best.push(i8::try_from(most).unwrap_or(i8::MAX));
            }
        }
        Ok(Self { setup, front_of, fronts: book.fronts, best })
    }

    pub(crate) fn setup(&self) -> Setup {
        self.setup
    }

    /// The best final points when these buildings stand and these squares are free and empty.
    pub(crate) fn best(&self, free: u32, cottages: usize, greenhouses: usize) -> i32 {
        let front = self.front_of[free as usize] as usize;
        i32::from(self.best[(front * LANES + cottages) * LANES + greenhouses])
    }

    /// The cottages and greenhouses of the best games from the start.
    pub(crate) fn best_towns(&self) -> Vec<(usize, usize)> {
        let all = self.setup.size.all();
        let best = self.best(all, 0, 0);
        let front = &self.fronts[self.front_of[all as usize] as usize];
        ends(front).filter(|&(c, g)| self.setup.points(c, g) == best).collect()
    }
}

/// The buildings (cottages, greenhouses) that no other choice beats in both.
fn ends(front: &Front) -> impl Iterator<Item = (usize, usize)> {
    (0..LANES).filter_map(move |greenhouses| {
        let cottages = front[greenhouses];
        let more = front.get(greenhouses + 1).copied().unwrap_or(NONE);
        (cottages > more).then(|| (cottages as usize - 1, greenhouses))
    })
}

/// Numbers the fronts as they come up, and remembers what was made from what.
#[derive(Default)]
struct Book {
    fronts: Vec<Front>,
    numbers: HashMap<Front, u16>,
    /// For each front: the front with one more cottage, and with one more greenhouse.
    one_more: Vec<Option<(u16, u16)>>,
    /// For each pair of fronts, row by row: the front that may choose between them.
    either: Vec<Vec<Option<u16>>>,
}

impl Book {
    fn number(&mut self, front: Front) -> u16 {
        *self.numbers.entry(front).or_insert_with(|| {
            self.fronts.push(front);
            self.one_more.push(None);
            self.either.push(Vec::new());
            u16::try_from(self.fronts.len() - 1).expect("grids of 25 squares have 250 fronts")
        })
    }

    #[inline]
    fn one_more(&mut self, front: u16) -> (u16, u16) {
        match self.one_more[front as usize] {
            Some(known) => known,
            None => self.add_one_more(front),
        }
    }

    #[cold]
    fn add_one_more(&mut self, front: u16) -> (u16, u16) {
        let from = self.fronts[front as usize];
        let cottage = from.map(|lane| if lane == NONE { NONE } else { lane + 1 });
        let mut greenhouse = [from[0]; LANES];
        greenhouse[1..].copy_from_slice(&from[..LANES - 1]);
        let made = (self.number(cottage), self.number(greenhouse));
        self.one_more[front as usize] = Some(made);
        made
    }

    #[inline]
    fn either(&mut self, a: u16, b: u16) -> u16 {
        if a == b {
            return a;
        }
        match self.either[a as usize].get(b as usize) {
            Some(&Some(known)) => known,
            _ => self.add_either(a, b),
        }
    }

    #[cold]
    fn add_either(&mut self, a: u16, b: u16) -> u16 {
        let (left, right) = (self.fronts[a as usize], self.fronts[b as usize]);
        let made = self.number(std::array::from_fn(|lane| left[lane].max(right[lane])));
        let row = &mut self.either[a as usize];
        if row.len() <= b as usize {
            row.resize(b as usize + 1, None);
        }
        row[b as usize] = Some(made);
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::without_progress;

    #[test]
    fn the_best_towns_are_the_published_ones() {
        let table = [
            ("1x1", -1, vec![(0, 0)]),
            ("2x2", 1, vec![(1, 1)]),
            ("2x3", 4, vec![(2, 2)]),
            ("3x2", 4, vec![(2, 2)]),
            ("2x4", 7, vec![(3, 3)]),
            ("3x3", 10, vec![(4, 3)]),
            ("2x5", 10, vec![(4, 4)]),
            ("3x4", 16, vec![(6, 4)]),
            ("4x4", 25, vec![(9, 5)]),
        ];
        for (setup, points, towns) in table {
            let prospects = Prospects::new(setup.parse().unwrap(), &mut without_progress).unwrap();
            assert_eq!(prospects.best(prospects.setup.size.all(), 0, 0), points, "{setup}");
            assert_eq!(prospects.best_towns(), towns, "{setup}");
        }
    }
}
