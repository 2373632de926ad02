//! A file of puzzles that grows game by game.
//!
//! After the puzzles of a game stands a comment that names the game. So a run that was interrupted goes on where it
//! was, and the file says how many positions were looked at.

use super::mine::Mined;
use super::read::HEADER;
use super::{ParsePuzzleError, Puzzle, PuzzleId, read_all};
use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What the comment after a game begins with.
const MARK: &str = "# mined ";

/// A file of puzzles that grows game by game.
#[derive(Debug)]
pub struct MinedFile {
    path: PathBuf,
    ids: HashSet<PuzzleId>,
    games: HashSet<String>,
    positions: usize,
}

/// A file to which no puzzles can be added.
#[derive(Debug)]
pub enum MinedFileError {
    /// It cannot be read or written.
    File(io::Error),
    /// It is no file of puzzles.
    Text(ParsePuzzleError),
}

impl fmt::Display for MinedFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Text(error) => error.fmt(f),
        }
    }
}

impl Error for MinedFileError {}

impl From<io::Error> for MinedFileError {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

impl MinedFile {
    /// Opens a file, or makes one. Where its end cannot be read, that was being written when a run was killed: all
    /// after the last whole game is cut off.
    ///
    /// # Errors
    /// If it cannot be read or written, or is no file of puzzles.
    pub fn open(path: &Path) -> Result<Self, MinedFileError> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let kept = if text.trim().is_empty() { format!("{HEADER}\n") } else { whole(&text)? };
        let puzzles = read_all(&kept).map_err(MinedFileError::Text)?;
        if kept != text {
            fs::write(path, &kept)?;
        }
        let (mut games, mut positions) = (HashSet::new(), 0);
        for (looked_at, game) in kept.lines().filter_map(read_mark) {
            positions += looked_at;
            games.insert(game.to_owned());
        }
        let ids = puzzles.iter().map(Puzzle::id).collect();
        Ok(Self { path: path.to_owned(), ids, games, positions })
    }

    /// How many puzzles it holds.
    #[must_use]
    pub fn puzzles(&self) -> usize {
        self.ids.len()
    }

    /// How many decisions were looked at for them.
    #[must_use]
    pub const fn positions(&self) -> usize {
        self.positions
    }

    /// How many games were looked at.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Whether a game was mined already.
    #[must_use]
    pub fn has(&self, game: &str) -> bool {
        self.games.contains(game)
    }

    /// Adds what was found in a game, without the puzzles that it has already.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &str, mined: &Mined) -> io::Result<()> {
        let fresh = mined.puzzles.iter().filter(|puzzle| self.ids.insert(puzzle.id()));
        let fresh: Vec<&Puzzle> = fresh.collect();
        let mut text = String::new();
        fresh.iter().for_each(|puzzle| text += &format!("\n{puzzle}"));
        text +=
            &format!("\n{MARK}{} positions, {} puzzles: {game}\n", mined.positions, fresh.len());
        self.games.insert(game.to_owned());
        self.positions += mined.positions;
        OpenOptions::new().append(true).open(&self.path)?.write_all(text.as_bytes())
    }
}

/// What stays of a file: all of it unless its end cannot be read.
fn whole(text: &str) -> Result<String, MinedFileError> {
    let Err(error) = read_all(text) else {
        if text.ends_with('\n') {
            return Ok(text.to_owned());
        }
        // The last line may be a part of a comment.
        let games = whole_games(text);
        return Ok(if games.is_empty() { format!("{text}\n") } else { games.to_owned() });
    };
    match whole_games(text) {
        "" => Err(MinedFileError::Text(error)),
        games => Ok(games.to_owned()),
    }
}

/// The text up to the end of the last comment that names a game.
fn whole_games(text: &str) -> &str {
    let (mut whole, mut read) = (0, 0);
    for line in text.split_inclusive('\n') {
        read += line.len();
        if line.ends_with('\n') && read_mark(line.trim_end()).is_some() {
            whole = read;
        }
    }
    &text[..whole]
}

/// The positions and the game that a comment tells.
fn read_mark(line: &str) -> Option<(usize, &str)> {
    let (counts, game) = line.strip_prefix(MARK)?.split_once(": ")?;
    let (positions, _) = counts.split_once(" positions")?;
    Some((positions.parse().ok()?, game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_being_written_is_cut_off() {
        let whole = "bastide-puzzles 1\n\n# mined 71 positions, 0 puzzles: game 1\n";
        assert_eq!(whole_games(whole), whole);
        assert_eq!(whole_games(&format!("{whole}\npuzzle 3f9a")), whole);
        assert_eq!(whole_games(&format!("{whole}\n# mined 70 positions, 0 puzzles: ga")), whole);
        assert_eq!(whole_games("bastide-puzzles 1\n"), "");
        assert_eq!(read_mark("# mined 71 positions, 0 puzzles: game 1"), Some((71, "game 1")));
        assert_eq!(read_mark("# mined gold"), None);
    }
}
