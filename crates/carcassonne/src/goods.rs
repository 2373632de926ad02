//! Wine, grain and cloth: the tokens of the traders.

use std::fmt;
use std::ops::{Index, IndexMut};

/// A kind of goods, printed on city segments of the traders.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Good {
    /// Nine tokens.
    Wine,
    /// Six tokens.
    Grain,
    /// Five tokens.
    Cloth,
}

impl Good {
    /// The three kinds.
    pub const ALL: [Self; 3] = [Self::Wine, Self::Grain, Self::Cloth];

    /// The name in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["wine", "grain", "cloth"][self as usize]
    }

    /// How many tokens there are.
    #[must_use]
    pub const fn tokens(self) -> u8 {
        [9, 6, 5][self as usize]
    }
}

impl fmt::Display for Good {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How many tokens of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Goods([u8; 3]);

impl Goods {
    /// Both together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] + other.0[at]))
    }

    /// Whether there is no token.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 3]
    }
}

impl Index<Good> for Goods {
    type Output = u8;

    fn index(&self, good: Good) -> &u8 {
        &self.0[good as usize]
    }
}

impl IndexMut<Good> for Goods {
    fn index_mut(&mut self, good: Good) -> &mut u8 {
        &mut self.0[good as usize]
    }
}

impl fmt::Display for Goods {
    /// `2 wine, 1 cloth`, or `nothing`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some = Good::ALL.into_iter().filter(|good| self[*good] > 0);
        let some: Vec<String> = some.map(|good| format!("{} {good}", self[good])).collect();
        f.write_str(if some.is_empty() { "nothing" } else { "" })?;
        f.write_str(&some.join(", "))
    }
}
