//! What a position is worth: for each player the expected final margin and the chance to win.

use game::{ByPlayer, Player};
use std::ops::{Add, AddAssign, Mul, Sub};

/// What a position is worth to one player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Value {
    /// The expected final lead over the best of the others, in points.
    pub margin: f32,
    /// The probability to win; a shared win counts as a share.
    pub win: f32,
}

/// What a position is worth to each player.
pub type Values = ByPlayer<Value>;

/// What final scores are worth: exact margins, and the win shared among the leaders.
#[must_use]
pub fn final_values(scores: &ByPlayer<i32>) -> Values {
    let leaders = scores.leaders();
    let share = 1.0 / leaders.len().max(1) as f32;
    let mut values = ByPlayer::new(scores.len(), Value::default());
    for (player, _) in scores.iter() {
        let win = if leaders.contains(player) { share } else { 0.0 };
        values[player] = Value { margin: scores.margin(player) as f32, win };
    }
    values
}

/// Two players' values from the first one's, the game being zero-sum.
#[must_use]
pub fn zero_sum(first: Value) -> Values {
    ByPlayer::from_slice(&[first, Value { margin: -first.margin, win: 1.0 - first.win }])
}

/// Two players' values from one player's.
pub(crate) fn zero_sum_for(player: Player, value: Value) -> Values {
    let mut values = zero_sum(value);
    if player.index() == 1 {
        values.as_mut_slice().swap(0, 1);
    }
    values
}

/// Adds `weight` times `values` to `sum`.
pub fn add_weighted(sum: &mut Values, values: &Values, weight: f32) {
    for (a, b) in sum.as_mut_slice().iter_mut().zip(values.as_slice()) {
        *a += *b * weight;
    }
}

/// What a player plays for: so many points' worth a point of margin and a certain win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Objective {
    /// The worth of a point of margin.
    pub margin: f32,
    /// The worth of a win over a loss.
    pub win: f32,
}

impl Default for Objective {
    fn default() -> Self {
        Self::MARGIN
    }
}

impl Objective {
    /// Only the margin counts.
    pub const MARGIN: Self = Self { margin: 1.0, win: 0.0 };
    /// Only winning counts, as if it were worth 100 points.
    pub const WIN: Self = Self { margin: 0.0, win: 100.0 };

    /// What the values are worth to a player; zero-sum between two.
    #[must_use]
    pub fn utility(self, values: &Values, player: Player) -> f32 {
        let Value { margin, win } = values[player];
        self.margin * margin + self.win * (win - 1.0 / values.len() as f32)
    }
}

impl Add for Value {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { margin: self.margin + other.margin, win: self.win + other.win }
    }
}

impl AddAssign for Value {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Value {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { margin: self.margin - other.margin, win: self.win - other.win }
    }
}

impl Mul<f32> for Value {
    type Output = Self;
    fn mul(self, factor: f32) -> Self {
        Self { margin: self.margin * factor, win: self.win * factor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_win_is_shared() {
        let values = final_values(&ByPlayer::from_slice(&[3, 7, 7]));
        assert_eq!(values[Player::new(0)], Value { margin: -4.0, win: 0.0 });
        assert_eq!(values[Player::new(2)], Value { margin: 0.0, win: 0.5 });
    }

    #[test]
    fn utility_is_zero_sum_between_two() {
        let aim = Objective { margin: 0.5, win: 20.0 };
        let values = zero_sum(Value { margin: 6.0, win: 0.8 });
        let [a, b] = [0, 1].map(|seat| aim.utility(&values, Player::new(seat)));
        assert!((a - 9.0).abs() < 1e-5 && (a + b).abs() < 1e-5);
    }
}
