//! Earlier texts of a chapter: kept when something is taken away in it, or when somebody else changes what the owner
//! left; put back by the study's owner.

use super::store::{self, Change, StoredChapter, StoredEarlier, Whose};
use super::{Games, Right, TRIES, allowed, aside, parsed, stored_chapter, told_chapter, too_busy};
use crate::error::Refusal;
use crate::games::carcassonne::AnyCarcassonne;
use crate::people::accounts::Requester;
use crate::storage::db::Db;
use crate::wire::{ChapterInfo, EarlierText, EarlierTexts, StudyChapter};
use carcassonne::Move;
use game::study::{Chapter, Edit};

/// Whether a change takes something away that is there.
pub(super) fn takes_away(chapter: &Chapter<AnyCarcassonne>, edit: &Edit<Move>) -> bool {
    let node = |path: &[Move]| Some(chapter.tree.node(chapter.tree.find(path).ok()??));
    match edit {
        Edit::Play { .. } | Edit::Promote { .. } => false,
        Edit::Delete { .. } => true,
        Edit::Mark { path, mark } => {
            node(path).is_some_and(|node| node.mark.is_some() && node.mark != *mark)
        }
        Edit::Comment { path, text, .. } => {
            let was = match path[..] {
                [] => Some(&chapter.comment),
                _ => node(path).map(|node| &node.comment),
            };
            was.is_some_and(|was| !was.is_empty() && was.trim() != text.trim())
        }
    }
}

/// The earlier texts of a chapter, the latest first, without their moves.
///
/// # Errors
/// If the asker does not own the study.
pub async fn earlier(
    db: &Db,
    id: &str,
    chapter: &str,
    who: &Requester,
) -> Result<EarlierTexts, Refusal> {
    allowed(db, id, Some(who), Right::Own).await?;
    stored_chapter(db, id, chapter).await?;
    let stored = store::earlier_texts(db, id, chapter).await?;
    aside(move || Ok(EarlierTexts { earlier: stored.into_iter().map(told).collect() })).await
}

/// The beginning of a comment on one line.
fn preview(comment: &str) -> String {
    game::excerpt(&comment.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST_PREVIEW)
}

/// The most characters that are shown of what a text says first.
const LONGEST_PREVIEW: usize = 80;

fn told(stored: StoredEarlier) -> EarlierText {
    let read = stored.body.parse::<Games>().ok();
    let chapter = read.as_ref().and_then(|study| study.chapters.first());
    let comments: Vec<&str> = chapter.map_or_else(Vec::new, |chapter| {
        let of_moves = chapter.tree.walk().map(|(_, node)| &node.comment);
        let all = std::iter::once(&chapter.comment).chain(of_moves);
        all.filter(|comment| !comment.is_empty()).map(String::as_str).collect()
    });
    EarlierText {
        version: stored.version,
        at: stored.at,
        by: stored.by,
        owners: stored.whose == Whose::Owners,
        moves: stored.moves,
        comments: comments.len(),
        says: comments.first().map(|comment| preview(comment)),
    }
}

/// Puts an earlier text of a chapter back; what is there now becomes an earlier one.
///
/// # Errors
/// If the asker does not own the study, or there is no such text.
pub async fn put_back(
    db: &Db,
    id: &str,
    chapter: &str,
    who: &Requester,
    version: u64,
) -> Result<StudyChapter, Refusal> {
    allowed(db, id, Some(who), Right::Own).await?;
    for _ in 0..TRIES {
        let stored = stored_chapter(db, id, chapter).await?;
        let missing = || {
            let what =
                format!("version {version} of this chapter is not kept; GET lists those that are");
            Refusal::NotFound(what)
        };
        let earlier = store::earlier_text(db, id, chapter, version).await?.ok_or_else(missing)?;
        let now = stored.info.clone();
        let (mut next, read) = aside(move || {
            let mut next = StoredChapter { info: now, body: earlier };
            let read = parsed(&next)?;
            next.info = ChapterInfo { moves: read.tree.len(), ..next.info };
            Ok((next, read))
        })
        .await?;
        if stored.body == next.body {
            return Ok(told_chapter(next.info, &read));
        }
        let before = Some(&stored);
        let change = Change { user: &who.user, by_owner: true, takes_away: true, before };
        if store::replace_chapter(db, id, &next, &change).await? {
            next.info.version += 1;
            return Ok(told_chapter(next.info, &read));
        }
    }
    Err(too_busy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_there_can_be_taken_away() {
        let text = "carcassonne\n{Said.}\nV ! {More.}; 1,0 r0; pass";
        let chapter = text.parse::<Games>().unwrap().chapters.remove(0);
        let path = |moves: &[&str]| moves.iter().map(|m| m.parse().unwrap()).collect::<Vec<Move>>();
        let comment = |moves: &[&str], text: &str| Edit::Comment {
            path: path(moves),
            text: text.to_owned(),
            was: String::new(),
        };
        let mark = |moves: &[&str], mark: Option<&str>| Edit::Mark {
            path: path(moves),
            mark: mark.and_then(game::study::Mark::read),
        };
        for taken in [
            comment(&[], ""),
            comment(&["V"], "Less."),
            mark(&["V"], None),
            mark(&["V"], Some("?")),
            Edit::Delete { path: path(&["V", "1,0 r0"]) },
        ] {
            assert!(takes_away(&chapter, &taken), "{taken:?}");
        }
        for kept in [
            comment(&["V"], " More. "),
            comment(&["V", "1,0 r0"], "New."),
            comment(&["A"], "Nowhere."),
            mark(&["V"], Some("!")),
            mark(&["V", "1,0 r0"], Some("?")),
            Edit::Play { path: path(&[]), moves: path(&["A"]) },
            Edit::Promote { path: path(&["V"]) },
        ] {
            assert!(!takes_away(&chapter, &kept), "{kept:?}");
        }
    }
}
