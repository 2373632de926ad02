//! What a search answers.

use crate::{Value, Values};
use game::{ByPlayer, Player};
use std::time::Duration;

/// One way to play the turn, and what the search thinks of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<M> {
    /// The moves of the turn.
    pub moves: Vec<M>,
    /// What it is worth to the player to move.
    pub value: Value,
    /// How much of the search went into it, in the search's own unit.
    pub visits: u64,
}

/// What a search answers: the turn to play, what it is worth, and how that was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M> {
    /// The moves to play, to the end of the turn; empty if no player is to move.
    pub turn: Vec<M>,
    /// What the position is worth to each player if that turn is played.
    pub values: Values,
    /// The ways to play the turn that were looked at, the best first.
    pub lines: Vec<Line<M>>,
    /// Positions valued, or playouts played.
    pub nodes: u64,
    /// Time it took.
    pub time: Duration,
    /// Turns looked ahead everywhere, or in the main line of a tree.
    pub depth: u32,
    /// Whether the values are proven to the end of the game.
    pub exact: bool,
}

impl<M: Copy> Report<M> {
    /// A report without a turn, for a position where no player is to move.
    #[must_use]
    pub fn empty(values: Values) -> Self {
        let time = Duration::ZERO;
        Self { turn: Vec::new(), values, lines: Vec::new(), nodes: 0, time, depth: 0, exact: false }
    }

    /// The first move to play.
    #[must_use]
    pub fn best(&self) -> Option<M> {
        self.turn.first().copied()
    }

    /// What the position is worth to a player.
    #[must_use]
    pub fn value(&self, player: Player) -> Value {
        self.values[player]
    }

    /// Only the `count` best lines.
    #[must_use]
    pub fn top(mut self, count: usize) -> Self {
        self.lines.truncate(count);
        self
    }
}

impl<M> Default for Report<M> {
    fn default() -> Self {
        let values = ByPlayer::new(0, Value::default());
        let (turn, lines, time) = (Vec::new(), Vec::new(), Duration::ZERO);
        Self { turn, values, lines, nodes: 0, time, depth: 0, exact: false }
    }
}
