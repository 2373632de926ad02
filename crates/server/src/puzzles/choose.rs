//! Which puzzle is the day's, and which comes next.

use super::{Puzzles, store, today};
use crate::error::Refusal;
use crate::people::accounts::Requester;
use crate::people::ratings::Rating;
use crate::storage::db::Db;
use crate::wire::{PuzzlePosition, PuzzleTheme};
use game::Random;

/// From so many of the puzzles nearest to a solver's rating one is chosen.
const NEAREST: i64 = 12;

/// The same for those of whom nothing is known, not even what they have seen.
const NEAREST_FOR_ANYBODY: i64 = 60;

impl Puzzles {
    /// The puzzle of this day, the same for everybody.
    ///
    /// # Errors
    /// If there are no puzzles.
    pub async fn daily(&self, who: Option<&Requester>) -> Result<PuzzlePosition, Refusal> {
        let id = daily_id(self.db().await?, today()).await?;
        let none = || Refusal::NotFound("there are no puzzles here yet".to_owned());
        self.look(&id.ok_or_else(none)?, who).await
    }

    /// A puzzle near the solver's rating, of a theme if one is named, that the solver has not answered yet and
    /// that is not the one just seen.
    ///
    /// # Errors
    /// If there is none left.
    pub async fn next(
        &self,
        who: Option<&Requester>,
        theme: Option<PuzzleTheme>,
        seen: Option<&str>,
    ) -> Result<PuzzlePosition, Refusal> {
        let db = self.db().await?;
        let (user, rating, most) = match who {
            Some(who) => {
                let solver = store::solver(db, &who.user).await?;
                (who.user.as_str(), solver.rating, NEAREST)
            }
            None => ("", Rating::default(), NEAREST_FOR_ANYBODY),
        };
        let near = store::nearest(db, user, theme, seen.unwrap_or(""), rating.rating, most).await?;
        let seed = getrandom::u64().map_err(|_| Refusal::Internal)?;
        let none = || {
            let what = if theme.is_some() { "puzzles of this theme" } else { "puzzles" };
            Refusal::NotFound(format!("there are no {what} left for you"))
        };
        self.look(Random::new(seed).pick(&near).ok_or_else(none)?, who).await
    }
}

/// Whether a puzzle is that of this day.
pub(super) async fn is_daily(db: &Db, id: &str) -> Result<bool, Refusal> {
    Ok(daily_id(db, today()).await?.as_deref() == Some(id))
}

/// The puzzle of a day; none if there are no puzzles. It is chosen when somebody asks for it first, and kept.
async fn daily_id(db: &Db, day: i64) -> Result<Option<String>, sqlx::Error> {
    if let Some(id) = store::daily(db, day).await? {
        return Ok(Some(id));
    }
    let all = store::last_days(db).await?;
    let Some(chosen) = daily_choice(&all, day) else { return Ok(None) };
    store::set_daily(db, day, chosen).await?;
    // Whoever asked at the same time may have been first.
    store::daily(db, day).await
}

/// One that never was the day's, or the one that was longest ago; among equals the order is mixed by the day.
fn daily_choice(all: &[(String, Option<i64>)], day: i64) -> Option<&str> {
    let mixed = |id: &str| {
        let bytes = day.to_le_bytes().into_iter().chain(id.bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let first = all.iter().min_by_key(|(id, last)| (last.unwrap_or(i64::MIN), mixed(id)));
    first.map(|(id, _)| id.as_str())
}

#[cfg(test)]
mod tests {
    use super::daily_choice;

    #[test]
    fn every_puzzle_has_its_day_before_one_comes_again() {
        let mut all: Vec<(String, Option<i64>)> =
            (0..40).map(|number| (format!("{number:08x}"), None)).collect();
        let mut days = Vec::new();
        for day in 20_000..20_080 {
            let chosen = daily_choice(&all, day).unwrap().to_owned();
            all.iter_mut().find(|(id, _)| *id == chosen).unwrap().1 = Some(day);
            days.push(chosen);
        }
        let (first, second) = days.split_at(40);
        assert_eq!(first, second, "the one that was longest ago comes next");
        let mut sorted = first.to_vec();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 40);
        assert_ne!(sorted, first, "mixed");
        assert_eq!(daily_choice(&[], 20_000), None);
    }
}
