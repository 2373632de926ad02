//! What a link to a puzzle shows before it is opened: the position, and nothing that tells of the answer.

use super::{Puzzles, aside, store};
use crate::error::Refusal;
use crate::games::carcassonne::AnyCarcassonne;
use game::{Game, ignore};

impl Puzzles {
    /// Whether there is a puzzle with this id.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn has(&self, id: &str) -> Result<bool, Refusal> {
        Ok(store::find(self.db().await?, id).await?.is_some())
    }

    /// The position of a puzzle, before its answer.
    ///
    /// # Errors
    /// If there is none with this id.
    pub async fn position(&self, id: &str) -> Result<AnyCarcassonne, Refusal> {
        let (_, puzzle) = self.find(id).await?;
        aside(move || {
            let mut position = AnyCarcassonne::new(&puzzle.record.setup);
            for m in &puzzle.record.moves {
                position.play(*m, ignore).map_err(|_| Refusal::Internal)?;
            }
            Ok(position)
        })
        .await
    }
}
