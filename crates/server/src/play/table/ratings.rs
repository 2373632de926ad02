//! The ratings that a table shows: those of the players, and what the game did to them. They are
//! settled elsewhere (`people::ratings`); a table only reads them.

use crate::wire::NotRated;

/// What is shown of the ratings of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Ratings {
    pub(super) seats: Vec<SeatRating>,
    /// Why it changed no rating although it is rated and has a result.
    pub(super) not_rated: Option<NotRated>,
    /// The part of the full change that the ratings got.
    pub(super) weight: Option<f64>,
}

/// The rating of a seat's player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct SeatRating {
    /// When the game began; none for who has none.
    pub(super) rating: Option<f64>,
    /// What the game did to it.
    pub(super) change: Option<f64>,
}

impl Ratings {
    pub(super) fn of(&self, seat: usize) -> SeatRating {
        self.seats.get(seat).copied().unwrap_or_default()
    }
}
