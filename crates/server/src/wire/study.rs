//! Studies: games with variations and comments, alone or together with others.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// Who may see and change a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum StudyVisibility {
    /// Its owner alone.
    #[default]
    Private,
    /// Whoever has its address sees it.
    Link,
    /// Whoever has its address sees it, and when logged in, as a guest too, adds chapters and changes what they
    /// say. Its owner alone deletes and names chapters.
    Shared,
}

/// A study that is to be made.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(deny_unknown_fields)]
pub struct NewStudy {
    /// What it is about; the title in the text, if left out.
    #[serde(default)]
    #[cfg_attr(test, ts(optional), schema(max_length = 120))]
    pub title: Option<String>,
    /// Its chapters in our notation; one empty chapter of the base game for two, if left out.
    #[serde(default)]
    #[cfg_attr(test, ts(optional), schema(max_length = 262_144))]
    pub text: Option<String>,
    /// Who may see it; its owner alone, if left out.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<StudyVisibility>"))]
    pub visibility: StudyVisibility,
}

/// What is to be changed of a study.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(deny_unknown_fields)]
pub struct StudyChange {
    /// Another title.
    #[serde(default)]
    #[cfg_attr(test, ts(optional), schema(max_length = 120))]
    pub title: Option<String>,
    /// Who may see it from now on.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub visibility: Option<StudyVisibility>,
}

/// Another title of a chapter.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(deny_unknown_fields)]
pub struct ChapterChange {
    /// The title.
    #[cfg_attr(test, schema(max_length = 120))]
    pub title: String,
}

/// Chapters that are to be added.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(deny_unknown_fields)]
pub struct NewChapters {
    /// A record, or chapters in our notation.
    #[cfg_attr(test, schema(max_length = 262_144))]
    pub text: String,
}

/// A study without its moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct StudyInfo {
    /// Its id.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// The name of its owner now.
    pub owner: String,
    /// Who may see it.
    pub visibility: StudyVisibility,
    /// Whether the asker owns it.
    pub mine: bool,
    /// Whether the asker may add chapters and change what they say.
    pub editable: bool,
    /// When it was changed last; Unix time in milliseconds.
    pub changed: i64,
    /// Its chapters, in order.
    pub chapters: Vec<ChapterInfo>,
}

/// A chapter without its moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ChapterInfo {
    /// Its id, within the study.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// It grows with every change.
    pub version: u64,
    /// How many moves it has, all variations together.
    pub moves: usize,
}

/// The studies of the asker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Studies {
    /// The one changed last first.
    pub studies: Vec<StudyInfo>,
}

/// A chapter with all its moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct StudyChapter {
    /// What the list says of it.
    pub info: ChapterInfo,
    /// The setup.
    pub setup: String,
    /// The position that it begins with, if that was laid by hand: the lines of its layout with `|` between.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional), schema(nullable = false))]
    pub laid: Option<String>,
    /// What is said before the first move.
    pub comment: String,
    /// The moves: each after the one it follows, a line before its alternatives.
    pub nodes: Vec<StudyNode>,
}

/// A move of a chapter.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct StudyNode {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// The place in the list of the move before it; none at the start.
    pub parent: Option<usize>,
    /// What is said of it.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub comment: String,
    /// `!!`, `!`, `!?`, `?!`, `?` or `??`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional))]
    pub mark: Option<String>,
}

/// A change of a chapter. A place is named by the moves that lead to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum StudyEdit {
    /// Adds moves; those that are there stay.
    Play {
        /// Where.
        path: Vec<String>,
        /// What is played there.
        moves: Vec<String>,
    },
    /// Says something of the last move of the path, or before the first.
    Comment {
        /// The moves up to the one that is spoken of.
        path: Vec<String>,
        /// What is said; nothing takes the comment away.
        text: String,
        /// What was said so far, as the writer knows it: if that is no longer so, nothing is changed.
        was: String,
    },
    /// Holds the last move to be good or bad.
    Mark {
        /// The moves up to it.
        path: Vec<String>,
        /// The mark; none takes it away.
        mark: Option<String>,
    },
    /// Takes the last move away with all that follows.
    Delete {
        /// The moves up to it.
        path: Vec<String>,
    },
    /// Makes the last move the first choice at its place.
    Promote {
        /// The moves up to it.
        path: Vec<String>,
    },
}

/// A change of a chapter, and what its writer has seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(deny_unknown_fields)]
pub struct ChapterEdit {
    /// The version that the writer has seen.
    pub version: u64,
    /// The change.
    pub edit: StudyEdit,
}

/// A chapter was changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ChapterEdited {
    /// The version now.
    pub version: u64,
    /// The whole chapter, if others changed it since the writer has seen it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional))]
    pub chapter: Option<StudyChapter>,
}

/// The texts that a chapter had before something was taken away in it, or before somebody else changed what the
/// study's owner left.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct EarlierTexts {
    /// The latest first.
    pub earlier: Vec<EarlierText>,
}

/// A text that a chapter had before a change.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct EarlierText {
    /// The version of the chapter with this text.
    pub version: u64,
    /// When it was changed; Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
    /// The name now of who did that; absent if they are gone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional))]
    pub by: Option<String>,
    /// Whether it is the text as the study's owner left it, before somebody else changed it.
    pub owners: bool,
    /// How many moves it has, all variations together.
    pub moves: usize,
    /// How many comments it has.
    pub comments: usize,
    /// How its first comment begins, with at most 80 characters; absent without comments.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional))]
    pub says: Option<String>,
}

/// An earlier text that is to be put back.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(deny_unknown_fields)]
pub struct PutBack {
    /// Its version.
    pub version: u64,
}
