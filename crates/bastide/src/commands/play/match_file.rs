//! A saved game: a normal record with a comment that says who sits where.

use anyhow::{Context, anyhow};
use carcassonne::{Carcassonne, Setup, interpret_with};
use game::Record;
use std::fmt;
use std::io::Read;
use std::path::Path;

/// Who sits where, and the seed of the tiles.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Seating {
    /// The person's seat.
    pub(super) seat: Option<usize>,
    /// The seed of the tiles.
    pub(super) seed: Option<u64>,
    /// The bots of the other seats, in order.
    pub(super) bots: Vec<String>,
}

/// What the comment begins with.
const MARK: &str = "# bastide play";

impl fmt::Display for Seating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MARK)?;
        if let Some(seat) = self.seat {
            write!(f, "; seat {seat}")?;
        }
        if let Some(seed) = self.seed {
            write!(f, "; seed {seed}")?;
        }
        for bot in &self.bots {
            write!(f, "; bot {bot}")?;
        }
        Ok(())
    }
}

impl Seating {
    /// Reads the comment of a saved game; what it leaves out stays open.
    fn read(text: &str) -> Self {
        let mut seating = Self::default();
        let comment = text.lines().find_map(|line| line.strip_prefix(MARK)).unwrap_or_default();
        for part in comment.split(';').map(str::trim) {
            match part.split_once(' ') {
                Some(("seat", seat)) => seating.seat = seat.parse().ok(),
                Some(("seed", seed)) => seating.seed = seed.parse().ok(),
                Some(("bot", bot)) => seating.bots.push(bot.to_owned()),
                _ => {}
            }
        }
        seating
    }
}

/// Reads a saved game, in any form of a record.
///
/// # Errors
/// If it cannot be read, or is no game.
pub(super) fn load(path: &Path) -> anyhow::Result<(Record<Carcassonne>, Seating)> {
    /// No record is nearly as long.
    const LONGEST: u64 = 1 << 20;
    let name = path.display();
    let file = std::fs::File::open(path).with_context(|| format!("cannot open {name}"))?;
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).with_context(|| format!("cannot read {name}"))?;
    let read = interpret_with(&text, &Setup::default()).map_err(|e| anyhow!("{name}: {e}"))?;
    Ok((read.record, Seating::read(&text)))
}

/// Saves a game: written beside and renamed, so that a kill never leaves half a file.
///
/// # Errors
/// If it cannot be written.
pub(super) fn save(
    path: &Path,
    record: &Record<Carcassonne>,
    seating: &Seating,
) -> anyhow::Result<()> {
    let part = path.with_extension("part");
    let text = format!("{seating}\n{record}");
    std::fs::write(&part, text)
        .and_then(|()| std::fs::rename(&part, path))
        .with_context(|| format!("cannot save to {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seating_is_read_back() {
        let bots = vec!["mason".to_owned(), "cmd:python3 x.py --y".to_owned()];
        let seating = Seating { seat: Some(1), seed: Some(77), bots };
        assert_eq!(Seating::read(&format!("{seating}\ncarcassonne\n")), seating);
        assert_eq!(Seating::read("carcassonne\nU"), Seating::default());
        assert_eq!(Seating::read("# bastide play; seat x; bot\n"), Seating::default());
    }
}
