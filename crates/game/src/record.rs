//! A game as it is stored: the setup and a flat list of moves, with a text form.
//!
//! ```text
//! carcassonne players=2          the game's name, then its setup
//! from tile U 1,0 r0 | player 0   for a position laid by hand, in the game's own text
//! V; -1,0 r1; road0              moves, separated by `;` or line ends
//! U; 1,0 r0; pass                `#` starts a comment
//! ```

use crate::{Game, Turn, excerpt, ignore};
use std::error::Error;
use std::fmt::{self, Display};
use std::str::FromStr;

/// The name of the game that a record in our notation is of: the first word that is no comment.
#[must_use]
pub fn named_game(text: &str) -> &str {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let head = lines.into_iter().find(|line| !line.is_empty()).unwrap_or_default();
    head.split_whitespace().next().unwrap_or_default()
}

/// A game from its start, or from a position laid by hand: the setup and every move, chance's outcomes
/// included.
pub struct Record<G: Game> {
    /// What was settled before the first move.
    pub setup: G::Setup,
    /// The position that it begins with, if that was laid by hand: its text on one line.
    laid: Option<String>,
    /// Every move in order, chance's outcomes included.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Clone for Record<G> {
    fn clone(&self) -> Self {
        Self { setup: self.setup.clone(), laid: self.laid.clone(), moves: self.moves.clone() }
    }
}

impl<G: Game> PartialEq for Record<G> {
    fn eq(&self, other: &Self) -> bool {
        self.setup == other.setup && self.laid == other.laid && self.moves == other.moves
    }
}

impl<G: Game> fmt::Debug for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record")
            .field("setup", &self.setup)
            .field("laid", &self.laid)
            .field("moves", &self.moves)
            .finish()
    }
}

impl<G: Game> Record<G> {
    /// A record with no moves yet.
    #[must_use]
    pub const fn new(setup: G::Setup) -> Self {
        Self::with_moves(setup, Vec::new())
    }

    /// A record of a game from its start.
    #[must_use]
    pub const fn with_moves(setup: G::Setup, moves: Vec<G::Move>) -> Self {
        Self { setup, laid: None, moves }
    }

    /// A record with no moves yet that begins with a position laid by hand, given by its text on one line.
    ///
    /// # Errors
    /// If the text is empty or none, or no game could lead to the position: says why.
    pub fn from_layout(setup: G::Setup, layout: &str) -> Result<Self, String> {
        let layout = checked_layout::<G>(&setup, layout)?;
        Ok(Self { setup, laid: Some(layout), moves: Vec::new() })
    }

    /// The text of the position that it begins with, if that was laid by hand.
    #[must_use]
    pub fn laid(&self) -> Option<&str> {
        self.laid.as_deref()
    }

    /// Refuses a record that begins with a position laid by hand, for those who need a whole game.
    ///
    /// # Errors
    /// If it is one.
    pub fn must_begin_at_start(&self) -> Result<(), String> {
        match self.laid {
            None => Ok(()),
            Some(_) => Err("the record begins with a position laid by hand (its line 'from'); \
                            a game from its start is needed"
                .to_owned()),
        }
    }

    /// The position before the first move; `emit` gets the events of the opening, of which a position
    /// laid by hand has none.
    #[must_use]
    pub fn start(&self, emit: impl FnMut(G::Event)) -> G {
        match &self.laid {
            None => G::start(&self.setup, emit),
            Some(laid) => G::lay(&self.setup, laid).expect("it was laid when it was read"),
        }
    }

    /// The same game by another type of its rules, which lays positions and plays moves alike.
    #[must_use]
    pub fn retyped<H: Game<Move = G::Move>>(self, setup: H::Setup) -> Record<H> {
        Record { setup, laid: self.laid, moves: self.moves }
    }

    /// Its first plies alone.
    #[must_use]
    pub fn up_to(&self, plies: usize) -> Self {
        let moves = self.moves[..plies.min(self.moves.len())].to_vec();
        Self { setup: self.setup.clone(), laid: self.laid.clone(), moves }
    }

    /// The position after all moves.
    ///
    /// # Errors
    /// The first illegal move ends the replay; the error names its ply, and why.
    pub fn replay(&self) -> Result<G, ReplayError> {
        self.replay_to(self.moves.len(), |_, _| {})
    }

    /// The position after the first `plies` moves; `emit` gets each event with its ply, the
    /// opening's with ply 0, those of the first move with ply 1.
    ///
    /// # Errors
    /// As [`replay`](Self::replay); also if the record has fewer moves.
    pub fn replay_to(
        &self,
        plies: usize,
        mut emit: impl FnMut(usize, G::Event),
    ) -> Result<G, ReplayError> {
        let mut game = self.start(|event| emit(0, event));
        let moves = self.moves.get(..plies).ok_or_else(|| ReplayError {
            ply: plies,
            moved: String::new(),
            reason: format!("the record has only {} moves", self.moves.len()),
        })?;
        for (index, m) in moves.iter().enumerate() {
            let ply = index + 1;
            game.play(*m, |event| emit(ply, event)).map_err(|illegal| ReplayError {
                ply,
                moved: m.to_string(),
                reason: illegal.to_string(),
            })?;
        }
        Ok(game)
    }
}

impl<G: Game> Display for Record<G> {
    /// One line a round: a new line starts at each outcome of chance.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", G::NAME, self.setup)?;
        if let Some(laid) = &self.laid {
            write!(f, "\nfrom {laid}")?;
        }
        let mut game = Some(self.start(ignore));
        for (index, m) in self.moves.iter().enumerate() {
            let chance = game.as_ref().is_none_or(|g| g.turn() == Turn::Chance);
            f.write_str(if index == 0 || chance { "\n" } else { "; " })?;
            write!(f, "{m}")?;
            // A record that does not replay is still written, one move a line from there on.
            game = game.filter(|g| g.is_legal(*m));
            if let Some(game) = &mut game {
                game.play_unchecked(*m, ignore);
            }
        }
        writeln!(f)
    }
}

impl<G: Game> FromStr for Record<G> {
    type Err = ParseRecordError;

    fn from_str(text: &str) -> Result<Self, ParseRecordError> {
        // Some editors begin a file with a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines().enumerate().filter_map(|(index, line)| {
            let line = line.split('#').next().unwrap_or_default().trim();
            (!line.is_empty()).then_some((index + 1, line))
        });
        let fail = |line: usize, reason: String| ParseRecordError { line, reason };
        let (line, head) = lines.next().ok_or_else(|| {
            fail(1, format!("the text is empty; a record starts with '{} SETUP'", G::NAME))
        })?;
        let (name, setup) = head.split_once(char::is_whitespace).unwrap_or((head, ""));
        if name != G::NAME {
            let reason =
                format!("expected a record of '{}', found '{}'", G::NAME, excerpt(name, 40));
            return Err(fail(line, reason));
        }
        let setup = setup
            .trim()
            .parse()
            .map_err(|e: <G::Setup as FromStr>::Err| fail(line, e.to_string()))?;
        let mut record = Self::new(setup);
        for (line, text) in lines {
            if let Some(layout) = layout_of_line(text) {
                record = record.begin_with(layout).map_err(|reason| fail(line, reason))?;
                continue;
            }
            for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
                record.moves.push(part.parse().map_err(|e: <G::Move as FromStr>::Err| {
                    let ply = record.moves.len() + 1;
                    fail(line, format!("ply {ply} '{}': {e}", excerpt(part, 40)))
                })?);
            }
        }
        Ok(record)
    }
}

impl<G: Game> Record<G> {
    /// Begins with the layout of a line `from LAYOUT`.
    ///
    /// # Errors
    /// If something stands before it, or it is none.
    pub fn begin_with(self, layout: &str) -> Result<Self, String> {
        match self.laid.is_none() && self.moves.is_empty() {
            true => Self::from_layout(self.setup, layout),
            false => Err(MISPLACED_LAYOUT.to_owned()),
        }
    }
}

pub(crate) const MISPLACED_LAYOUT: &str = "'from' stands once, right behind the setup";

/// The layout in a line `from LAYOUT`, without its comment; `None` if it is another line.
#[must_use]
pub fn layout_of_line(line: &str) -> Option<&str> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let layout = line.strip_prefix("from")?;
    (layout.is_empty() || layout.starts_with(char::is_whitespace)).then(|| layout.trim())
}

/// A layout on one line, with one space between its words, if a position can be laid by it.
pub(crate) fn checked_layout<G: Game>(setup: &G::Setup, layout: &str) -> Result<String, String> {
    let layout = layout.split_whitespace().collect::<Vec<_>>().join(" ");
    if layout.is_empty() {
        return Err("expected 'from LAYOUT': a position laid by hand, its lines with '|' between \
                    them"
            .to_owned());
    }
    G::lay(setup, &layout)?;
    Ok(layout)
}

/// A text that is no record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseRecordError {
    /// The line, from 1.
    pub line: usize,
    /// What was found and what was expected.
    pub reason: String,
}

impl Display for ParseRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl Error for ParseRecordError {}

/// A record that the rules refuse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// The number of the move, from 1; 0 if it is about none.
    pub ply: usize,
    /// The move, as text.
    pub moved: String,
    /// Why it was refused, and what would have been legal.
    pub reason: String,
}

impl Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ply {
            0 => f.write_str(&self.reason),
            ply => write!(f, "ply {ply}: {}", self.reason),
        }
    }
}

impl Error for ReplayError {}
