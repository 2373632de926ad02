//! No help from the engine on boards of games that sleep: they are found by a few numbers in the
//! database, and compared only then.

use super::help::{PLAYS_RATED, Reached, is_strict, why_not};
use super::manager::Tables;
use super::store::games;
use super::store::sleeping_boards::{self, MARKS};
use crate::error::Refusal;
use crate::games::{SKETCH, sketch};
use crate::storage::records::Stored;

/// Moves by which the opening of a game is known again.
const OPENING: usize = 7;

impl Reached {
    /// The numbers under which the board is kept while its game sleeps.
    pub(super) fn marks(&self) -> [i64; MARKS] {
        let mut marks = [0; MARKS];
        for (mark, part) in marks.iter_mut().zip(sketch(&self.board)) {
            *mark = number(&self.game, &[&part.to_string()]);
        }
        marks[SKETCH] = self.opening(self.moves.len().min(OPENING));
        marks
    }

    /// The numbers under which a game may be kept of which this is a position, or nearly one. That
    /// game may be shorter than the question.
    fn clues(&self) -> Vec<i64> {
        let shorter = (2..OPENING.min(self.moves.len())).map(|moves| self.opening(moves));
        self.marks().into_iter().chain(shorter).collect()
    }

    fn opening(&self, moves: usize) -> i64 {
        let first: Vec<&str> = self.moves[..moves].iter().map(String::as_str).collect();
        number(&self.game, &first)
    }
}

fn number(game: &str, texts: &[&str]) -> i64 {
    let mut hasher = blake3::Hasher::new();
    for text in std::iter::once(&game).chain(texts) {
        hasher.update(text.as_bytes()).update(&[0]);
    }
    let bytes = *hasher.finalize().as_bytes();
    i64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"))
}

impl Tables {
    /// Refuses to think about a position of a game that sleeps, as [`Tables::refuse_help`] does for
    /// games in memory.
    ///
    /// # Errors
    /// If the engine must not help; says why.
    pub async fn refuse_help_asleep(
        &self,
        user: Option<&str>,
        asked: &Reached,
    ) -> Result<(), Refusal> {
        if let Some(user) = user
            && self.plays_rated_asleep(user, &asked.game).await?
        {
            return Err(Refusal::Forbidden(PLAYS_RATED.to_owned()));
        }
        let found = sleeping_boards::find(self.db(), asked.clues()).await?;
        for game in found {
            let Some(stored) = Stored::find(self.db(), &game).await? else { continue };
            let rated = stored.rated;
            let read = move || Reached::read(&stored.game, &stored.record(), None);
            let kept = tokio::task::spawn_blocking(read).await.map_err(|_| Refusal::Internal)??;
            if asked.is_like(&kept) {
                return Err(Refusal::Forbidden(why_not(rated).to_owned()));
            }
        }
        Ok(())
    }

    async fn plays_rated_asleep(&self, user: &str, game: &str) -> Result<bool, Refusal> {
        let clocks = games::rated_clocks_asleep(self.db(), user, game).await?;
        Ok(clocks.into_iter().any(is_strict))
    }
}
