//! A study as text.

use super::{Chapter, Study};
use crate::{Game, Turn, ignore};
use std::fmt::{self, Display, Formatter};

impl<G: Game> Display for Study<G> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.title.is_empty() {
            writeln!(f, "study {}", self.title)?;
        }
        for (index, chapter) in self.chapters.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            // A single chapter without a title is written as a record is.
            if !chapter.title.is_empty() || self.chapters.len() > 1 {
                writeln!(f, "{}", format!("chapter {}", chapter.title).trim_end())?;
            }
            write!(f, "{chapter}")?;
        }
        Ok(())
    }
}

impl<G: Game> Display for Chapter<G> {
    /// One line a round: a new line starts at each outcome of chance.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", G::NAME, self.setup)?;
        if let Some(laid) = &self.laid {
            write!(f, "\nfrom {laid}")?;
        }
        if !self.comment.is_empty() {
            write!(f, "\n{}", Braced(&self.comment))?;
        }
        self.line(f, None, self.start())?;
        writeln!(f)
    }
}

impl<G: Game> Chapter<G> {
    /// Writes the main line after a move, each move followed by what might be played in its place. Only
    /// variations within variations go deeper.
    fn line(&self, f: &mut Formatter<'_>, after: Option<usize>, mut game: G) -> fmt::Result {
        let mut here = after;
        while let [main, others @ ..] = self.tree.after(here) {
            f.write_str(match game.turn() {
                Turn::Chance => "\n",
                _ if here.is_none() => "\n",
                _ => "; ",
            })?;
            self.one(f, *main)?;
            for other in others {
                f.write_str(" (")?;
                self.one(f, *other)?;
                let mut there = game.clone();
                there.play_unchecked(self.tree.node(*other).played, ignore);
                self.line(f, Some(*other), there)?;
                f.write_str(")")?;
            }
            game.play_unchecked(self.tree.node(*main).played, ignore);
            here = Some(*main);
        }
        Ok(())
    }

    fn one(&self, f: &mut Formatter<'_>, at: usize) -> fmt::Result {
        let node = self.tree.node(at);
        write!(f, "{}", node.played)?;
        if let Some(mark) = node.mark {
            write!(f, " {mark}")?;
        }
        if !node.comment.is_empty() {
            write!(f, " {}", Braced(&node.comment))?;
        }
        Ok(())
    }
}

/// A comment in braces.
struct Braced<'a>(&'a str);

impl Display for Braced<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.0.replace('\\', "\\\\").replace('}', "\\}"))
    }
}
