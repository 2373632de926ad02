//! Rated games: the ratings shown at the table.

use super::state::Table;
use crate::people::ratings::{self, Pool};
use crate::play::games::Hosted;
use crate::wire::{NotRated, Sitter, Status};
use sqlx::Row;

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
        let Some(pool) = Pool::of(self.seats.len()) else { return Ok(()) };
        for seat in &mut self.seats {
            let subject = match &seat.sitter {
                Sitter::User { user, .. } => format!("user:{user}"),
                Sitter::Bot { bot } => format!("bot:{}/{bot}", G::NAME),
                Sitter::Open | Sitter::Invited { .. } => continue,
            };
            if let Some(fixed) = ratings::anchor(&subject, pool) {
                seat.rating = Some(fixed.rating);
                continue;
            }
            let sql = "SELECT rating FROM ratings WHERE subject = $1 AND pool = $2";
            let row = sqlx::query(sql)
                .bind(subject)
                .bind(pool.name())
                .fetch_optional(&self.tables.db().pool)
                .await?;
            seat.rating = row.map(|row| row.try_get("rating")).transpose()?;
        }
        Ok(())
    }

    async fn read_final(&mut self) -> Result<(), sqlx::Error> {
        let sql = "SELECT not_rated, rating_weight FROM games WHERE id = $1";
        let row = sqlx::query(sql).bind(&self.facts.id).fetch_one(&self.tables.db().pool).await?;
        let why: Option<String> = row.try_get("not_rated")?;
        self.not_rated = why.as_deref().and_then(NotRated::from_word);
        self.rating_weight = row.try_get("rating_weight")?;
        let sql = "SELECT seat, rating, rating_change FROM seats WHERE game_id = $1";
        let rows = sqlx::query(sql).bind(&self.facts.id).fetch_all(&self.tables.db().pool).await?;
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
