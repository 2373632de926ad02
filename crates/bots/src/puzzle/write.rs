//! Puzzles written as text.

use super::Puzzle;
use super::read::HEADER;
use carcassonne::Move;
use std::fmt;

/// The text of a file of puzzles.
#[must_use]
pub fn write_all<'a>(puzzles: impl IntoIterator<Item = &'a Puzzle>) -> String {
    let mut text = format!("{HEADER}\n");
    puzzles.into_iter().for_each(|puzzle| text += &format!("\n{puzzle}"));
    text
}

impl fmt::Display for Puzzle {
    /// One puzzle of a file, without the file's first line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "puzzle {}", self.id())?;
        writeln!(f, "rating {}", self.rating)?;
        f.write_str("themes")?;
        self.themes.iter().try_for_each(|theme| write!(f, " {theme}"))?;
        writeln!(f, "\ngap {:.2} {:.2}", self.gap.points, self.gap.error)?;
        f.write_str("solved")?;
        for solved in &self.solved {
            write!(f, " {} {}/{}", solved.level, solved.times, solved.of)?;
        }
        writeln!(f, "\nsource {}", self.source)?;
        writeln!(f, "answer {}", turn_text(&self.answer))?;
        for turn in &self.also {
            writeln!(f, "also {}", turn_text(turn))?;
        }
        write!(f, "record\n{}end\n", self.record)
    }
}

fn turn_text(turn: &[Move]) -> String {
    let moves: Vec<String> = turn.iter().map(ToString::to_string).collect();
    moves.join("; ")
}
