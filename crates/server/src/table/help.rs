//! No help from the engine in rated games that are being played: not for their players, and not
//! for anybody about these games.

use super::manager::Tables;
use crate::error::Refusal;
use crate::games::{Hosted, Landmark, WithGame, are_alike, with_game};

/// Moves that two games have in common by chance at most: the first turns.
const COMMON_OPENING: usize = 6;

/// A position: how it was reached, and what lies where.
#[derive(Clone, Debug)]
pub struct Reached {
    /// The game's id.
    game: &'static str,
    /// Its moves, in our notation.
    moves: Vec<String>,
    board: Vec<Landmark>,
}

impl Reached {
    /// The position after so many moves of a record in any form that the game reads, or after all
    /// of them.
    ///
    /// # Errors
    /// If it cannot be read or is not legal; says where and why.
    pub fn read(game: &str, record: &str, ply: Option<usize>) -> Result<Self, Refusal> {
        struct Read<'a>(&'a str, Option<usize>);
        impl WithGame for Read<'_> {
            type Out = Result<Reached, String>;
            fn with<G: Hosted>(self) -> Self::Out {
                let record = G::read_record(self.0)?;
                let plies = self.1.unwrap_or(usize::MAX).min(record.moves.len());
                let position = record.replay_to(plies, |_, _| {}).map_err(|e| e.to_string())?;
                Ok(Reached::of(&position, record.moves[..plies].iter().copied()))
            }
        }
        with_game(game, Read(record, ply))?.map_err(Refusal::IllegalMove)
    }

    /// A position that these moves led to.
    pub(super) fn of<G: Hosted>(position: &G, moves: impl Iterator<Item = G::Move>) -> Self {
        let moves = moves.map(|moved| moved.to_string()).collect();
        Self { game: G::NAME, moves, board: position.landmarks() }
    }

    /// Whether it is a position of the same game, or nearly so: an order, a notation, a header, a
    /// meeple or a few tiles may differ.
    fn is_like(&self, running: &Self) -> bool {
        if self.game != running.game {
            return false;
        }
        let pairs = self.moves.iter().zip(&running.moves);
        let common = pairs.take_while(|(one, other)| one == other).count();
        let shorter = self.moves.len().min(running.moves.len());
        common > COMMON_OPENING
            || (common == shorter && common > 1)
            || are_alike(&self.board, &running.board)
    }
}

impl Tables {
    /// Refuses to think about a position while it matters: for somebody who plays a rated game of
    /// that kind, and for anybody about a rated game that is being played.
    ///
    /// # Errors
    /// If the engine must not help; says why.
    pub fn refuse_help(&self, user: Option<&str>, asked: &Reached) -> Result<(), Refusal> {
        for listing in self.listings().all() {
            let Some(running) = &listing.rated else { continue };
            let plays = user.is_some_and(|user| listing.sits(user));
            let why = match (running.game == asked.game, plays) {
                (false, _) => continue,
                (true, true) => "you are playing a rated game",
                (true, false) if asked.is_like(running) => {
                    "this is a rated game that is being played"
                }
                (true, false) => continue,
            };
            let why = format!("{why}: the engine does not help until it is over");
            return Err(Refusal::Forbidden(why));
        }
        Ok(())
    }
}
