//! Puzzles: positions with one clear best turn, and the text in which they are kept.
//!
//! `read` and `write` are the text (`docs/puzzles.md`), `theme` says what a puzzle is about, `shipped`
//! holds those that come with the program. `mining` finds new ones: `mine` goes through a game, `choices` lists
//! what can be done, `measure` finds the best and by how much, `grading` how hard it is to find, `about` its
//! themes; `mined_file` keeps them.

#[cfg(feature = "puzzles")]
mod about;
#[cfg(feature = "puzzles")]
mod choices;
#[cfg(feature = "puzzles")]
mod grading;
mod id;
#[cfg(feature = "puzzles")]
mod measure;
#[cfg(feature = "puzzles")]
mod mine;
#[cfg(feature = "puzzles")]
mod mined_file;
#[cfg(feature = "puzzles")]
mod mining;
mod read;
#[cfg(feature = "puzzles")]
mod shipped;
mod theme;
mod write;

pub use id::PuzzleId;
#[cfg(feature = "puzzles")]
pub use mine::{MineError, Mined, check, mine};
#[cfg(feature = "puzzles")]
pub use mined_file::{MinedFile, MinedFileError};
#[cfg(feature = "puzzles")]
pub use mining::{GameToMine, Games, MinedGame, Miners, Mining, MiningError, SelfPlay};
pub use read::{ParsePuzzleError, read_all};
#[cfg(feature = "puzzles")]
pub use shipped::shipped;
pub use theme::Theme;
pub use write::write_all;

use crate::turn_look::turn_look;
use carcassonne::{Expanded, Move};
use game::{Game, Record, Turn, ignore};
use std::fmt;

/// A position with one clear best turn.
///
/// [`read_all`] only gives puzzles whose record can be replayed and whose turns are legal whole turns.
#[derive(Clone, PartialEq, Debug)]
pub struct Puzzle {
    /// How hard it is, on the scale of the levels' ratings: a solver of the same rating finds the answer
    /// in half of all cases.
    pub rating: u16,
    /// What it is about.
    pub themes: Vec<Theme>,
    /// What the answer is worth more than the best turn that is not as good.
    pub gap: Gap,
    /// How often levels found the answer, the weakest level first.
    pub solved: Vec<Solved>,
    /// Where the position comes from.
    pub source: Source,
    /// The best turn.
    pub answer: Vec<Move>,
    /// Turns that are as good, because they lead to the same position.
    pub also: Vec<Vec<Move>>,
    /// The game up to the draw of the tile in hand. A setup without sets is a game of the base edition.
    pub record: Record<Expanded>,
}

/// A difference in points of final margin.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gap {
    /// How many points.
    pub points: f64,
    /// The standard error of that; 0 where it is exact.
    pub error: f64,
}

/// How often a level found the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The level's name.
    pub level: String,
    /// How often it found the answer.
    pub times: u32,
    /// How often it tried.
    pub of: u32,
}

/// Where a position comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A game that bots played for it.
    Engine,
    /// The game with this name: the id of a game on the server, or the name of a file.
    Game(String),
}

impl Puzzle {
    /// Its name: the same position from the same game has the same.
    #[must_use]
    pub fn id(&self) -> PuzzleId {
        PuzzleId::of(&self.record)
    }

    /// The position that is to be solved.
    #[must_use]
    pub fn position(&self) -> Expanded {
        let mut position = Expanded::new(&self.record.setup);
        self.record.moves.iter().for_each(|m| position.play_unchecked(*m, ignore));
        position
    }

    /// Whether a turn is the answer, or as good: rotations that look alike are the same.
    #[must_use]
    pub fn is_solution(&self, turn: &[Move]) -> bool {
        let position = self.position();
        let tried = turn_look(&position, turn);
        std::iter::once(&self.answer)
            .chain(&self.also)
            .any(|solution| turn_look(&position, solution) == tried)
    }
}

/// Why a turn is none of a position.
fn refuse_part_of_turn(position: &Expanded, turn: &[Move]) -> Result<(), String> {
    let mut end = position.clone();
    for (index, m) in turn.iter().enumerate() {
        if index > 0 && end.turn() != position.turn() {
            return Err(format!("the turn is over before '{m}'"));
        }
        end.play(*m, |_| {}).map_err(|error| error.to_string())?;
    }
    match matches!(position.turn(), Turn::Player(_)) && end.turn() == position.turn() {
        true => Err("the turn is not whole: the placement, then a meeple or 'pass'".to_owned()),
        false => Ok(()),
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine => f.write_str("engine"),
            Self::Game(name) => write!(f, "game {name}"),
        }
    }
}

#[cfg(test)]
mod tests;
