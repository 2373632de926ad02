//! Each player's figures: in hand, or on which segment.

use crate::edition::{Array, Edition, Number};
use crate::figure::Figure;
use crate::setup::{Options, Setup};
use game::Player;

/// How many ordinary meeples a player has.
pub const MEEPLES: usize = 7;

/// Where a figure stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Standing<N> {
    /// The number of the tile, in order of placement; above all of them nowhere.
    pub(crate) tile: u8,
    /// The number of the segment.
    pub(crate) segment: N,
}

const IN_HAND: u8 = u8::MAX;
const NOT_IN_PLAY: u8 = u8::MAX - 1;

impl<N: Number> Standing<N> {
    /// Where a figure in hand stands: nowhere.
    pub(crate) const IN_HAND: Self = Self { tile: IN_HAND, segment: N::LAST };

    /// Whether it stands on the board.
    #[inline]
    pub(crate) const fn stands(&self) -> bool {
        self.tile < NOT_IN_PLAY
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Meeples<E: Edition> {
    standing: [E::PerFigure<Standing<E::Number>>; Setup::MAX_PLAYERS],
    /// How many ordinary meeples each player has in hand.
    supply: [u8; Setup::MAX_PLAYERS],
    players: u8,
}

impl<E: Edition> Meeples<E> {
    pub(crate) fn new(setup: &E::Setup) -> Self {
        let mut own = E::PerFigure::filled(Standing::IN_HAND);
        for (number, figure) in own.as_mut().iter_mut().enumerate() {
            if !setup.sets().contains(Figure::of_number(number as u8).set()) {
                figure.tile = NOT_IN_PLAY;
            }
        }
        Self {
            standing: [own; Setup::MAX_PLAYERS],
            supply: [MEEPLES as u8; Setup::MAX_PLAYERS],
            players: setup.rules().players() as u8,
        }
    }

    /// How many meeples the player has in hand.
    #[inline]
    pub(crate) const fn supply(&self, player: Player) -> u8 {
        self.supply[player.index()]
    }

    /// Whether the player has a figure of this kind in hand.
    #[inline]
    pub(crate) fn has(&self, player: Player, figure: Figure) -> bool {
        match figure {
            Figure::Meeple => self.supply(player) > 0,
            _ => self.get(player, figure).is_some_and(|at| at.tile == IN_HAND),
        }
    }

    /// Where the player's only figure of this kind is, if it is in play.
    pub(crate) fn get(&self, player: Player, figure: Figure) -> Option<Standing<E::Number>> {
        let own = self.standing[player.index()].as_ref();
        own.get(figure.number() as usize).filter(|at| at.tile != NOT_IN_PLAY).copied()
    }

    /// Puts a figure of the player down, of meeples the lowest that is free, and gives its number.
    #[inline]
    pub(crate) fn put(&mut self, player: Player, figure: Figure, tile: u8, segment: u16) -> u8 {
        let own = self.standing[player.index()].as_mut();
        let number = match figure {
            Figure::Meeple => {
                self.supply[player.index()] -= 1;
                own[..MEEPLES].iter().position(|at| at.tile == IN_HAND).unwrap_or(0)
            }
            _ => figure.number() as usize,
        };
        own[number] = Standing { tile, segment: E::Number::of(segment) };
        number as u8
    }

    #[inline]
    pub(crate) fn take_back(&mut self, player: Player, number: u8) {
        self.standing[player.index()].as_mut()[number as usize] = Standing::IN_HAND;
        if !E::EXPANDED || Figure::of_number(number) == Figure::Meeple {
            self.supply[player.index()] += 1;
        }
    }

    /// Where each of a player's figures is, by number; those in hand included.
    #[inline]
    pub(crate) const fn all_of(&self, player: Player) -> &E::PerFigure<Standing<E::Number>> {
        &self.standing[player.index()]
    }

    /// A player's figures on the board, with their numbers.
    #[inline]
    pub(crate) fn of(
        &self,
        player: Player,
    ) -> impl Iterator<Item = (u8, Standing<E::Number>)> + use<E> {
        let own = self.standing[player.index()];
        let count = own.as_ref().len() as u8;
        (0..count).map(move |n| (n, own[n as usize])).filter(|(_, at)| at.stands())
    }

    /// All figures on the board.
    #[inline]
    pub(crate) fn all(&self) -> impl Iterator<Item = (Player, u8, Standing<E::Number>)> {
        (0..self.players as usize)
            .map(Player::new)
            .flat_map(|player| self.of(player).map(move |(number, at)| (player, number, at)))
    }
}
