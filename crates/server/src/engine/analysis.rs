//! What the engine thinks of a position.

use crate::error::Refusal;
use crate::games::{Hosted, WithGame, game_types, with_game};
use crate::wire::{Analysis, AnalysisLine, SeatValue};
use game::Turn;
use search::{Limits, Report, Stop};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What is to be thought about.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The game's id.
    pub game: String,
    /// A record, in any form the game reads.
    pub record: String,
    /// Only so many moves of it.
    pub ply: Option<usize>,
    /// Which bot thinks; the best if absent.
    pub bot: Option<String>,
    /// How long.
    pub time: Duration,
    /// How many positions or playouts.
    pub nodes: Option<u64>,
    /// How many turns to list.
    pub top: usize,
}

/// The longest time one question may take.
pub const LONGEST: Duration = Duration::from_secs(5);

/// The time a question takes that names none.
pub const USUAL: Duration = Duration::from_secs(1);

/// The most turns that are listed.
pub const MOST_LINES: usize = 50;

/// Thinks about a question, on this thread.
///
/// # Errors
/// If the record cannot be read, or nobody is to move.
pub(super) fn think(question: &Question, stop: &Stop) -> Result<Analysis, Refusal> {
    with_game(&question.game, Think(question, stop))?
}

struct Think<'a>(&'a Question, &'a Stop);

impl WithGame for Think<'_> {
    type Out = Result<Analysis, Refusal>;

    fn with<G: Hosted>(self) -> Self::Out {
        let Self(question, stop) = self;
        let record = G::read_record(&question.record)?;
        let last = record.moves.len();
        let ply = question.ply.unwrap_or(last);
        if ply > last {
            return Err(Refusal::Bad(format!("ply {ply}: the record has {last} plies")));
        }
        let position = record
            .replay_to(ply, |_, _| {})
            .map_err(|error| Refusal::IllegalMove(error.to_string()))?;
        let player = match position.turn() {
            Turn::Player(player) => player,
            Turn::Chance => {
                return Err(Refusal::Conflict(format!(
                    "after ply {ply} a tile is drawn: add the draw to the record, or choose \
                     another ply"
                )));
            }
            Turn::Over => {
                return Err(Refusal::Conflict(format!("the game is over after ply {ply}")));
            }
        };
        let described = game_types().iter().find(|game| game.id == G::NAME);
        let strongest = described.map_or("random", |game| game.strongest.as_str());
        let name = question.bot.as_deref().unwrap_or(strongest);
        let mut bot = G::bot(name, &record.setup)?;
        bot.new_game(&position, 1);
        let limits =
            Limits { time: Some(question.time), nodes: question.nodes, ..Limits::default() };
        let report = bot.search(&position, &limits, stop);
        Ok(told::<G>(report, player.index(), question.top))
    }
}

fn told<G: Hosted>(mut report: Report<G::Move>, seat: usize, top: usize) -> Analysis {
    let texts = |moves: &[G::Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    let worth = |value: &search::Value| SeatValue {
        margin: f64::from(value.margin),
        win: f64::from(value.win),
    };
    // Among turns it values alike a bot chooses by chance: the chosen one is shown first.
    report.lines.sort_by_key(|line| line.moves != report.turn);
    let lines = report.lines.iter().take(top);
    Analysis {
        best: texts(&report.turn),
        seat: Some(seat),
        values: report.values.as_slice().iter().map(worth).collect(),
        lines: lines
            .map(|line| AnalysisLine { moves: texts(&line.moves), worth: worth(&line.value) })
            .collect(),
        nodes: report.nodes,
        time_ms: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
        exact: report.exact,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(record: &str) -> Question {
        Question {
            game: "carcassonne".to_owned(),
            record: record.to_owned(),
            ply: None,
            bot: Some("greedy".to_owned()),
            time: USUAL,
            nodes: Some(500),
            top: 3,
        }
    }

    fn thought(question: &Question) -> Result<Analysis, Refusal> {
        think(question, &Stop::new())
    }

    #[test]
    fn a_position_gives_a_turn_and_the_best_lines() {
        let thoughts = thought(&question("carcassonne\nU")).unwrap();
        assert_eq!((thoughts.best.len(), thoughts.seat), (2, Some(0)));
        assert_eq!(thoughts.lines.len(), 3);
        assert_eq!(thoughts.lines[0].moves, thoughts.best);
        let best = Question { bot: None, ..question("carcassonne\nU; 1,0 r0; pass; V") };
        assert_eq!(thought(&best).unwrap().seat, Some(1));
        let town = Question {
            game: "tinytown".to_owned(),
            bot: None,
            ..question("tinytown 3x3\nbrick 0,0; end")
        };
        assert!(thought(&town).unwrap().exact);
    }

    #[test]
    fn what_cannot_be_thought_about_is_refused_with_the_reason() {
        for (asked, word) in [
            (question("carcassonne"), "a tile is drawn"),
            (question("carcassonne\nU; 9,9 r0"), "ply 2"),
            (question("chess"), "expected a record of 'carcassonne'"),
            (Question { ply: Some(7), ..question("carcassonne\nU") }, "has 1 plies"),
            (Question { bot: Some("hal".into()), ..question("carcassonne\nU") }, "no bot"),
            (Question { game: "go".into(), ..question("carcassonne\nU") }, "no game"),
        ] {
            let refusal = thought(&asked).unwrap_err().to_string();
            assert!(refusal.contains(word), "{refusal}");
        }
    }
}
