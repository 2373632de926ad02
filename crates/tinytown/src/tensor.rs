//! A state as arrays, for learners: the matrix, the mask of compact actions, counted choices.

use crate::action::Building;
use crate::town::bits;
use crate::{Action, Phase, Size, Tinytown};
use game::Game;

/// The version of the compact numbering and of the matrix. It moves when any number changes its
/// meaning.
pub const VERSION: u32 = 1;

/// Entries of the specification's matrix.
#[must_use]
pub const fn matrix_len(size: Size) -> usize {
    (size.rows() + 1) * (size.cols() + 1)
}

impl Tinytown {
    /// Writes the specification's matrix, row by row.
    ///
    /// # Panics
    /// If `out` is not [`matrix_len`] long.
    #[inline]
    pub fn write_matrix(&self, out: &mut [u8]) {
        assert_eq!(out.len(), matrix_len(self.size()), "one entry for each of the matrix");
        out.fill(0);
        let cols = self.size().cols();
        let sets = [self.bricks, self.glass, self.cottages, self.greenhouses];
        for (set, code) in sets.into_iter().zip(1..) {
            for index in bits(set) {
                out[index + index / cols] = code;
            }
        }
        if let Some(corner) = out.last_mut() {
            *corner = u8::from(self.phase() == Phase::Building);
        }
    }

    /// Writes a 1 for each legal action by its compact number, 0 for the others.
    ///
    /// # Panics
    /// If `out` is not [`Action::count`] long.
    #[inline]
    pub fn write_mask(&self, out: &mut [i8]) {
        assert_eq!(out.len(), Action::count(self.size()), "one entry for each action");
        out.fill(0);
        self.for_each_number(|number| out[number] = 1);
    }

    /// Tells `each` the compact number of every legal action, ascending.
    #[inline]
    pub fn for_each_number(&self, mut each: impl FnMut(usize)) {
        let size = self.size();
        let cells = size.cells();
        if self.phase() == Phase::Resource {
            let empty = self.empty();
            bits(empty).for_each(&mut each);
            bits(empty).for_each(|index| each(cells + index));
            return;
        }
        if self.is_over() {
            return;
        }
        let mut first = 2 * cells;
        for building in Building::ALL {
            let ways = building.pattern().len();
            for anchor in bits(self.ready(building)) {
                // Windows are counted without the last column.
                let window = anchor - anchor / size.cols();
                (0..ways).for_each(|way| each(first + window * ways + way));
            }
            first += ways * size.windows();
        }
        each(first);
    }

    /// Whether the action with this compact number is legal, and the action.
    #[inline]
    #[must_use]
    pub fn legal_number(&self, number: usize) -> Option<Action> {
        Action::from_number(self.size(), number).filter(|action| self.is_legal(*action))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Random;

    #[test]
    fn arrays_say_what_the_town_says() {
        let mut random = Random::new(2);
        for setup in ["1x1", "3x3", "2x4 older", "5x5", "1x7"] {
            for _ in 0..20 {
                let mut town = Tinytown::new(&setup.parse().unwrap());
                let size = town.size();
                let mut actions = Vec::new();
                loop {
                    let mut matrix = vec![9; matrix_len(size)];
                    town.write_matrix(&mut matrix);
                    assert_eq!(matrix, town.to_matrix());
                    town.moves(&mut actions);
                    let numbers: Vec<usize> =
                        actions.iter().map(|a| a.number(size).unwrap().into()).collect();
                    let mut listed = Vec::new();
                    town.for_each_number(|number| listed.push(number));
                    assert_eq!(listed, numbers, "{setup}\n{town}");
                    let mut mask = vec![9; Action::count(size)];
                    town.write_mask(&mut mask);
                    for (number, bit) in mask.iter().enumerate() {
                        assert_eq!(*bit == 1, town.legal_number(number).is_some());
                        assert_eq!(*bit == 1, numbers.contains(&number));
                    }
                    let Some(action) = random.pick(&actions) else { break };
                    town.play_unchecked(*action, |_| {});
                }
            }
        }
    }
}
