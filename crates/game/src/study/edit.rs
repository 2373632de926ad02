//! Changes of a chapter, each small and by itself, so that several people can work on one.

use super::{Chapter, DEEPEST, LONGEST_COMMENT, MOST_MOVES, Mark, tidy};
use crate::{Game, excerpt, ignore};
use std::fmt::{self, Display};

/// A change of a chapter. A place is named by the moves that lead to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit<M> {
    /// Adds moves; what is there already stays.
    Play {
        /// Where.
        path: Vec<M>,
        /// What is played there.
        moves: Vec<M>,
    },
    /// Says something of the last move, or before the first.
    Comment {
        /// The moves up to the one that is spoken of.
        path: Vec<M>,
        /// What is said now; nothing takes the comment away.
        text: String,
        /// What was said before, as far as the writer knows.
        was: String,
    },
    /// Holds the last move to be good or bad, or no longer.
    Mark {
        /// The moves up to it.
        path: Vec<M>,
        /// The mark.
        mark: Option<Mark>,
    },
    /// Takes the last move away with all that follows.
    Delete {
        /// The moves up to it.
        path: Vec<M>,
    },
    /// Makes the last move the first choice at its place.
    Promote {
        /// The moves up to it.
        path: Vec<M>,
    },
}

/// Why a change was not made; the chapter is as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditError {
    /// The moves lead nowhere any more, or never did.
    NoPlace(String),
    /// Somebody else said something else meanwhile.
    Changed {
        /// What is said now.
        now: String,
    },
    /// It is not allowed.
    Refused(String),
}

impl Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlace(why) | Self::Refused(why) => f.write_str(why),
            Self::Changed { now } => {
                write!(f, "the comment was changed meanwhile; it is now '{}'", excerpt(now, 80))
            }
        }
    }
}

impl std::error::Error for EditError {}

fn too_deep() -> EditError {
    EditError::Refused(format!("variations lie in each other {DEEPEST} deep at most"))
}

impl<G: Game> Chapter<G> {
    /// Makes a change.
    ///
    /// # Errors
    /// If it cannot be made; then nothing is changed.
    pub fn apply(&mut self, edit: &Edit<G::Move>) -> Result<(), EditError> {
        match edit {
            Edit::Play { path, moves } => self.add(path, moves),
            Edit::Comment { path, text, was } => {
                let at = self.place(path)?;
                let text =
                    tidy("a comment", text, LONGEST_COMMENT, true).map_err(EditError::Refused)?;
                let comment = match at {
                    Some(at) => &mut self.tree.node_mut(at).comment,
                    None => &mut self.comment,
                };
                if comment.trim() != was.trim() && *comment != text {
                    return Err(EditError::Changed { now: comment.clone() });
                }
                *comment = text;
                Ok(())
            }
            Edit::Mark { path, mark } => {
                let at = self.moved(path)?;
                self.tree.node_mut(at).mark = *mark;
                Ok(())
            }
            Edit::Delete { path } => {
                let at = self.moved(path)?;
                self.tree.remove(at);
                Ok(())
            }
            Edit::Promote { path } => {
                let at = self.moved(path)?;
                let siblings = self.tree.siblings_mut(at);
                let index = siblings.iter().position(|sibling| *sibling == at).unwrap_or(0);
                siblings[..=index].rotate_right(1);
                if self.tree.deepest() > DEEPEST {
                    self.tree.siblings_mut(at)[..=index].rotate_left(1);
                    return Err(too_deep());
                }
                Ok(())
            }
        }
    }

    /// The place that moves lead to.
    fn place(&self, path: &[G::Move]) -> Result<Option<usize>, EditError> {
        self.tree.find(path).map_err(|known| {
            let (ply, m) = (known + 1, path[known]);
            EditError::NoPlace(format!("ply {ply} '{m}' is not in this chapter"))
        })
    }

    /// The place of the last of the moves.
    fn moved(&self, path: &[G::Move]) -> Result<usize, EditError> {
        let start = || EditError::Refused("this needs a move; the path is empty".to_owned());
        self.place(path)?.ok_or_else(start)
    }

    fn add(&mut self, path: &[G::Move], moves: &[G::Move]) -> Result<(), EditError> {
        let mut at = self.place(path)?;
        if self.tree.len() + moves.len() > MOST_MOVES {
            let refusal = format!("a chapter has at most {MOST_MOVES} moves");
            return Err(EditError::Refused(refusal));
        }
        let mut game = self.start();
        path.iter().for_each(|m| game.play_unchecked(*m, ignore));
        for (index, m) in moves.iter().enumerate() {
            game.play(*m, ignore).map_err(|illegal| {
                let ply = path.len() + index + 1;
                EditError::Refused(format!("ply {ply} '{m}': {illegal}"))
            })?;
        }
        if self.tree.nesting(at) >= DEEPEST {
            return Err(too_deep());
        }
        for m in moves {
            at = Some(self.tree.play(at, *m));
        }
        Ok(())
    }
}
