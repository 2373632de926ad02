//! A seat at the table, and sets of seats.

use std::fmt;

/// The most seats any game here has.
pub const MAX_PLAYERS: usize = 6;

/// A seat at the table, counted from 0 in order of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Player(u8);

impl Player {
    /// The seat with this number.
    ///
    /// # Panics
    /// If `seat` is not below [`MAX_PLAYERS`].
    #[must_use]
    #[inline]
    pub const fn new(seat: usize) -> Self {
        assert!(seat < MAX_PLAYERS, "a seat is a number below 6");
        Self(seat as u8)
    }

    /// The seat's number, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat that plays after this one among `players` seats.
    #[must_use]
    pub const fn next(self, players: usize) -> Self {
        if self.0 as usize + 1 >= players { Self(0) } else { Self(self.0 + 1) }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A set of seats, as a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlayerSet(u8);

impl PlayerSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set that holds the seats whose bits are set.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// A bit for each seat in the set.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Adds a seat.
    pub fn insert(&mut self, player: Player) {
        self.0 |= 1 << player.0;
    }

    /// Whether the seat is in the set.
    #[must_use]
    pub const fn contains(self, player: Player) -> bool {
        self.0 >> player.0 & 1 == 1
    }

    /// How many seats the set holds.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no seat is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in the set, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        (0..MAX_PLAYERS).map(Player::new).filter(move |p| self.contains(*p))
    }
}

impl FromIterator<Player> for PlayerSet {
    fn from_iter<I: IntoIterator<Item = Player>>(players: I) -> Self {
        let mut set = Self::EMPTY;
        for player in players {
            set.insert(player);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_seat_is_followed_by_the_first() {
        let order = |players| {
            let seats =
                std::iter::successors(Some(Player::new(0)), |seat| Some(seat.next(players)));
            seats.take(4).map(Player::index).collect::<Vec<_>>()
        };
        assert_eq!(order(1), [0, 0, 0, 0]);
        assert_eq!(order(2), [0, 1, 0, 1]);
        assert_eq!(order(3), [0, 1, 2, 0]);
        assert_eq!(Player::new(5).to_string(), "5");
    }

    #[test]
    #[should_panic(expected = "a number below 6")]
    fn there_is_no_seventh_seat() {
        let _ = Player::new(MAX_PLAYERS);
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let mut set = PlayerSet::EMPTY;
        assert_eq!((set.len(), set.is_empty(), set.iter().next()), (0, true, None));
        for seat in [4, 1, 4] {
            set.insert(Player::new(seat));
        }
        assert_eq!((set.len(), set.bits(), set.is_empty()), (2, 0b1_0010, false));
        assert!(set.contains(Player::new(1)) && !set.contains(Player::new(2)));
        assert_eq!(set.iter().map(Player::index).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(PlayerSet::from_bits(0b1_0010), set);
        assert_eq!([1, 4].into_iter().map(Player::new).collect::<PlayerSet>(), set);
    }
}
