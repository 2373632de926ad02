//! Labels as text: a line for each game, so that a file can be written on, and read by eye.
//!
//! `NUMBER | SETUP | MOVES | AT , TURN = SAID ODDS TWO-PLY ODDS , TURN = … | AT , … | end`, behind a line that says what
//! the labels follow from. Without its last word a line that was cut within a number would still be one.

use super::config::Config;
use super::labels::{GameLabels, PositionLabels, TurnLabel};
use crate::fnv::fnv_1a;
use crate::inputs::VERSION;
use crate::net::{Net, Prediction};
use carcassonne::{ExpandedSetup, Move};
use std::error::Error;
use std::fmt::{self, Write as _};

/// How a line ends.
const END: &str = " | end";
/// No margin of a game is as large.
const MOST_POINTS: f32 = 1000.0;

/// The first line of a run's file of labels: they follow from the net that it starts from, and from how games are
/// played.
pub(super) fn header(config: &Config, start: &Net) -> String {
    let Config { seed, setups, explore, temperature, random_start, .. } = config;
    let mut bytes =
        format!("{seed} {setups:?} {explore} {temperature} {random_start}").into_bytes();
    start.write(&mut bytes).expect("memory takes all bytes");
    format!("bastide-labels {:016x}", fnv_1a(bytes))
}

/// A file that does not hold the labels of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LabelError {
    /// Its first line is another one.
    Header {
        /// The line that the run's labels begin with.
        expected: String,
    },
    /// A line holds no labels of the game that comes next.
    Line {
        /// The line, counted from 1.
        line: usize,
        /// The number of that game.
        game: u64,
    },
}

impl fmt::Display for LabelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { expected } => write!(
                f,
                "expected the line '{expected}' at its head: the labels come from another net to start from or another \
                 configuration; remove the file to have them made again"
            ),
            Self::Line { line, game } => write!(
                f,
                "line {line} holds no labels of game {game}; remove it and all behind it to have them made again"
            ),
        }
    }
}

impl Error for LabelError {}

/// Reads the labels of a run's file, which begins with this line. A last line without an end is left out: it was cut
/// off when it was written.
pub(super) fn read(
    text: &str,
    config: &Config,
    header: &str,
) -> Result<Vec<GameLabels>, LabelError> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    if whole.is_empty() {
        return Ok(Vec::new());
    }
    let mut lines = whole.split('\n');
    if lines.next() != Some(header) {
        return Err(LabelError::Header { expected: header.to_owned() });
    }
    let numbered = lines.zip(0u64..);
    let games = numbered.map(|(line, game)| {
        let wrong = LabelError::Line { line: game as usize + 2, game };
        let read = GameLabels::read_line(line, game).filter(|labels| labels.are_of(config, game));
        read.ok_or(wrong)
    });
    games.collect()
}

impl GameLabels {
    /// The line of the game with this number.
    #[must_use]
    pub fn line(&self, number: u64) -> String {
        let mut line = format!("{number} | {} | {}", self.setup, moves_text(&self.moves));
        for position in &self.positions {
            let _ = write!(line, " | {}", position.at);
            for TurnLabel { moves, said, two_ply } in &position.turns {
                let moves = moves_text(moves);
                let (said, two) = ([said.margin, said.win], [two_ply.margin, two_ply.win]);
                let _ = write!(line, " , {moves} = {} {} {} {}", said[0], said[1], two[0], two[1]);
            }
        }
        line + END
    }

    /// Reads the line of the game with this number; `None` if it is none, or no game is played so.
    fn read_line(line: &str, number: u64) -> Option<Self> {
        let mut parts = line.strip_suffix(END)?.split(" | ");
        if parts.next()?.parse() != Ok(number) {
            return None;
        }
        let setup: ExpandedSetup = parts.next()?.parse().ok()?;
        let moves = read_moves(parts.next()?)?;
        let positions = parts.map(read_position).collect::<Option<_>>()?;
        let read = Self { setup, moves, positions };
        read.samples(VERSION).is_some().then_some(read)
    }
}

fn moves_text(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn read_moves(text: &str) -> Option<Vec<Move>> {
    text.split("; ").map(|word| word.parse().ok()).collect()
}

fn read_position(text: &str) -> Option<PositionLabels> {
    let mut words = text.split(" , ");
    let at = words.next()?.parse().ok()?;
    let turns = words.map(read_turn).collect::<Option<_>>()?;
    Some(PositionLabels { at, turns })
}

fn read_turn(text: &str) -> Option<TurnLabel> {
    let (moves, numbers) = text.split_once(" = ")?;
    let numbers: Option<Vec<f32>> = numbers.split(' ').map(|word| word.parse().ok()).collect();
    let [said, odds, two_ply, two_ply_odds] = numbers?.try_into().ok()?;
    let margins = [said, two_ply].iter().all(|points: &f32| points.abs() <= MOST_POINTS);
    let wins = [odds, two_ply_odds].iter().all(|win| (0.0..=1.0).contains(win));
    (margins && wins).then_some(TurnLabel {
        moves: read_moves(moves)?,
        said: Prediction { margin: said, win: odds },
        two_ply: Prediction { margin: two_ply, win: two_ply_odds },
    })
}
