//! Whose turn it is, what may be played, and what may be drawn.

use crate::request::{WithRecord, position_at, written};
use bots::roster::Playable;
use carcassonne::Position;
use game::{Game, Record, Turn};
use search::Turns;
use serde::Serialize;

pub(crate) struct Ask {
    pub(crate) ply: Option<usize>,
}

#[derive(Serialize)]
struct Told {
    /// `player`, `chance` or `over`.
    turn: &'static str,
    /// The seat to move, or the one that draws.
    seat: Option<usize>,
    scores: Vec<i32>,
    /// The whole turns of who is to move.
    turns: Vec<Vec<String>>,
    /// What may be drawn, and how many of it are left.
    draws: Vec<(String, u32)>,
}

impl WithRecord for Ask {
    fn with<E: Playable>(self, record: &Record<Position<E>>) -> Result<String, String> {
        let position = position_at(record, self.ply)?;
        let mut told = Told {
            turn: "over",
            seat: None,
            scores: position.scores().as_slice().to_vec(),
            turns: Vec::new(),
            draws: Vec::new(),
        };
        match position.turn() {
            Turn::Player(player) => {
                (told.turn, told.seat) = ("player", Some(player.index()));
                let mut turns = Turns::new();
                turns.list(&position);
                let texts = |turn| turns.moves(turn).iter().map(ToString::to_string).collect();
                told.turns = (0..turns.len()).map(texts).collect();
            }
            Turn::Chance => {
                (told.turn, told.seat) = ("chance", Some(position.player().index()));
                let mut moves = Vec::new();
                position.moves(&mut moves);
                told.draws = moves.iter().map(|m| (m.to_string(), position.odds(*m))).collect();
            }
            Turn::Over => {}
        }
        Ok(written(&told))
    }
}
