//! The ratings that the table shows.

use super::TableTask;
use crate::games::Hosted;
use crate::people::ratings::Pool;
use crate::play::table::ratings::Ratings;
use crate::play::table::store;
use crate::wire::{Occupant, Status};

impl<G: Hosted> TableTask<G> {
    /// Reads the ratings: those of the players while the game lasts, then what it did to them.
    pub(super) async fn read_ratings(&mut self) {
        if !self.table.is_rated() {
            return;
        }
        let read = match self.table.status() {
            Status::Over => store::ratings::settled(self.tables.db(), self.table.id()).await,
            Status::Waiting | Status::Playing => self.ratings_now().await,
        };
        match read {
            Ok(ratings) => self.table.show_ratings(ratings),
            Err(error) => {
                tracing::error!(game = self.table.id(), %error, "ratings could not be read");
            }
        }
    }

    async fn ratings_now(&self) -> Result<Ratings, sqlx::Error> {
        let mut ratings = self.table.ratings().clone();
        let setup = self.table.game().setup().to_string();
        let Some(pool) = Pool::of(&setup, self.table.seats().count()) else { return Ok(ratings) };
        for (seat, shown) in self.table.seats().iter().zip(&mut ratings.seats) {
            let subject = match seat.sitter() {
                Occupant::User { user, .. } => format!("user:{user}"),
                Occupant::Bot { bot } => format!("bot:{}/{bot}", G::NAME),
                Occupant::Open | Occupant::Invited { .. } => continue,
            };
            shown.rating = store::ratings::rating_of(self.tables.db(), &subject, pool).await?;
        }
        Ok(ratings)
    }
}
