//! The one trait: a game in progress.

use crate::{ByPlayer, Player};
use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// A player decides.
    Player(Player),
    /// Chance decides: a tile is drawn, a die is thrown.
    Chance,
    /// The game has ended; the scores are final.
    Over,
}

/// A game in progress: finite, turn-based, with chance as a turn of its own.
///
/// A state holds no randomness and no hidden order: at [`Turn::Chance`] the caller chooses the
/// outcome, by [`odds`](Game::odds) or from a secret deck. A state is copied by one `memcpy`, so
/// search clones and never takes back.
pub trait Game: Clone + Send + Sync + 'static {
    /// The game's id in records, protocols and addresses: lower case, no spaces.
    const NAME: &'static str;

    /// What is settled before the first move: players, house rules. Its text is one line.
    type Setup: Clone + PartialEq + Debug + Display + FromStr<Err: Display> + Send + Sync;

    /// What a player does, or an outcome of chance. Its text is one line without `;` or `#`.
    type Move: Copy + Eq + Ord + Hash + Debug + Display + FromStr<Err: Display> + Send + Sync;

    /// One fact that happened, for logs and screens.
    type Event: Copy + Debug + Send + Sync;

    /// The game at its start; `emit` gets the events of the opening.
    fn start(setup: &Self::Setup, emit: impl FnMut(Self::Event)) -> Self;

    /// How many seats there are.
    fn players(&self) -> usize;

    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// Replaces `out` by the legal moves of the player to move, or by the outcomes chance may
    /// take; empty when the game is over. The order is fixed by the state.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// The relative weight of an outcome at a chance turn; 0 if it is none.
    fn odds(&self, outcome: Self::Move) -> u32;

    /// Plays a legal move; `emit` gets what happened.
    ///
    /// For a move that is not legal the result is unspecified (a wrong state or a panic, never
    /// undefined behaviour): use [`play`](Game::play) for moves from outside.
    fn play_unchecked(&mut self, m: Self::Move, emit: impl FnMut(Self::Event));

    /// Points now; final when the game is over.
    fn scores(&self) -> ByPlayer<i32>;

    /// The game at its start.
    fn new(setup: &Self::Setup) -> Self {
        Self::start(setup, ignore)
    }

    /// A position laid by hand, from its text on one line; for games that have such a text.
    ///
    /// # Errors
    /// If there is no such text, or no game could lead to it: says why.
    fn lay(setup: &Self::Setup, text: &str) -> Result<Self, String> {
        let _ = (setup, text);
        Err(format!("positions of {} are not laid by hand", Self::NAME))
    }

    /// Whether the move is legal now.
    fn is_legal(&self, m: Self::Move) -> bool {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.contains(&m)
    }

    /// Why the move is not legal now, for a person to read. Only asked for illegal moves.
    fn why_illegal(&self, _m: Self::Move) -> String {
        match self.turn() {
            Turn::Over => "the game is over".to_owned(),
            Turn::Chance => "it is chance's turn and this outcome is not left".to_owned(),
            Turn::Player(player) => format!("it is not among player {player}'s legal moves"),
        }
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// An illegal move leaves the game unchanged; the error says why and what is legal.
    fn play(&mut self, m: Self::Move, emit: impl FnMut(Self::Event)) -> Result<(), IllegalMove> {
        if self.is_legal(m) {
            self.play_unchecked(m, emit);
            return Ok(());
        }
        let mut moves = Vec::new();
        self.moves(&mut moves);
        Err(IllegalMove {
            moved: m.to_string(),
            reason: self.why_illegal(m),
            legal: moves.iter().map(ToString::to_string).collect(),
        })
    }

    /// An outcome of chance, as likely as its odds, picked by 64 random bits.
    ///
    /// `None` unless it is chance's turn.
    fn sample_outcome(&self, random: &mut crate::Random) -> Option<Self::Move> {
        if self.turn() != Turn::Chance {
            return None;
        }
        let mut outcomes = Vec::new();
        self.moves(&mut outcomes);
        let total = outcomes.iter().map(|m| self.odds(*m)).sum();
        let mut at = random.below(total);
        outcomes.into_iter().find(|m| {
            let odds = self.odds(*m);
            let here = at < odds;
            at = at.saturating_sub(odds);
            here
        })
    }
}

/// An `emit` for callers to whom what happened does not matter.
///
/// A closure has a type of its own at every call, for which the rules are compiled again; with
/// this one function they are compiled once a crate.
pub fn ignore<E>(_event: E) {}

/// A move that the rules do not allow now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    /// The move, as text.
    pub moved: String,
    /// Why it is not allowed.
    pub reason: String,
    /// The moves that are allowed, as text.
    pub legal: Vec<String>,
}

impl IllegalMove {
    /// How many legal moves a message names before it only counts the rest.
    const NAMED: usize = 12;
}

impl Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not legal: {}; ", self.moved, self.reason)?;
        match self.legal.as_slice() {
            [] => write!(f, "no move is legal"),
            legal => {
                write!(f, "legal: {}", legal[..legal.len().min(Self::NAMED)].join(" | "))?;
                match legal.len().saturating_sub(Self::NAMED) {
                    0 => Ok(()),
                    rest => write!(f, " and {rest} more"),
                }
            }
        }
    }
}

impl Error for IllegalMove {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_twelve_legal_moves_and_counts_the_rest() {
        let refusal = |count: usize| {
            let legal = (0..count).map(|m| m.to_string()).collect();
            IllegalMove { moved: "x".into(), reason: "why".into(), legal }.to_string()
        };
        assert_eq!(refusal(0), "'x' is not legal: why; no move is legal");
        assert_eq!(refusal(2), "'x' is not legal: why; legal: 0 | 1");
        assert!(refusal(12).ends_with("10 | 11"), "{}", refusal(12));
        assert!(refusal(14).ends_with("10 | 11 and 2 more"), "{}", refusal(14));
    }
}
