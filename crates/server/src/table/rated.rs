//! Rated games: the ratings shown at the table, and no help from the engine while they last.

use super::manager::Tables;
use super::state::Table;
use crate::error::Refusal;
use crate::games::Hosted;
use crate::wire::{Sitter, Status};
use sqlx::Row;

/// Moves that two games have in common by chance at most: the first turns.
const COMMON_OPENING: usize = 6;

impl Tables {
    /// Refuses to think about a game while it matters: for somebody who plays a rated game of
    /// that kind, and for anybody about the moves of a rated game that is being played.
    ///
    /// # Errors
    /// If the engine must not help; says why.
    pub fn refuse_help(
        &self,
        user: Option<&str>,
        game: &str,
        moves: &[String],
    ) -> Result<(), Refusal> {
        for listing in self.listings().all() {
            let Some(played) = &listing.rated_moves else { continue };
            if listing.summary.info.game != game {
                continue;
            }
            if user.is_some_and(|user| listing.sits(user)) {
                return Err(Refusal::Forbidden(
                    "you are playing a rated game: the engine does not help until it is over"
                        .to_owned(),
                ));
            }
            let common = played.iter().zip(moves).take_while(|(one, other)| one == other).count();
            let shorter = played.len().min(moves.len());
            if common > COMMON_OPENING || (common == shorter && common > 1) {
                return Err(Refusal::Forbidden(
                    "this is a rated game that is being played: the engine does not help until it \
                     is over"
                        .to_owned(),
                ));
            }
        }
        Ok(())
    }
}

impl<G: Hosted> Table<G> {
    /// Reads the ratings: those of the players while the game lasts, then what it did to them.
    pub(super) async fn read_ratings(&mut self) {
        if !self.facts.rated {
            return;
        }
        let read = match self.status {
            Status::Over => self.read_final().await,
            Status::Waiting | Status::Playing => self.read_present().await,
        };
        if let Err(error) = read {
            tracing::error!(game = self.facts.id, %error, "ratings could not be read");
        }
    }

    async fn read_present(&mut self) -> Result<(), sqlx::Error> {
        let pool = if self.seats.len() == 2 { "two" } else { "many" };
        for seat in &mut self.seats {
            let subject = match &seat.sitter {
                Sitter::User { user, .. } => format!("user:{user}"),
                Sitter::Bot { bot } => format!("bot:{}/{bot}", G::NAME),
                Sitter::Open | Sitter::Invited { .. } => continue,
            };
            let sql = "SELECT rating FROM ratings WHERE subject = $1 AND pool = $2";
            let row = sqlx::query(sql)
                .bind(subject)
                .bind(pool)
                .fetch_optional(&self.house.db().pool)
                .await?;
            seat.rating = row.map(|row| row.try_get("rating")).transpose()?;
        }
        Ok(())
    }

    async fn read_final(&mut self) -> Result<(), sqlx::Error> {
        let sql = "SELECT seat, rating, rating_change FROM seats WHERE game_id = $1";
        let rows = sqlx::query(sql).bind(&self.facts.id).fetch_all(&self.house.db().pool).await?;
        for row in rows {
            let number = usize::try_from(row.try_get::<i64, _>("seat")?).unwrap_or(usize::MAX);
            if let Some(seat) = self.seats.get_mut(number) {
                seat.rating = row.try_get("rating")?;
                seat.rating_change = row.try_get("rating_change")?;
            }
        }
        Ok(())
    }
}
