//! What a link to a study shows before it is opened, to anybody: nothing of a private one.

use super::store::{self, StoredChapter};
use super::{Right, allowed, aside, parsed, stored_chapter};
use crate::error::Refusal;
use crate::games::carcassonne::AnyCarcassonne;
use crate::storage::db::Db;
use game::{Game, ignore};

/// The first chapter of a study that whoever has the link may see.
pub struct FirstChapter(StoredChapter);

/// Finds the chapter that a link shows. Even its owner is not asked for: what other sites show is what everybody sees.
///
/// # Errors
/// If there is no such study, or it is private.
pub async fn first_chapter(db: &Db, id: &str) -> Result<FirstChapter, Refusal> {
    allowed(db, id, None, Right::See).await?;
    let chapters = store::chapter_list(db, id).await?;
    let first = chapters.first().ok_or(Refusal::Internal)?;
    stored_chapter(db, id, &first.id).await.map(FirstChapter)
}

impl FirstChapter {
    /// What changes with it.
    #[must_use]
    pub fn version(&self) -> String {
        format!("{}-{}", self.0.info.id, self.0.info.version)
    }

    /// The last position of its main line.
    ///
    /// # Errors
    /// If what is stored cannot be read.
    pub async fn last_position(self) -> Result<AnyCarcassonne, Refusal> {
        aside(move || {
            let chapter = parsed(&self.0)?;
            let mut position = chapter.start();
            let mut at = None;
            while let Some(&next) = chapter.tree.after(at).first() {
                let played = chapter.tree.node(next).played;
                position.play(played, ignore).map_err(|_| Refusal::Internal)?;
                at = Some(next);
            }
            Ok(position)
        })
        .await
    }
}
