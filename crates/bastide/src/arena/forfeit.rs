//! A game given up: by whom, where, why, and what would have been legal.

use crate::move_text::read_moves;
use carcassonne::{Edition, Move, Position};
use game::{Game, ignore};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A game given up by an answer that was none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Forfeit {
    /// The seat that answered so.
    pub(crate) seat: usize,
    /// The number of the move that was missing or not legal, draws counted. As with tile and legal
    /// moves, there is none if the game was not begun, or was stored by an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ply: Option<usize>,
    /// The tile that was to be placed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tile: Option<String>,
    /// What happened, or what it answered and what is wrong with that.
    pub(crate) why: String,
    /// The moves that were legal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) legal: Vec<String>,
}

impl Forfeit {
    /// Where it happened: ` at ply 17 with tile V`, as far as that is known.
    pub(crate) fn place(&self) -> String {
        let ply = self.ply.map_or(String::new(), |ply| format!(" at ply {ply}"));
        let tile = self.tile.as_ref().map_or(String::new(), |tile| format!(" with tile {tile}"));
        ply + &tile
    }

    /// A seat that did not begin the game.
    pub(super) const fn absent(seat: usize, why: String) -> Self {
        Self { seat, ply: None, tile: None, why, legal: Vec::new() }
    }

    /// A seat that gave no turn after so many plies.
    pub(super) fn unanswered<E: Edition>(
        seat: usize,
        position: &Position<E>,
        plies: usize,
        why: String,
    ) -> Self {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        Self {
            seat,
            ply: Some(plies + 1),
            tile: position.tile_in_hand().map(|tile| tile.to_string()),
            why,
            legal: moves.iter().map(ToString::to_string).collect(),
        }
    }

    /// A seat that gave a turn after so many plies that is not legal.
    pub(super) fn illegal<E: Edition>(
        seat: usize,
        position: &Position<E>,
        plies: usize,
        answer: &str,
    ) -> Self {
        let mut reached = position.clone();
        let parts = answer.split(';').map(str::trim).filter(|part| !part.is_empty());
        for (number, part) in (1..).zip(parts) {
            let wrong = if reached.turn() == position.turn() {
                play_part(&mut reached, part).err()
            } else {
                let part = game::excerpt(part, SHOWN);
                Some((format!("'{part}' comes after the end of the turn"), Vec::new()))
            };
            if let Some((what, legal)) = wrong {
                let why = format!("it answered '{answer}': move {number} {what}");
                let ply = Some(plies + number);
                let there = Self::unanswered(seat, position, plies, why);
                return Self { ply, legal, ..there };
            }
        }
        Self::unanswered(seat, position, plies, "it gave no turn".to_owned())
    }
}

/// How much of a part of an answer is quoted.
const SHOWN: usize = 60;

/// Plays a part of an answer, or says what is wrong with it and what would be legal.
fn play_part<E: Edition>(
    position: &mut Position<E>,
    part: &str,
) -> Result<(), (String, Vec<String>)> {
    let legal = |position: &Position<E>| {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves.iter().map(ToString::to_string).collect()
    };
    let moves: Vec<Move> = read_moves(part).map_err(|error| {
        let expected = match position.tile_in_hand() {
            Some(_) => "a placement such as '3,-1 r2' or 'P14 r2'",
            None => "a segment such as city0 for a meeple, or 'pass'",
        };
        let what = match error.is_several() {
            true => error.to_string(),
            false => format!("'{}' is no move: expected {expected}", game::excerpt(part, SHOWN)),
        };
        (what, legal(position))
    })?;
    moves.into_iter().try_for_each(|m| {
        position.play(m, ignore).map_err(|illegal| {
            let why = format!("'{}' is not legal: {}", illegal.moved, illegal.reason);
            (why, illegal.legal)
        })
    })
}

impl fmt::Display for Forfeit {
    /// The reason, and some of what was legal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// How many legal moves are named before the rest is only counted.
        const NAMED: usize = 12;
        // One line, also where a program answered with several.
        f.write_str(&self.why.replace('\n', " "))?;
        if self.legal.is_empty() {
            return Ok(());
        }
        write!(f, "; legal: {}", self.legal[..self.legal.len().min(NAMED)].join(" | "))?;
        match self.legal.len().saturating_sub(NAMED) {
            0 => Ok(()),
            rest => write!(f, " and {rest} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::{Carcassonne, Setup};
    use game::Record;

    fn position(moves: &str) -> Carcassonne {
        let record: Record<Carcassonne> = format!("carcassonne\n{moves}").parse().unwrap();
        assert_eq!(record.setup, Setup::default());
        record.replay().unwrap()
    }

    #[test]
    fn the_wrong_move_of_an_answer_is_found() {
        let start = position("U");
        let of = |answer: &str| Forfeit::illegal(0, &start, 1, answer);
        let second = of("1,0 r0; city0");
        assert_eq!((second.ply, second.tile.as_deref()), (Some(3), Some("U")));
        assert_eq!(
            second.to_string(),
            "it answered '1,0 r0; city0': move 2 'city0' is not legal: tile U has no city0; \
             legal: road0 | field0 | field1 | pass"
        );
        let late = of("1,0 r0; pass; U");
        assert_eq!(
            late.to_string(),
            "it answered '1,0 r0; pass; U': move 3 'U' comes after the end of the turn"
        );
        let typo = of("N13 r0; Pass");
        assert_eq!(
            (typo.ply, typo.to_string().as_str()),
            (
                Some(3),
                "it answered 'N13 r0; Pass': move 2 'Pass' is no move: expected a segment such as \
                 city0 for a meeple, or 'pass'; legal: road0 | field0 | field1 | pass"
            )
        );
        let one = of("1,0 r0 pass");
        assert!(one.to_string().contains("is 2 moves; put ';' between them: 1,0 r0; pass; legal"));
        let none = of("");
        assert_eq!((none.ply, none.legal.len()), (Some(2), 6));
        assert!(none.to_string().starts_with("it gave no turn; legal: 1,0 r0 | "), "{none}");
    }

    #[test]
    fn a_long_list_of_legal_moves_is_cut_in_text_alone() {
        let forfeit = Forfeit::unanswered(
            1,
            &position("U; 1,0 r0; pass; U; 2,0 r0; pass; V"),
            7,
            "it\nended".into(),
        );
        assert!(forfeit.legal.len() > 12, "{forfeit}");
        let rest = format!(" and {} more", forfeit.legal.len() - 12);
        assert!(forfeit.to_string().starts_with("it ended; legal: "), "{forfeit}");
        assert!(forfeit.to_string().ends_with(&rest), "{forfeit}");
    }

    #[test]
    fn what_earlier_versions_stored_is_read() {
        let old: Forfeit = serde_json::from_str(r#"{"seat":1,"why":"it ended"}"#).unwrap();
        assert_eq!(old, Forfeit::absent(1, "it ended".to_owned()));
    }
}
