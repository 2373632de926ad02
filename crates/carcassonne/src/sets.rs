//! The sets that are played beside the base game.

use std::fmt;

/// A combination of sets, as a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sets(u8);

impl Sets {
    /// The base game alone.
    pub const NONE: Self = Self(0);
    /// Inns and cathedrals: 18 tiles, a big meeple each.
    pub const INNS: Self = Self(1);
    /// Traders and builders: 24 tiles with goods, a builder and a pig each.
    pub const TRADERS: Self = Self(2);
    /// The river: 12 tiles that are placed first.
    pub const RIVER: Self = Self(4);
    /// Gardens on eight tiles of the base game, an abbot each.
    pub const GARDENS: Self = Self(8);

    /// Each set with its name in setups.
    pub const NAMED: [(Self, &'static str); 4] = [
        (Self::INNS, "inns"),
        (Self::TRADERS, "traders"),
        (Self::RIVER, "river"),
        (Self::GARDENS, "gardens"),
    ];

    /// Both combinations together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all sets of the other combination are played.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether only the base game is played.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Sets {
    /// The names with commas between, in the order of [`NAMED`](Self::NAMED).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Self::NAMED.into_iter().filter(|(set, _)| self.contains(*set));
        f.write_str(&names.map(|(_, name)| name).collect::<Vec<_>>().join(","))
    }
}
