//! By how many points a net's margins are too hopeful, by tiles left.
//!
//! A net learns from games with exploration, and values the end of a turn for who has just moved: early
//! in a game it expects more than comes. Its odds of winning come true; its margins do not. Between
//! turns of one position that makes hardly a difference; for values of different moments, and for those
//! that are shown, it is taken off by the evaluation. `bastide calibrate --out` makes the tables.

use carcassonne::{Edition, Position};
use game::Player;
use search::Values;

/// The first line of a table.
pub const HEADER: &str = "tiles_left,mover,others";

/// What a net's margins are off by; values between two rows are interpolated.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Calibration {
    /// Tiles left, and how many points the margin is too high for who moved last and for the others:
    /// fewest tiles first.
    rows: Vec<[f32; 3]>,
}

impl Calibration {
    /// Reads a table; `None` if it is none.
    #[must_use]
    pub fn read(table: &str) -> Option<Self> {
        let mut lines = table.lines();
        lines.next().filter(|line| *line == HEADER)?;
        let rows: Option<Vec<[f32; 3]>> = lines
            .map(|line| {
                let numbers: Option<Vec<f32>> =
                    line.split(',').map(|word| word.parse().ok()).collect();
                numbers?.try_into().ok().filter(|row: &[f32; 3]| row.iter().all(|x| x.is_finite()))
            })
            .collect();
        rows.filter(|rows| rows.is_sorted_by(|a, b| a[0] < b[0]))
            .filter(|rows| rows.first().is_none_or(|row| row[0] >= 0.0))
            .map(|rows| Self { rows })
    }

    /// What is off with so many tiles left, for who moved last and for the others.
    #[must_use]
    pub fn at(&self, tiles_left: usize) -> (f32, f32) {
        let left = tiles_left as f32;
        let after = self.rows.partition_point(|row| row[0] < left);
        match (after.checked_sub(1).map(|before| self.rows[before]), self.rows.get(after)) {
            (None, None) => (0.0, 0.0),
            // With an empty bag everything is counted, and nothing is off.
            (None, Some(row)) => (row[1] * left / row[0], row[2] * left / row[0]),
            (Some(row), None) => (row[1], row[2]),
            (Some(low), Some(high)) => {
                let share = (left - low[0]) / (high[0] - low[0]);
                let between = |i: usize| low[i] + share * (high[i] - low[i]);
                (between(1), between(2))
            }
        }
    }

    /// By how many points the margin of a position is too high for a player.
    pub(crate) fn of<E: Edition>(&self, position: &Position<E>, player: Player) -> f32 {
        let (mover, others) = self.at(position.tiles_left());
        if player == position.last_player() { mover } else { others }
    }

    /// Takes off what the margins of a position are off by, and makes the odds of winning add up to 1:
    /// a net for many players values each seat on its own, and somebody wins all the same.
    pub(crate) fn correct<E: Edition>(&self, position: &Position<E>, values: &mut Values) {
        for (seat, value) in values.as_mut_slice().iter_mut().enumerate() {
            value.margin -= self.of(position, Player::new(seat));
        }
        let wins: f32 = values.as_slice().iter().map(|value| value.win).sum();
        if values.len() > 2 && wins > 0.0 {
            values.as_mut_slice().iter_mut().for_each(|value| value.win /= wins);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_and_interpolated() {
        let table = Calibration::read("tiles_left,mover,others\n10,1,-1\n20,3,-2\n").unwrap();
        assert_eq!(table.at(0), (0.0, 0.0), "an empty bag leaves nothing to hope for");
        assert_eq!(table.at(5), (0.5, -0.5));
        assert_eq!(table.at(10), (1.0, -1.0));
        assert_eq!(table.at(15), (2.0, -1.5));
        assert_eq!(table.at(70), (3.0, -2.0));
        assert_eq!(Calibration::default().at(5), (0.0, 0.0));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for text in [
            "",
            "a,b\n",
            "tiles_left,mover,others\n1,2\n",
            "tiles_left,mover,others\n1,2,x\n",
            "tiles_left,mover,others\n5,0,0\n5,0,0\n",
            "tiles_left,mover,others\n5,nan,0\n",
        ] {
            assert_eq!(Calibration::read(text), None, "{text:?}");
        }
    }
}
