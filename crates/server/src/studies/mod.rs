//! Studies: games with variations and comments, alone or together with others.
//!
//! A chapter is stored as text. A change is made to what is there now, whoever changed it last, and stored only if
//! that is still so; otherwise it is made again. So nobody's move or comment is lost, and a change that no longer
//! fits (a place that was taken away, a comment that says something else now) is refused with what is there. What a
//! change takes away, and what the owner left before others changed it, is in the texts that `earlier` keeps.

mod earlier;
mod link;
mod store;

pub use earlier::{earlier, put_back};
pub use link::{FirstChapter, first_chapter};

use crate::error::Refusal;
use crate::games::carcassonne::AnyCarcassonne;
use crate::people::accounts::Requester;
use crate::storage::db::Db;
use crate::wire::{
    ChapterEdit, ChapterEdited, ChapterInfo, NewStudy, StudyChange, StudyChapter, StudyEdit,
    StudyInfo, StudyNode, StudyVisibility,
};
use crate::{ids, time};
use carcassonne::Move;
use game::study::{Chapter, Edit, EditError, LONGEST_TITLE, MOST_CHAPTERS, Mark, Study};
use std::collections::HashMap;
use store::{Change, Stored, StoredChapter};

type Games = Study<AnyCarcassonne>;

/// The most studies of one user.
const MOST: i64 = 200;

/// The most bytes of a chapter's text, as many as come in at once: many small changes must not fill the disk.
const LARGEST: usize = 256 * 1024;

/// How often a change is made again because others were quicker.
const TRIES: usize = 20;

/// What one may do with a study.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Right {
    See,
    /// Adding chapters, and changing what they say.
    Change,
    /// Whatever takes a chapter away or names it, and the study itself.
    Own,
}

/// A study that the asker may do this with. One that may not be seen looks as if it were not there.
async fn allowed(
    db: &Db,
    id: &str,
    who: Option<&Requester>,
    right: Right,
) -> Result<Stored, Refusal> {
    let missing = || Refusal::NotFound(format!("there is no study '{}'", game::excerpt(id, 40)));
    let study = store::find(db, id).await?.ok_or_else(missing)?;
    let mine = who.is_some_and(|who| who.user == study.owner);
    match (right, study.visibility) {
        _ if mine => Ok(study),
        (_, StudyVisibility::Private) => Err(missing()),
        (Right::See, _) | (Right::Change, StudyVisibility::Shared) => Ok(study),
        (Right::Change, _) => {
            Err(Refusal::Forbidden("only its owner changes this study".to_owned()))
        }
        (Right::Own, _) => Err(Refusal::Forbidden("only its owner may do that".to_owned())),
    }
}

fn told(study: Stored, who: Option<&Requester>, chapters: Vec<ChapterInfo>) -> StudyInfo {
    let mine = who.is_some_and(|who| who.user == study.owner);
    StudyInfo {
        id: study.id,
        title: study.title,
        owner: study.name,
        visibility: study.visibility,
        mine,
        editable: mine || (who.is_some() && study.visibility == StudyVisibility::Shared),
        changed: study.changed,
        chapters,
    }
}

/// A title in one line, if it is not too long.
fn title(text: &str) -> Result<String, Refusal> {
    let text = text.trim();
    let count = text.chars().count();
    if count > LONGEST_TITLE {
        let allowed =
            format!("the title has {count} characters; at most {LONGEST_TITLE} are allowed");
        return Err(Refusal::Bad(allowed));
    }
    if let Some(c) = text.chars().find(|c| c.is_control()) {
        let found = c.escape_default();
        return Err(Refusal::Bad(format!(
            "the title has the control character {found}; a title is one line without any"
        )));
    }
    Ok(text.to_owned())
}

fn read(text: &str) -> Result<Games, Refusal> {
    text.parse().map_err(|error: game::ParseRecordError| Refusal::IllegalMove(error.to_string()))
}

/// What is stored of a new chapter.
fn new_chapter(chapter: &Chapter<AnyCarcassonne>) -> StoredChapter {
    StoredChapter {
        info: ChapterInfo {
            id: ids::new_id()[..8].to_owned(),
            title: chapter.title.clone(),
            version: 1,
            moves: chapter.tree.len(),
        },
        body: chapter.to_string(),
    }
}

/// A chapter read from what is stored of it.
fn parsed(stored: &StoredChapter) -> Result<Chapter<AnyCarcassonne>, Refusal> {
    let read = stored.body.parse::<Games>().map(|study| study.chapters.into_iter().next());
    match read {
        Ok(Some(chapter)) => Ok(chapter),
        read => {
            let error = read.err().map(|error| error.to_string());
            tracing::error!(chapter = stored.info.id, error, "a stored chapter cannot be read");
            Err(Refusal::Internal)
        }
    }
}

fn told_chapter(info: ChapterInfo, chapter: &Chapter<AnyCarcassonne>) -> StudyChapter {
    let mut last_at: Vec<usize> = Vec::new();
    let nodes = chapter.tree.walk().enumerate().map(|(at, (depth, node))| {
        last_at.truncate(depth);
        let parent = last_at.last().copied();
        last_at.push(at);
        StudyNode {
            played: node.played.to_string(),
            parent,
            comment: node.comment.clone(),
            mark: node.mark.map(|mark| mark.to_string()),
        }
    });
    StudyChapter {
        info,
        setup: chapter.setup.to_string(),
        laid: chapter.laid().map(str::to_owned),
        nodes: nodes.collect(),
        comment: chapter.comment.clone(),
    }
}

/// Reading and replaying a long text takes a moment.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Refusal::Internal)?
}

/// Makes a study.
///
/// # Errors
/// If its text is no study, or its owner has too many.
pub async fn create(db: &Db, who: &Requester, wanted: NewStudy) -> Result<StudyInfo, Refusal> {
    if store::count(db, &who.user).await? >= MOST {
        return Err(Refusal::Conflict(format!("you have {MOST} studies; delete one first")));
    }
    let text = wanted.text.unwrap_or_else(|| "carcassonne players=2".to_owned());
    let (from_text, chapters) = aside(move || {
        let study = read(&text)?;
        Ok((study.title, study.chapters.iter().map(new_chapter).collect::<Vec<_>>()))
    })
    .await?;
    let study = Stored {
        id: ids::new_game_id(),
        owner: who.user.clone(),
        name: who.name.clone(),
        title: title(wanted.title.as_deref().unwrap_or(&from_text))?,
        visibility: wanted.visibility,
        changed: time::now(),
    };
    store::insert(db, &study, &chapters).await?;
    let infos = chapters.into_iter().map(|chapter| chapter.info).collect();
    Ok(told(study, Some(who), infos))
}

/// The studies of somebody, the one changed last first.
///
/// # Errors
/// If the database does not answer.
pub async fn of_owner(db: &Db, who: &Requester) -> Result<Vec<StudyInfo>, Refusal> {
    let mut chapters: HashMap<String, Vec<ChapterInfo>> = HashMap::new();
    for (study, chapter) in store::chapter_lists(db, &who.user).await? {
        chapters.entry(study).or_default().push(chapter);
    }
    let studies = store::of_owner(db, &who.user).await?.into_iter().map(|study| {
        let chapters = chapters.remove(&study.id).unwrap_or_default();
        told(study, Some(who), chapters)
    });
    Ok(studies.collect())
}

/// A study without its moves.
///
/// # Errors
/// If there is none that the asker may see.
pub async fn look(db: &Db, id: &str, who: Option<&Requester>) -> Result<StudyInfo, Refusal> {
    let study = allowed(db, id, who, Right::See).await?;
    let chapters = store::chapter_list(db, id).await?;
    Ok(told(study, who, chapters))
}

/// A study as text.
///
/// # Errors
/// If there is none that the asker may see.
pub async fn text(db: &Db, id: &str, who: Option<&Requester>) -> Result<String, Refusal> {
    let study = allowed(db, id, who, Right::See).await?;
    let stored = store::chapters(db, id).await?;
    aside(move || {
        let mut chapters = Vec::with_capacity(stored.len());
        for chapter in stored {
            let title = chapter.info.title.clone();
            let mut read = parsed(&chapter)?;
            read.title = title;
            chapters.push(read);
        }
        Ok(Games { title: study.title, chapters }.to_string())
    })
    .await
}

/// Changes the title of a study, or who may see it.
///
/// # Errors
/// If the asker is not its owner, or the title is too long.
pub async fn change(
    db: &Db,
    id: &str,
    who: &Requester,
    wanted: StudyChange,
) -> Result<StudyInfo, Refusal> {
    let study = allowed(db, id, Some(who), Right::Own).await?;
    let title = wanted.title.as_deref().map_or(Ok(study.title), title)?;
    store::set(db, id, &title, wanted.visibility.unwrap_or(study.visibility)).await?;
    look(db, id, Some(who)).await
}

/// Deletes a study.
///
/// # Errors
/// If the asker is not its owner.
pub async fn delete(db: &Db, id: &str, who: &Requester) -> Result<(), Refusal> {
    allowed(db, id, Some(who), Right::Own).await?;
    store::remove(db, id).await
}

/// Adds chapters.
///
/// # Errors
/// If the text is no study, or there would be too many.
pub async fn add(db: &Db, id: &str, who: &Requester, text: String) -> Result<StudyInfo, Refusal> {
    let study = allowed(db, id, Some(who), Right::Change).await?;
    let chapters =
        aside(move || Ok(read(&text)?.chapters.iter().map(new_chapter).collect::<Vec<_>>()))
            .await?;
    let by_owner = who.user == study.owner;
    if !store::add_chapters(db, id, &chapters, by_owner, MOST_CHAPTERS).await? {
        return Err(Refusal::Conflict(format!("a study has at most {MOST_CHAPTERS} chapters")));
    }
    look(db, id, Some(who)).await
}

/// A chapter with all its moves.
///
/// # Errors
/// If there is none that the asker may see.
pub async fn chapter(
    db: &Db,
    id: &str,
    chapter: &str,
    who: Option<&Requester>,
) -> Result<StudyChapter, Refusal> {
    allowed(db, id, who, Right::See).await?;
    let stored = stored_chapter(db, id, chapter).await?;
    aside(move || parsed(&stored).map(|chapter| told_chapter(stored.info, &chapter))).await
}

async fn stored_chapter(db: &Db, id: &str, chapter: &str) -> Result<StoredChapter, Refusal> {
    let missing = || format!("there is no chapter '{}' in this study", game::excerpt(chapter, 40));
    store::chapter(db, id, chapter).await?.ok_or_else(|| Refusal::NotFound(missing()))
}

/// Gives a chapter another title.
///
/// # Errors
/// If the asker is not the study's owner, or the title is too long.
pub async fn rename(
    db: &Db,
    id: &str,
    chapter: &str,
    who: &Requester,
    wanted: &str,
) -> Result<StudyInfo, Refusal> {
    allowed(db, id, Some(who), Right::Own).await?;
    let title = title(wanted)?;
    let change = Change { user: &who.user, by_owner: true, takes_away: false, before: None };
    for _ in 0..TRIES {
        let mut stored = stored_chapter(db, id, chapter).await?;
        stored.info.title.clone_from(&title);
        if store::replace_chapter(db, id, &stored, &change).await? {
            return look(db, id, Some(who)).await;
        }
    }
    Err(too_busy())
}

/// Deletes a chapter.
///
/// # Errors
/// If the asker is not the study's owner, or it is the last.
pub async fn delete_chapter(
    db: &Db,
    id: &str,
    chapter: &str,
    who: &Requester,
) -> Result<(), Refusal> {
    allowed(db, id, Some(who), Right::Own).await?;
    stored_chapter(db, id, chapter).await?;
    if !store::remove_chapter(db, id, chapter).await? {
        let last = "a study has at least one chapter; delete the study instead";
        return Err(Refusal::Conflict(last.to_owned()));
    }
    Ok(())
}

fn too_busy() -> Refusal {
    Refusal::Unavailable("too many people change this chapter at once; try again".to_owned())
}

/// What a change makes of a chapter.
struct Edited {
    before: StoredChapter,
    after: StoredChapter,
    chapter: Chapter<AnyCarcassonne>,
    takes_away: bool,
}

/// Makes a change of a chapter, to what is there now. One that changes nothing makes no new version.
///
/// # Errors
/// If the asker may not, or the change does not fit what is there.
pub async fn edit(
    db: &Db,
    id: &str,
    chapter: &str,
    who: &Requester,
    wanted: ChapterEdit,
) -> Result<ChapterEdited, Refusal> {
    let study = allowed(db, id, Some(who), Right::Change).await?;
    let change = read_edit(wanted.edit)?;
    for _ in 0..TRIES {
        let stored = stored_chapter(db, id, chapter).await?;
        let (seen, change) = (stored.info.version, change.clone());
        let Edited { before, mut after, chapter, takes_away } =
            aside(move || made(stored, &change)).await?;
        if before.body != after.body {
            let by_owner = who.user == study.owner;
            let before = Some(&before);
            let change = Change { user: &who.user, by_owner, takes_away, before };
            if !store::replace_chapter(db, id, &after, &change).await? {
                continue;
            }
            after.info.version += 1;
        }
        let version = after.info.version;
        let chapter = (seen != wanted.version).then(|| told_chapter(after.info, &chapter));
        return Ok(ChapterEdited { version, chapter });
    }
    Err(too_busy())
}

fn made(stored: StoredChapter, change: &Edit<Move>) -> Result<Edited, Refusal> {
    let mut chapter = parsed(&stored)?;
    let takes_away = earlier::takes_away(&chapter, change);
    chapter.apply(change).map_err(|error| match error {
        EditError::NoPlace(_) | EditError::Changed { .. } => Refusal::Conflict(error.to_string()),
        EditError::Refused(why) => Refusal::IllegalMove(why),
    })?;
    let info = ChapterInfo { moves: chapter.tree.len(), ..stored.info.clone() };
    let after = StoredChapter { info, body: chapter.to_string() };
    if after.body.len() > LARGEST && after.body.len() > stored.body.len() {
        let refusal = format!("a chapter has at most {} KiB of text", LARGEST / 1024);
        return Err(Refusal::TooLarge(refusal));
    }
    Ok(Edited { before: stored, after, chapter, takes_away })
}

fn read_edit(edit: StudyEdit) -> Result<Edit<Move>, Refusal> {
    Ok(match edit {
        StudyEdit::Play { path, moves } => {
            Edit::Play { path: read_moves(&path)?, moves: read_moves(&moves)? }
        }
        StudyEdit::Comment { path, text, was } => {
            Edit::Comment { path: read_moves(&path)?, text, was }
        }
        StudyEdit::Mark { path, mark } => {
            let mark = mark.map(|mark| {
                let allowed = Mark::ALL.map(Mark::text).join(", ");
                let wrong =
                    || format!("'{}' is no mark; allowed: {allowed}", game::excerpt(&mark, 12));
                Mark::read(&mark).ok_or_else(|| Refusal::Bad(wrong()))
            });
            Edit::Mark { path: read_moves(&path)?, mark: mark.transpose()? }
        }
        StudyEdit::Delete { path } => Edit::Delete { path: read_moves(&path)? },
        StudyEdit::Promote { path } => Edit::Promote { path: read_moves(&path)? },
    })
}

fn read_moves(moves: &[String]) -> Result<Vec<Move>, Refusal> {
    let read = moves.iter().enumerate().map(|(index, text)| {
        text.parse().map_err(|error| {
            let (number, text) = (index + 1, game::excerpt(text, 40));
            Refusal::Bad(format!("move {number} '{text}': {error}"))
        })
    });
    read.collect()
}
