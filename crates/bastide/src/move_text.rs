//! Moves as text with `;` between them, as commands and engines write them.

use std::error::Error;
use std::fmt::{self, Display};
use std::str::FromStr;

/// Reads moves with `;` between them. Empty parts are left out.
///
/// # Errors
/// Names the first part that is no move, and what was expected.
pub(crate) fn read_moves<M: FromStr<Err: Display>>(text: &str) -> Result<Vec<M>, NotAMove> {
    let parts: Vec<&str> = text.split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
    let read = |(index, part): (usize, &&str)| {
        part.parse().map_err(|error: M::Err| NotAMove {
            number: (parts.len() > 1).then_some(index + 1),
            found: game::excerpt(part, SHOWN),
            trouble: match without_semicolons::<M>(part) {
                Some(moves) => {
                    Trouble::Several(moves.len(), game::excerpt(&moves.join("; "), SHOWN))
                }
                None => Trouble::Unreadable(error.to_string()),
            },
        })
    };
    parts.iter().enumerate().map(read).collect()
}

/// How much of a text that may be hostile and long is quoted.
const SHOWN: usize = 60;

/// The most words of one move: `3,-1 r2`, `big city0`, `brick 0,0`.
const MOST_WORDS: usize = 2;

/// The moves in a text that are only separated by spaces, if it is nothing else.
fn without_semicolons<M: FromStr>(text: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (mut moves, mut start) = (Vec::new(), 0);
    while start < words.len() {
        let most = MOST_WORDS.min(words.len() - start);
        let is_move = |count: &usize| words[start..start + count].join(" ").parse::<M>().is_ok();
        let count = (1..=most).rev().find(is_move)?;
        moves.push(words[start..start + count].join(" "));
        start += count;
    }
    (moves.len() > 1).then_some(moves)
}

/// A part of a text that is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NotAMove {
    /// Which part it is, from 1, where there are several.
    number: Option<usize>,
    found: String,
    trouble: Trouble,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Trouble {
    /// Nothing that can be read: what was expected.
    Unreadable(String),
    /// So many moves, and how they should be written.
    Several(usize, String),
}

impl NotAMove {
    /// Whether it is several moves without a sign between them.
    pub(crate) const fn is_several(&self) -> bool {
        matches!(self.trouble, Trouble::Several(..))
    }
}

impl Display for NotAMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.number {
            write!(f, "move {number} ")?;
        }
        write!(f, "'{}'", self.found)?;
        match &self.trouble {
            Trouble::Unreadable(expected) => write!(f, ": {expected}"),
            Trouble::Several(count, moves) => {
                write!(f, " is {count} moves; put ';' between them: {moves}")
            }
        }
    }
}

impl Error for NotAMove {}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::Move;

    fn error(text: &str) -> String {
        read_moves::<Move>(text).unwrap_err().to_string()
    }

    #[test]
    fn moves_are_read_and_empty_parts_left_out() {
        let moves = read_moves::<Move>(" U; 1,0  r0 ;; big city0; ").unwrap();
        let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["U", "1,0 r0", "big city0"]);
        assert_eq!(read_moves::<Move>(" ; "), Ok(Vec::new()));
    }

    #[test]
    fn spaces_do_not_separate_moves() {
        assert_eq!(
            error("pass; 3,-1 r2 big city0 E-garden"),
            "move 2 '3,-1 r2 big city0 E-garden' is 3 moves; put ';' between them: \
             3,-1 r2; big city0; E-garden"
        );
        assert!(error("1,0 r0 r1").starts_with("'1,0 r0 r1': expected"));
    }
}
