//! What the sets mark of a city or road, packed so that joining features is an addition.

use crate::goods::{Good, Goods};
use game::{Player, PlayerSet};

/// Inns or cathedrals, goods and builders of a city or road.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Marks(pub(crate) u32);

/// The six inns, or the two cathedrals.
const SPECIAL: u32 = 7;
/// Where the tokens of each kind are counted: at most 9 of wine, 6 of grain, 5 of cloth.
const GOODS_AT: [u32; 3] = [3, 7, 10];
const GOODS_MOST: [u32; 3] = [15, 7, 7];
const GOODS: u32 = 15 << 3 | 7 << 7 | 7 << 10;
/// A bit for each player's builder.
const BUILDERS_AT: u32 = 13;

impl Marks {
    pub(crate) const fn printed(special: bool, good: Option<Good>) -> Self {
        let token = match good {
            Some(good) => 1 << GOODS_AT[good as usize],
            None => 0,
        };
        Self(special as u32 | token)
    }

    /// Two features joined.
    pub(crate) const fn joined(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Whether an inn lies by the road, or a cathedral stands in the city.
    pub(crate) const fn special(self) -> bool {
        self.0 & SPECIAL != 0
    }

    pub(crate) fn goods(self) -> Goods {
        let mut goods = Goods::default();
        for good in Good::ALL {
            let (at, most) = (GOODS_AT[good as usize], GOODS_MOST[good as usize]);
            goods[good] = (self.0 >> at & most) as u8;
        }
        goods
    }

    pub(crate) const fn without_goods(self) -> Self {
        Self(self.0 & !GOODS)
    }

    pub(crate) const fn builders(self) -> PlayerSet {
        PlayerSet::from_bits((self.0 >> BUILDERS_AT) as u8 & 63)
    }

    pub(crate) const fn with_builder(self, player: Player) -> Self {
        Self(self.0 | 1 << (BUILDERS_AT + player.index() as u32))
    }

    pub(crate) const fn without_builders(self) -> Self {
        Self(self.0 & ((1 << BUILDERS_AT) - 1))
    }
}
