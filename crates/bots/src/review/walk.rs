//! A record from its first draw to its end.

use super::Depth;
use super::facts::facts;
use super::grade::{Category, accuracy, shown};
use super::judge::{Draws, Judge, Stopped, sum, worths};
use super::reasons::reasons;
use super::report::{DecisionReview, DrawReview, PlayerReview, Review, Step, TurnLine, Worth};
use crate::nets;
use crate::one_ply::OnePly;
use crate::roster::Playable;
use crate::turn_look::turn_look;
use crate::value::Learned;
use carcassonne::{Edition, Move, Position};
use game::{Game, Player, Record, ReplayError, Turn, ignore};
use search::{Stop, final_values};
use std::error::Error;
use std::fmt;

/// How many of the engine's turns a decision names.
pub(super) const LINES: usize = 5;

/// Reviews a game. `each` is told every step as soon as it is known, with the plies that are done and
/// all plies. The same record and depth give the same review on every machine.
///
/// # Errors
/// If the record holds a move that is not legal, or the review is stopped.
pub fn review<E: Playable>(
    record: &Record<Position<E>>,
    depth: Depth,
    stop: &Stop,
    each: &mut dyn FnMut(&Step, usize, usize),
) -> Result<Review, ReviewError> {
    E::review(record, depth, stop, each)
}

/// The luck of all draws of a game, by seat: the sum of what each drawn tile was worth more than the
/// mean of all that could come, by one turn of the net. Its mean over many games is zero, whoever plays.
///
/// # Errors
/// As [`review`].
pub fn luck<E: Playable>(
    record: &Record<Position<E>>,
    stop: &Stop,
) -> Result<Vec<Worth>, ReviewError> {
    let mut luck = vec![Worth::default(); record.start(ignore).players()];
    for draw in draws(record, stop)? {
        luck = sum(&luck, &draw.luck, 1.0);
    }
    Ok(luck)
}

/// The draws of a game, by one turn of the net: a quick review without its decisions.
///
/// # Errors
/// As [`review`].
pub fn draws<E: Playable>(
    record: &Record<Position<E>>,
    stop: &Stop,
) -> Result<Vec<DrawReview>, ReviewError> {
    E::draws(record, stop)
}

/// Why there is no review.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReviewError {
    /// The record cannot be replayed.
    Record(ReplayError),
    /// It was stopped.
    Stopped,
}

impl fmt::Display for ReviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(error) => error.fmt(f),
            Self::Stopped => f.write_str("the review was stopped"),
        }
    }
}

impl Error for ReviewError {}

impl From<Stopped> for ReviewError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

pub(crate) fn review_of<E: Edition>(
    record: &Record<Position<E>>,
    depth: Depth,
    stop: &Stop,
    each: &mut dyn FnMut(&Step, usize, usize),
) -> Result<Review, ReviewError> {
    record.replay().map_err(ReviewError::Record)?;
    let mut walk = Walk::new(record, depth, stop);
    while walk.ply < record.moves.len() {
        match walk.game.turn() {
            Turn::Chance => walk.draw(record.moves[walk.ply])?,
            Turn::Player(player) => {
                let Some(moves) = walk.whole_turn(&record.moves[walk.ply..]) else { break };
                walk.decision(player, moves)?;
            }
            Turn::Over => break,
        }
        let done = walk.ply;
        walk.steps.last().into_iter().for_each(|step| each(step, done, record.moves.len()));
    }
    let result = walk.end()?;
    Ok(walk.summary(record, result))
}

pub(crate) fn draws_of<E: Edition>(
    record: &Record<Position<E>>,
    stop: &Stop,
) -> Result<Vec<DrawReview>, ReviewError> {
    record.replay().map_err(ReviewError::Record)?;
    let mut walk = Walk::new(record, Depth::Quick, stop);
    for m in &record.moves {
        match walk.game.turn() {
            Turn::Chance => walk.draw(*m)?,
            _ => {
                walk.game.play_unchecked(*m, ignore);
                walk.ply += 1;
            }
        }
    }
    let draw = |step| match step {
        Step::Draw(draw) => Some(draw),
        Step::Decision(_) => None,
    };
    Ok(walk.steps.into_iter().filter_map(draw).collect())
}

/// A record on its way.
struct Walk<E: Edition> {
    depth: Depth,
    judge: Judge<E>,
    learned: Learned<E>,
    game: Position<E>,
    ply: usize,
    steps: Vec<Step>,
    /// What the engine expects after the last step, by seat; empty before the first.
    expected: Vec<Worth>,
    start: Vec<Worth>,
    luck: Vec<Worth>,
    skill: Vec<Worth>,
    rest: Vec<Worth>,
}

impl<E: Edition> Walk<E> {
    fn new(record: &Record<Position<E>>, depth: Depth, stop: &Stop) -> Self {
        let game = record.start(ignore);
        let none = vec![Worth::default(); game.players()];
        Self {
            depth,
            judge: Judge::new(&record.setup, depth, stop),
            learned: Learned::new(nets::for_setup(&record.setup).net),
            game,
            ply: 0,
            steps: Vec::new(),
            expected: Vec::new(),
            start: none.clone(),
            luck: none.clone(),
            skill: none.clone(),
            rest: none,
        }
    }

    /// Takes in what the engine thinks now: the difference to what it expected is the rest.
    fn look(&mut self, now: &[Worth]) {
        if self.expected.is_empty() {
            self.start = now.to_vec();
        } else {
            let learned = sum(now, &self.expected, -1.0);
            self.rest = sum(&self.rest, &learned, 1.0);
        }
        self.expected = now.to_vec();
    }

    fn draw(&mut self, drawn: Move) -> Result<(), Stopped> {
        let draws: Draws = self.judge.draws(&self.game)?;
        self.look(&draws.mean);
        let after = draws.of(drawn).unwrap_or(&draws.mean).to_vec();
        let luck = sum(&after, &draws.mean, -1.0);
        self.luck = sum(&self.luck, &luck, 1.0);
        let tiles_left = self.game.tiles_left();
        let player = self.game.player().index();
        self.game.play_unchecked(drawn, ignore);
        self.ply += 1;
        self.expected.clone_from(&after);
        self.steps.push(Step::Draw(DrawReview {
            ply: self.ply,
            player,
            drawn: drawn.to_string(),
            tiles_left,
            before: draws.mean,
            after,
            luck,
            exact: draws.exact,
        }));
        Ok(())
    }

    /// The moves of the turn that begins here; `None` if the record ends within it.
    fn whole_turn<'a>(&self, moves: &'a [Move]) -> Option<&'a [Move]> {
        let mut end = self.game.clone();
        let player = end.turn();
        for (index, m) in moves.iter().enumerate() {
            end.play_unchecked(*m, ignore);
            if end.turn() != player {
                return Some(&moves[..=index]);
            }
        }
        None
    }

    fn decision(&mut self, player: Player, played: &[Move]) -> Result<(), Stopped> {
        let seat = player.index();
        if self.expected.is_empty() {
            let now = worths(&self.judge.value(&self.game)?);
            self.look(&now);
        }
        let mut one_ply = OnePly::default();
        one_ply.list(&self.game, &mut self.learned);
        let choices = one_ply.values().len();
        let exact = self.judge.is_exact(&self.game);
        let seed = self.ply as u64;
        let mut found = DecisionReview {
            ply: self.ply + 1,
            player: seat,
            choices,
            played: texts(played),
            best: texts(played),
            measured: vec![Worth::default(); self.game.players()],
            error: Worth::default(),
            loss: Worth::default(),
            category: Category::Best,
            exact,
            lines: Vec::new(),
            reasons: Vec::new(),
            facts: Vec::new(),
        };
        if choices > 1 {
            let mut report = self.judge.best(&self.game, seed)?;
            report.lines.truncate(LINES);
            if exact {
                self.judge.solve_lines(&self.game, &mut report.lines)?;
            }
            let line = |line: &search::Line<Move>| TurnLine {
                moves: texts(&line.moves),
                value: Worth::of(line.value),
            };
            found.lines = report.lines.iter().map(line).collect();
            if turn_look(&self.game, &report.turn) != turn_look(&self.game, played) {
                let compared = self.judge.compare(&self.game, &report.turn, played, seed)?;
                if compared.first_chosen {
                    found.best = texts(&report.turn);
                }
                found.measured = worths(&compared.difference);
                found.error = Worth::of(compared.error);
                found.loss = shown(found.measured[seat], found.error);
                found.category = Category::of(found.loss, found.error);
                if found.category >= Category::Inaccuracy {
                    let turns = [&report.turn[..], played];
                    found.reasons = reasons(&self.game, turns, &mut self.learned, self.depth, seed);
                    found.facts = facts(&self.game, &report.turn, played);
                }
            }
        }
        self.skill = sum(&self.skill, &found.measured, -1.0);
        self.expected = sum(&self.expected, &found.measured, -1.0);
        played.iter().for_each(|m| self.game.play_unchecked(*m, ignore));
        self.ply += played.len();
        self.steps.push(Step::Decision(Box::new(found)));
        Ok(())
    }

    /// What came of the game, by seat.
    fn end(&mut self) -> Result<Vec<Worth>, Stopped> {
        let result = match self.game.turn() {
            Turn::Over => worths(&final_values(&self.game.scores())),
            Turn::Chance => self.judge.draws(&self.game)?.mean,
            Turn::Player(_) if self.expected.is_empty() => worths(&self.judge.value(&self.game)?),
            Turn::Player(_) => return Ok(self.expected.clone()),
        };
        self.look(&result);
        Ok(result)
    }

    fn summary(self, record: &Record<Position<E>>, result: Vec<Worth>) -> Review {
        let player = |seat: usize| {
            let decisions: Vec<&DecisionReview> = self
                .steps
                .iter()
                .filter_map(|step| match step {
                    Step::Decision(decision) => Some(&**decision),
                    Step::Draw(_) => None,
                })
                .filter(|decision| decision.player == seat && decision.choices > 1)
                .collect();
            let mut categories = [0; Category::ALL.len()];
            let mut loss = Worth::default();
            for decision in &decisions {
                categories[decision.category as usize] += 1;
                loss = loss.plus(decision.loss, 1.0);
            }
            PlayerReview {
                result: result[seat],
                start: self.start[seat],
                luck: self.luck[seat],
                skill: self.skill[seat],
                rest: self.rest[seat],
                accuracy: accuracy(decisions.iter().map(|decision| decision.loss)),
                loss,
                decisions: decisions.len(),
                categories,
            }
        };
        let net = nets::for_setup(&record.setup);
        Review {
            depth: self.depth,
            setup: record.setup.to_string(),
            net: net.note.unwrap_or_else(|| format!("the net for {}", net.net.scope)),
            finished: self.game.turn() == Turn::Over,
            players: (0..self.game.players()).map(player).collect(),
            steps: self.steps,
        }
    }
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
