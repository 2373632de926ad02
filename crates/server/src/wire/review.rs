//! Reviews: what every move of a finished game was worth, and what was luck (`docs/review.md`).

use super::{LegalMove, Replay};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// How closely a game is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum ReviewDepth {
    /// About ten seconds for two players.
    #[default]
    Quick,
    /// About two minutes, smaller errors.
    Deep,
}

/// Where a review stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// Nobody has asked for it.
    Absent,
    /// Others are reviewed first.
    Waiting,
    /// It is being made.
    Running,
    /// It is there.
    Done,
}

/// A review that is wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(deny_unknown_fields)]
pub struct NewReview {
    /// How closely; quick if left out.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<ReviewDepth>"))]
    pub depth: ReviewDepth,
}

/// The review of a game as far as it is made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReviewJob {
    /// How closely.
    pub depth: ReviewDepth,
    /// Where it stands.
    pub state: ReviewState,
    /// How many plies are reviewed.
    pub done: usize,
    /// How many there are.
    pub plies: usize,
    /// How many reviews are made before it.
    pub ahead: usize,
    /// The review, once it is there.
    pub review: Option<Review>,
}

/// A line of the stream of a review.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ReviewLine {
    /// Where it stands when the stream begins, and when that changes: `waiting` or `running`.
    State {
        /// Where it stands.
        state: ReviewState,
        /// How many reviews are made before it.
        ahead: usize,
    },
    /// A draw or a decision is reviewed. Those that were before the stream began come first.
    Step {
        /// Which.
        step: ReviewStep,
        /// How many plies are reviewed.
        done: usize,
        /// How many there are.
        plies: usize,
    },
    /// All is reviewed: the last line.
    Done {
        /// The review.
        review: Box<Review>,
    },
    /// It was stopped or failed: the last line.
    Failed {
        /// Why.
        error: String,
    },
}

/// A review of a whole game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Review {
    /// How closely it was looked at.
    pub depth: ReviewDepth,
    /// Which net judged.
    pub net: String,
    /// Whether the game was played to its end. If not, the results are what the engine expects.
    pub finished: bool,
    /// Draws and decisions in their order.
    pub steps: Vec<ReviewStep>,
    /// One entry a seat.
    pub players: Vec<ReviewedPlayer>,
}

/// What something is worth: points of final margin over the best of the others, and probability to
/// win. A difference of two such has these fields too.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReviewWorth {
    /// Points.
    pub margin: f64,
    /// Probability.
    pub win: f64,
}

/// A draw or a decision.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ReviewStep {
    /// Chance.
    Draw(ReviewedDraw),
    /// A player's turn, or a part of it between two draws.
    Decision(Box<ReviewedDecision>),
}

/// What a draw was worth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReviewedDraw {
    /// The ply of the draw, from 1.
    pub ply: usize,
    /// The seat that drew.
    pub player: usize,
    /// What was drawn, in our notation.
    pub drawn: String,
    /// How many tiles were in the bag before it.
    pub tiles_left: usize,
    /// What the position was worth before the draw, by seat.
    pub before: Vec<ReviewWorth>,
    /// What it was worth with the tile in hand, by seat.
    pub after: Vec<ReviewWorth>,
    /// The difference, by seat.
    pub luck: Vec<ReviewWorth>,
    /// Whether the values are exact.
    pub exact: bool,
}

/// How good a decision was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum ReviewCategory {
    Best,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
}

/// What a decision was worth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReviewedDecision {
    /// The ply of its first move, from 1: the position before it is that after `ply - 1` plies.
    pub ply: usize,
    /// The seat that decided.
    pub player: usize,
    /// How many different turns there were.
    pub choices: usize,
    /// The moves that were played.
    pub played: Vec<String>,
    /// The engine's moves.
    pub best: Vec<String>,
    /// What the engine's turn is worth more than the one that was played, by seat, as measured: it
    /// may be negative.
    pub measured: Vec<ReviewWorth>,
    /// The standard error of that for the seat that decided; 0 where it is exact.
    pub error: ReviewWorth,
    /// The loss that is shown: 0 unless it is clearly more than its error.
    pub loss: ReviewWorth,
    /// How bad that is.
    pub category: ReviewCategory,
    /// Whether the values are exact.
    pub exact: bool,
    /// The engine's best turns, the best first.
    pub lines: Vec<ReviewTurn>,
    /// Where the difference comes from, the largest part first; empty for small losses.
    pub reasons: Vec<ReviewReason>,
    /// What one of the two turns does at once and the other does not; empty for small losses.
    pub facts: Vec<ReviewFact>,
}

/// A turn with its value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReviewTurn {
    /// Its moves.
    pub moves: Vec<String>,
    /// What the search thinks it is worth to the seat that decides.
    pub value: ReviewWorth,
}

/// A part of the difference between the engine's turn and the one that was played.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReviewReason {
    /// Whose points.
    pub player: usize,
    /// Where they come from.
    pub source: ReviewSource,
    /// How many more they are after the engine's turn.
    pub points: f64,
    /// The standard error of that.
    pub error: f64,
}

/// Where points come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum ReviewSource {
    /// Cities.
    City,
    /// Roads.
    Road,
    /// Monasteries.
    Monastery,
    /// Fields.
    Field,
    /// Gardens.
    Garden,
    /// Goods.
    Goods,
    /// Meeples in hand: their number, not points.
    Meeples,
    /// What the engine expects of the turns after those that were counted.
    Later,
}

/// What one of two turns does at once and the other does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReviewFact {
    /// Whether it is the engine's turn that does it; otherwise the one that was played.
    pub best: bool,
    /// What.
    pub what: ReviewFactKind,
    /// On which kind of feature, where it is one.
    pub source: Option<ReviewSource>,
    /// How many points or meeples, where they are counted.
    pub count: Option<i32>,
}

/// What a turn does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum ReviewFactKind {
    /// It finishes a feature of `source` and scores `count` points.
    Scores,
    /// It finishes a feature of another player, who scores `count` points.
    Gives,
    /// It brings `count` meeples back.
    Frees,
    /// It takes the last meeple.
    LastMeeple,
    /// It joins a feature of another player, worth `count` points now, and shares it.
    Shares,
    /// It takes over a feature of another player, worth `count` points now.
    TakesOver,
    /// It leaves `count` more spots beside it that no tile in the bag fits.
    Blocks,
}

/// A player's game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReviewedPlayer {
    /// The final margin and the win; what the engine expects where the game was not played to its end.
    pub result: ReviewWorth,
    /// What the game was worth before the first draw. `result` = `start` + `luck` + `skill` + `rest`.
    pub start: ReviewWorth,
    /// The sum of the luck of all draws, seen from this player.
    pub luck: ReviewWorth,
    /// The sum of what everybody's decisions were worth to this player.
    pub skill: ReviewWorth,
    /// What the engine learned between two looks.
    pub rest: ReviewWorth,
    /// How well the player decided, from 0 to 100.
    #[cfg_attr(test, schema(minimum = 0, maximum = 100))]
    pub accuracy: f64,
    /// The sum of the shown losses.
    pub loss: ReviewWorth,
    /// How many decisions there were, without those that had no choice.
    pub decisions: usize,
    /// How many of each category, from best to blunder.
    #[cfg_attr(test, schema(min_items = 5, max_items = 5))]
    pub categories: Vec<usize>,
}

/// A turn that is tried in place of one that was played.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(deny_unknown_fields)]
pub struct TryTurn {
    /// How close a review says which turn was best; quick if left out.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<ReviewDepth>"))]
    pub depth: ReviewDepth,
    /// The `ply` of a decision in it.
    pub ply: usize,
    /// The moves of the turn, in our notation.
    #[cfg_attr(test, schema(min_items = 1, max_items = 8))]
    pub moves: Vec<String>,
}

/// What a turn that was tried is worth.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct TriedTurn {
    /// What the engine's turn is worth more, as measured: it may be negative.
    pub measured: ReviewWorth,
    /// The standard error of that; 0 where it is exact.
    pub error: ReviewWorth,
    /// The loss that is shown: 0 unless it is clearly more than its error.
    pub loss: ReviewWorth,
    /// How bad that is.
    pub category: ReviewCategory,
    /// Whether the values are exact.
    pub exact: bool,
    /// Where the difference comes from, the largest part first; empty for small losses.
    pub reasons: Vec<ReviewReason>,
    /// What one of the two turns does at once and the other does not; empty for small losses.
    pub facts: Vec<ReviewFact>,
}

/// A position of a finished game in which a turn can be tried.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct TryPosition {
    /// The game before the decision.
    pub position: Replay,
    /// The turns that can be tried.
    pub legal: Vec<LegalMove>,
}

/// The reviewed games of a person or bot.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReviewedGames {
    /// The latest of them, the latest first.
    pub games: Vec<ReviewedGame>,
    /// All of them together, if there are any.
    pub totals: Option<ReviewTotals>,
}

/// A reviewed game of a person or bot.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReviewedGame {
    /// The game's id.
    pub game: String,
    /// How closely it was looked at.
    pub depth: ReviewDepth,
    /// When it ended: Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub ended: i64,
    /// How well they decided, from 0 to 100.
    pub accuracy: f64,
    /// The points of final margin.
    pub margin: f64,
    /// The points of luck in it.
    pub luck: f64,
    /// The points of skill in it: what everybody's decisions were worth to them.
    pub skill: f64,
    /// The points that they lost by their decisions.
    pub loss: f64,
}

/// Reviewed games added up.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReviewTotals {
    /// The mean accuracy; 0 without games, like the other means.
    pub accuracy: f64,
    /// The mean margin, with luck and without.
    pub margins: AdjustedMargin,
    /// The mean loss.
    pub loss: f64,
    /// Inaccuracies, mistakes and blunders a game.
    pub mistakes: Vec<f64>,
    /// Where points were lost in inaccuracies and worse, a game: what the engine's turns would have
    /// brought more, by source.
    pub lost: Vec<LostPoints>,
}

/// The mean margin of reviewed games, with the luck of the draws and without.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct AdjustedMargin {
    /// How many games.
    pub games: usize,
    /// The mean margin; 0 without games, like the other figures.
    pub margin: f64,
    /// Its standard error, from two games on.
    pub margin_error: Option<f64>,
    /// The mean margin less the luck of the draws.
    pub adjusted: f64,
    /// Its standard error: smaller, as less of it is chance.
    pub adjusted_error: Option<f64>,
}

/// Points that were lost at one source.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct LostPoints {
    /// Whether they are points that others got; otherwise own ones that were missed.
    pub others: bool,
    /// Where.
    pub source: ReviewSource,
    /// How many a game.
    pub points: f64,
}
