//! One value for each seat.

use crate::{MAX_PLAYERS, Player, PlayerSet};
use std::ops::{Index, IndexMut};

/// One value for each seat of a game: as many as the game has players.
#[derive(Clone, Copy, Debug)]
pub struct ByPlayer<T> {
    values: [T; MAX_PLAYERS],
    len: u8,
}

impl<T: Copy + Default> ByPlayer<T> {
    /// The same value for each of `players` seats.
    ///
    /// # Panics
    /// If `players` is more than [`MAX_PLAYERS`].
    #[must_use]
    pub fn new(players: usize, value: T) -> Self {
        assert!(players <= MAX_PLAYERS, "at most 6 players");
        let mut values = [T::default(); MAX_PLAYERS];
        values[..players].fill(value);
        Self { values, len: players as u8 }
    }

    /// The values in seat order.
    ///
    /// # Panics
    /// If there are more than [`MAX_PLAYERS`].
    #[must_use]
    pub fn from_slice(slice: &[T]) -> Self {
        let mut new = Self::new(slice.len(), T::default());
        new.values[..slice.len()].copy_from_slice(slice);
        new
    }

    /// A value for each seat made from this one's.
    #[must_use]
    pub fn map<U: Copy + Default>(&self, mut f: impl FnMut(T) -> U) -> ByPlayer<U> {
        let mut new = ByPlayer::new(self.len(), U::default());
        for seat in 0..self.len() {
            new.values[seat] = f(self.values[seat]);
        }
        new
    }
}

impl<T> ByPlayer<T> {
    /// How many seats there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no seat at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The values in seat order.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.values[..self.len as usize]
    }

    /// The values in seat order, to change.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values[..self.len as usize]
    }

    /// Each seat with its value.
    pub fn iter(&self) -> impl Iterator<Item = (Player, &T)> {
        self.as_slice().iter().enumerate().map(|(seat, value)| (Player::new(seat), value))
    }
}

impl ByPlayer<i32> {
    /// The seats with the highest value.
    #[must_use]
    pub fn leaders(&self) -> PlayerSet {
        let best = self.as_slice().iter().max();
        self.iter().filter(|(_, value)| Some(*value) == best).map(|(player, _)| player).collect()
    }

    /// A seat's lead over the best of the others (its own value if it is alone).
    #[must_use]
    pub fn margin(&self, player: Player) -> i32 {
        let others = self.iter().filter(|(p, _)| *p != player).map(|(_, value)| *value);
        self[player] - others.max().unwrap_or(0)
    }
}

impl<T: PartialEq> PartialEq for ByPlayer<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Eq> Eq for ByPlayer<T> {}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;
    fn index(&self, player: Player) -> &T {
        &self.as_slice()[player.index()]
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    fn index_mut(&mut self, player: Player) -> &mut T {
        &mut self.as_mut_slice()[player.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaders_are_all_who_tie() {
        let scores = ByPlayer::from_slice(&[3, 7, 7]);
        assert_eq!(scores.leaders().iter().collect::<Vec<_>>(), [Player::new(1), Player::new(2)]);
        assert_eq!(scores.margin(Player::new(0)), -4);
        assert_eq!(scores.margin(Player::new(1)), 0);
    }

    #[test]
    fn a_margin_is_the_lead_over_the_best_of_the_others() {
        let scores = ByPlayer::from_slice(&[9, -2, 5]);
        let margins: Vec<i32> = scores.iter().map(|(player, _)| scores.margin(player)).collect();
        assert_eq!(margins, [4, -11, -4]);
        assert_eq!(ByPlayer::from_slice(&[7]).margin(Player::new(0)), 7);
    }

    #[test]
    fn seats_can_be_changed_and_counted() {
        let mut values = ByPlayer::new(3, 1);
        values.as_mut_slice()[2] = 8;
        assert_eq!(
            values.iter().map(|(p, v)| (p.index(), *v)).collect::<Vec<_>>(),
            [(0, 1), (1, 1), (2, 8)]
        );
        assert!(!values.is_empty() && ByPlayer::new(0, 1).is_empty());
        assert_ne!(values, ByPlayer::from_slice(&[1, 1]));
    }

    #[test]
    fn values_beyond_the_players_do_not_count() {
        let mut a = ByPlayer::new(2, 1);
        let b = ByPlayer::from_slice(&[1, 1]);
        assert_eq!(a, b);
        a[Player::new(1)] = 5;
        assert_ne!(a, b);
        assert_eq!(a.len(), 2);
        assert_eq!(a.map(|v| v * 2).as_slice(), [2, 10]);
    }
}
