//! The interpreter: any list of moves gives the board, or says which move is wrong, and why.
//!
//! Features grow by union-find and the open cells are kept, so the tiles that lie are never gone
//! through again. What grows with the board is small: a draw looks at open cells until one fits
//! the tile, a list of placements looks at all of them, a feature is found through a short chain.

use crate::edition::{AllSets, Base, Edition};
use crate::event::Event;
use crate::game::{Expanded, Position};
use crate::move_list;
use crate::moves::Move;
use crate::setup::{ExpandedSetup, Options, Setup};
use game::{Game, IllegalMove, Record};
use std::fmt;

/// A list of moves that was understood: the game it leads to, and how.
#[derive(Clone)]
pub struct Interpreted<E: Edition = Base> {
    /// The setup and every move, the drawn tiles among them.
    pub record: Record<Position<E>>,
    /// The game after the last move.
    pub game: Position<E>,
    /// What happened, each event with the number of its move: 0 for the opening, 1 for the first.
    pub events: Vec<(usize, Event)>,
}

/// A list of moves that was understood, by the edition that its setup needs.
#[derive(Clone)]
pub enum AnyInterpreted {
    /// Of the base game.
    Base(Box<Interpreted>),
    /// With any of the sets.
    Expanded(Box<Interpreted<AllSets>>),
}

/// Interprets a text record (`carcassonne players=2` and moves) or a JSON list of moves
/// (`[{"tile":"D",…},{},…]`), told apart by the first character.
///
/// A JSON list alone names no setup: it is read by today's rules for two players. To say more,
/// use [`interpret_with`] or the form `{"setup":"players=3","moves":[…]}`.
///
/// # Errors
/// Names the place in the text, the ply, the move, the reason, and what would have been legal.
///
/// # Examples
/// ```
/// let text = r#"[{"tile":"D","rotation":0,"position":[0,0]},{},
///                {"tile":"U","rotation":0,"position":[1,0]},{"meeple":0,"spot":"road0"}]"#;
/// let understood = carcassonne::interpret(text).expect("these moves are legal");
/// assert_eq!(understood.game.tiles().len(), 2);
/// let error = carcassonne::interpret("carcassonne players=2\nU; 0,1 r0").err().expect("illegal");
/// assert_eq!(error.ply, 2);
/// assert!(error.reason.contains("the south edge of U r0 shows field but city lies there"));
/// ```
pub fn interpret(text: &str) -> Result<Interpreted, InterpretError> {
    interpret_with(text, &Setup::default())
}

/// As [`interpret`], with the setup for JSON lists that name none.
///
/// # Errors
/// As [`interpret`].
pub fn interpret_with(text: &str, setup: &Setup) -> Result<Interpreted, InterpretError> {
    Interpreted::read(text, setup)
}

/// As [`interpret_with`], for a game of the base game or with any of the sets.
///
/// # Errors
/// As [`interpret`].
///
/// # Examples
/// ```
/// use carcassonne::{AnyInterpreted, ExpandedSetup, interpret_any};
/// let text = "carcassonne sets=inns\nIC/RFr.i; 1,0 r0; big road0";
/// let Ok(AnyInterpreted::Expanded(read)) = interpret_any(text, &ExpandedSetup::default()) else {
///     panic!("these moves are legal");
/// };
/// assert_eq!(read.game.tiles().len(), 2);
/// ```
pub fn interpret_any(text: &str, setup: &ExpandedSetup) -> Result<AnyInterpreted, InterpretError> {
    let read = Interpreted::<AllSets>::read(text, setup)?;
    match read.record.setup.sets().is_empty() {
        false => Ok(AnyInterpreted::Expanded(Box::new(read))),
        // The text, or the setup beside it, is that of the base game: read so, it is small and fast.
        true => Ok(AnyInterpreted::Base(Box::new(Interpreted::read(text, setup.rules())?))),
    }
}

impl AnyInterpreted {
    /// The record alone: both editions have the same moves.
    #[must_use]
    pub fn into_record(self) -> Record<Expanded> {
        match self {
            Self::Expanded(read) => read.record,
            Self::Base(read) => {
                let setup = read.record.setup.into();
                read.record.retyped(setup)
            }
        }
    }
}

/// A list of moves that cannot be interpreted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InterpretError {
    /// Where in the text: `line 3`, `entry 5`.
    pub place: String,
    /// The number of the move, from 1, the drawn tiles counted; 0 if it is not about a move.
    pub ply: usize,
    /// The move as it was written; shortened if it is long.
    pub moved: String,
    /// Why it was refused, or what was expected.
    pub reason: String,
    /// What would have been legal there, as text.
    pub legal: Vec<String>,
}

impl InterpretError {
    /// An error that is about no move.
    pub(crate) fn text(place: String, reason: String) -> Self {
        Self { place, ply: 0, moved: String::new(), reason, legal: Vec::new() }
    }
}

/// How many legal moves a message names before it only counts the rest.
const NAMED: usize = 12;

impl fmt::Display for InterpretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, ply, moved, reason, legal } = self;
        write!(f, "{place}")?;
        if *ply > 0 {
            write!(f, ", ply {ply} '{moved}'")?;
        }
        write!(f, ": {reason}")?;
        if !legal.is_empty() {
            write!(f, "; legal: {}", legal[..legal.len().min(NAMED)].join(" | "))?;
        }
        match legal.len().saturating_sub(NAMED) {
            0 => Ok(()),
            rest => write!(f, " and {rest} more"),
        }
    }
}

impl std::error::Error for InterpretError {}

impl<E: Edition> Interpreted<E> {
    /// Interprets a text by the rules of an edition; `setup` is for JSON lists that name none.
    ///
    /// # Errors
    /// As [`interpret`].
    pub fn read(text: &str, setup: &E::Setup) -> Result<Self, InterpretError> {
        // Some editors begin a file with a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        match text.trim_start().starts_with(['[', '{']) {
            true => move_list::read(text, setup),
            false => read_record(text),
        }
    }

    /// The game before its first move.
    pub(crate) fn start(setup: &E::Setup) -> Self {
        Self::begin(Record::new(*setup))
    }

    /// The game of a record without moves, before its first.
    fn begin(record: Record<Position<E>>) -> Self {
        let mut events = Vec::new();
        let game = record.start(|event| events.push((0, event)));
        Self { record, game, events }
    }

    /// The number of the next move.
    pub(crate) fn next_ply(&self) -> usize {
        self.record.moves.len() + 1
    }

    /// Plays a move.
    pub(crate) fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        let (ply, events) = (self.next_ply(), &mut self.events);
        self.game.play(m, |event| events.push((ply, event)))?;
        self.record.moves.push(m);
        Ok(())
    }

    /// What is legal now, as text.
    pub(crate) fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        moves.iter().map(ToString::to_string).collect()
    }
}

/// Reads and plays a text record, so that the first wrong move is named with what was legal.
fn read_record<E: Edition>(text: &str) -> Result<Interpreted<E>, InterpretError> {
    let place = |line| format!("line {line}");
    let mut lines = text.lines().enumerate().filter_map(|(index, line)| {
        let line = line.split('#').next().unwrap_or_default().trim();
        (!line.is_empty()).then_some((index + 1, line))
    });
    let (number, head) = lines.next().unwrap_or((1, ""));
    let head: Record<Position<E>> = head.parse().map_err(|error: game::ParseRecordError| {
        InterpretError::text(place(number), error.reason)
    })?;
    let mut so_far = Interpreted::begin(head);
    for (number, line) in lines {
        if let Some(layout) = game::layout_of_line(line) {
            let begun = so_far.record.begin_with(layout);
            let begun = begun.map_err(|reason| InterpretError::text(place(number), reason))?;
            so_far = Interpreted::begin(begun);
            continue;
        }
        for part in line.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = |so_far: &Interpreted<E>, reason| InterpretError {
                place: place(number),
                ply: so_far.next_ply(),
                moved: shorten(part),
                reason,
                legal: so_far.legal(),
            };
            let m = part.parse::<Move>().map_err(|e| wrong(&so_far, e.to_string()))?;
            so_far.play(m).map_err(|illegal| wrong(&so_far, illegal.reason))?;
        }
    }
    Ok(so_far)
}

/// The start of a text that may be hostile and long, for a message.
pub(crate) fn shorten(text: &str) -> String {
    game::excerpt(text, 80)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Carcassonne;

    fn error(text: &str) -> String {
        interpret(text).err().expect("this is wrong").to_string()
    }

    #[test]
    fn a_text_record_gives_the_board_and_what_happened() {
        let text = "carcassonne players=3 # three\nU; 1,0 r0; road0\nV; -1,0 r3; pass\n";
        let understood = interpret(text).unwrap();
        assert_eq!(understood.game.tiles().len(), 3);
        assert_eq!(understood.record, text.parse().unwrap());
        let mut replayed = Vec::new();
        understood.record.replay_to(6, |ply, event| replayed.push((ply, event))).unwrap();
        assert_eq!(understood.events, replayed);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_and_control_characters_are_escaped() {
        assert!(interpret("\u{feff}carcassonne\nU").is_ok());
        assert!(
            interpret("\u{feff}[{\"tile\":\"D\",\"rotation\":0,\"position\":[0,0]},{}]").is_ok()
        );
        assert!("\u{feff}carcassonne\nU".parse::<Record<Carcassonne>>().is_ok());
        for text in ["carcassonne\n\u{1b}[2J", "\u{1b}[2J", "carcassonne a\u{1b}[2J=1"] {
            let told = error(text);
            assert!(told.contains("\\u{1b}[2J") && !told.contains('\u{1b}'), "{told}");
        }
    }

    #[test]
    fn a_game_is_read_by_the_edition_that_its_setup_needs() {
        let read = |text: &str, setup: &str| interpret_any(text, &setup.parse().unwrap());
        let inns = "carcassonne sets=inns\nIC/RFr.i; 1,0 r0; big road0";
        let Ok(AnyInterpreted::Expanded(game)) = read(inns, "") else { panic!("it names a set") };
        assert_eq!(game.record, inns.parse().unwrap());
        assert!(matches!(read("carcassonne\nU; 1,0 r0", "sets=inns"), Ok(AnyInterpreted::Base(_))));
        let list = r#"[{"tile":"D","rotation":0,"position":[0,0]},{}]"#;
        assert!(matches!(read(list, "players=3"), Ok(AnyInterpreted::Base(_))));
        assert!(matches!(read(list, "sets=traders"), Ok(AnyInterpreted::Expanded(_))));
        let named = format!(r#"{{"setup":"sets=gardens","moves":{list}}}"#);
        assert!(matches!(read(&named, ""), Ok(AnyInterpreted::Expanded(_))));
        let told = |text: &str| read(text, "").err().unwrap().to_string();
        assert_eq!(
            told("carcassonne sets=inns\nIC/RFr.i; 1,0 r0; builder road0"),
            "line 2, ply 3 'builder road0': player 0 has no builder left; legal: road0 | field0 | \
             field1 | big road0 | big field0 | big field1 | pass"
        );
        assert!(told("carcassonne sets=x").starts_with("line 1: 'sets=x': sets are inns, traders"));
        assert!(error(inns).contains("sets=inns: only the base game can be played here"));
    }

    #[test]
    fn a_wrong_move_is_named_with_what_was_legal() {
        assert_eq!(
            error("carcassonne\nU; 1,0 r0; city0"),
            "line 2, ply 3 'city0': tile U has no city0; legal: road0 | field0 | field1 | pass"
        );
        let told = error("carcassonne\nU; 1,0 r0; rode");
        assert!(told.starts_with("line 2, ply 3 'rode': expected a drawn tile"), "{told}");
        assert!(told.ends_with("legal: road0 | field0 | field1 | pass"), "{told}");
        assert_eq!(
            error(""),
            "line 1: the text is empty; a record starts with 'carcassonne SETUP'"
        );
        assert!(error("\nchess\n").starts_with("line 2: expected a record of 'carcassonne'"));
        assert!(error("carcassonne players=9").starts_with("line 1: players=9"));
        let many = error("carcassonne\n1,0 r0");
        assert!(many.contains("a tile must be drawn first; legal: A | B"), "{many}");
        assert!(many.ends_with("| L and 12 more"), "{many}");
    }
}
