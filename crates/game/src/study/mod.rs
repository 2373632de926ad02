//! Lines of play with variations and comments, in chapters: what somebody thinks about games.
//!
//! ```text
//! study Endings
//! chapter The last monastery
//! carcassonne players=2          as in a record: the game's name, then its setup
//! from tile U 1,0 r0 | player 0   for a position laid by hand, in the game's own text
//! {What would you draw?}
//! V; -1,0 r1; road0 ! {Claims the road.}
//! (-1,0 r1; pass {Too careful.})  in place of the move before it
//! U; 1,0 r0; pass                 `#` starts a remark that is not kept
//! ```
//!
//! Every move is legal where it stands. A record is a study of one chapter.

mod edit;
mod read;
mod tree;
mod write;

pub use edit::{Edit, EditError};
pub use tree::{Mark, Node, Tree};

use crate::Game;

/// The most chapters that a study has.
pub const MOST_CHAPTERS: usize = 64;
/// The most moves that a study has, all chapters and variations together.
pub const MOST_MOVES: usize = 20_000;
/// How deep variations lie in variations at most.
pub const DEEPEST: usize = 32;
/// The most characters of a comment.
pub const LONGEST_COMMENT: usize = 4_000;
/// The most characters of a title.
pub const LONGEST_TITLE: usize = 120;

/// Chapters under one title.
pub struct Study<G: Game> {
    /// What it is about; may be empty.
    pub title: String,
    /// At least one.
    pub chapters: Vec<Chapter<G>>,
}

/// One game with everything that might have been played in it.
pub struct Chapter<G: Game> {
    /// What it is about; may be empty.
    pub title: String,
    /// What was settled before the first move.
    pub setup: G::Setup,
    /// The position that it begins with, if that was laid by hand: its text on one line.
    laid: Option<String>,
    /// What is said before the first move.
    pub comment: String,
    /// The moves.
    pub tree: Tree<G::Move>,
}

impl<G: Game> Chapter<G> {
    /// A chapter without moves.
    #[must_use]
    pub const fn new(title: String, setup: G::Setup) -> Self {
        Self { title, setup, laid: None, comment: String::new(), tree: Tree::new() }
    }

    /// The text of the position that it begins with, if that was laid by hand.
    #[must_use]
    pub fn laid(&self) -> Option<&str> {
        self.laid.as_deref()
    }

    /// The position that it begins with.
    #[must_use]
    pub fn start(&self) -> G {
        match &self.laid {
            None => G::new(&self.setup),
            Some(laid) => G::lay(&self.setup, laid).expect("it was laid when it was read"),
        }
    }
}

impl<G: Game> Clone for Study<G> {
    fn clone(&self) -> Self {
        Self { title: self.title.clone(), chapters: self.chapters.clone() }
    }
}

impl<G: Game> PartialEq for Study<G> {
    fn eq(&self, other: &Self) -> bool {
        self.title == other.title && self.chapters == other.chapters
    }
}

impl<G: Game> std::fmt::Debug for Study<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut study = f.debug_struct("Study");
        study.field("title", &self.title).field("chapters", &self.chapters).finish()
    }
}

impl<G: Game> Clone for Chapter<G> {
    fn clone(&self) -> Self {
        Self {
            title: self.title.clone(),
            setup: self.setup.clone(),
            laid: self.laid.clone(),
            comment: self.comment.clone(),
            tree: self.tree.clone(),
        }
    }
}

impl<G: Game> PartialEq for Chapter<G> {
    fn eq(&self, other: &Self) -> bool {
        (&self.title, &self.setup, &self.laid) == (&other.title, &other.setup, &other.laid)
            && self.comment == other.comment
            && self.tree == other.tree
    }
}

impl<G: Game> std::fmt::Debug for Chapter<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chapter")
            .field("title", &self.title)
            .field("setup", &self.setup)
            .field("laid", &self.laid)
            .field("comment", &self.comment)
            .field("tree", &self.tree)
            .finish()
    }
}

/// A text with spaces and line ends taken from its ends, if it is not too long and has nothing that a
/// terminal would obey.
fn tidy(what: &str, text: &str, longest: usize, lines: bool) -> Result<String, String> {
    let text = text.trim();
    let count = text.chars().count();
    if count > longest {
        return Err(format!("{what} has {count} characters; at most {longest} are allowed"));
    }
    let refused = |c: &char| c.is_control() && !(lines && matches!(c, '\n' | '\t'));
    match text.chars().find(refused) {
        Some(c) => Err(format!("{what} has the control character {}", c.escape_default())),
        None => Ok(text.to_owned()),
    }
}
