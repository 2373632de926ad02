//! Each player's meeples: in hand, or on which segment.

use crate::setup::Setup;
use game::Player;

/// How many meeples a player has.
pub const MEEPLES: usize = 7;

/// Where a meeple stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Standing {
    /// The number of the tile, in order of placement.
    pub(crate) tile: u8,
    /// The number of the segment.
    pub(crate) segment: u8,
}

/// Where a meeple in hand stands: nowhere.
pub(crate) const IN_HAND: Standing = Standing { tile: u8::MAX, segment: u8::MAX };

#[derive(Clone)]
pub(crate) struct Meeples {
    standing: [[Standing; MEEPLES]; Setup::MAX_PLAYERS],
    supply: [u8; Setup::MAX_PLAYERS],
    players: u8,
}

impl Meeples {
    pub(crate) const fn new(players: usize) -> Self {
        Self {
            standing: [[IN_HAND; MEEPLES]; Setup::MAX_PLAYERS],
            supply: [MEEPLES as u8; Setup::MAX_PLAYERS],
            players: players as u8,
        }
    }

    /// How many meeples the player has in hand.
    #[inline]
    pub(crate) const fn supply(&self, player: Player) -> u8 {
        self.supply[player.index()]
    }

    /// Puts the player's lowest free meeple down and gives its number.
    #[inline]
    pub(crate) fn put(&mut self, player: Player, tile: u8, segment: u8) -> u8 {
        let own = &mut self.standing[player.index()];
        let number = own.iter().position(|at| *at == IN_HAND).unwrap_or(0);
        own[number] = Standing { tile, segment };
        self.supply[player.index()] -= 1;
        number as u8
    }

    #[inline]
    pub(crate) fn take_back(&mut self, player: Player, number: u8) {
        self.standing[player.index()][number as usize] = IN_HAND;
        self.supply[player.index()] += 1;
    }

    /// Where each of a player's meeples is, by number; [`IN_HAND`] included.
    #[inline]
    pub(crate) const fn all_of(&self, player: Player) -> &[Standing; MEEPLES] {
        &self.standing[player.index()]
    }

    /// A player's meeples on the board, with their numbers.
    #[inline]
    pub(crate) fn of(&self, player: Player) -> impl Iterator<Item = (u8, Standing)> + use<> {
        let own = self.standing[player.index()];
        (0..MEEPLES as u8).map(move |n| (n, own[n as usize])).filter(|(_, at)| *at != IN_HAND)
    }

    /// All meeples on the board.
    #[inline]
    pub(crate) fn all(&self) -> impl Iterator<Item = (Player, u8, Standing)> {
        (0..self.players as usize)
            .map(Player::new)
            .flat_map(|player| self.of(player).map(move |(number, at)| (player, number, at)))
    }
}
