//! Puzzles: positions with one clear best turn, and how people fare with them.

use super::{CarcassonneView, LegalMove, RatingInfo, ReviewCategory, ReviewDepth, TriedTurn};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;
use views::is_false;

/// What a puzzle is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum PuzzleTheme {
    /// The difference is made in fields.
    Field,
    /// The answer joins a feature of another player and shares it.
    Sharing,
    /// The answer takes the majority of a feature from another player.
    Takeover,
    /// The answer finishes a feature of one's own.
    Closing,
    /// The difference is made by meeples: one comes back, or is kept in hand.
    Meeples,
    /// The answer costs another player more than it brings oneself.
    Blocking,
    /// Few tiles are left.
    Ending,
}

/// The puzzles there are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PuzzleThemes {
    /// How many.
    pub puzzles: u32,
    /// How many of each theme that there is; a puzzle may have several, or none.
    pub themes: Vec<PuzzlesOfTheme>,
}

/// How many puzzles there are of a theme.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PuzzlesOfTheme {
    /// Which.
    pub theme: PuzzleTheme,
    /// How many.
    pub puzzles: u32,
}

/// A puzzle as it is to be solved.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PuzzlePosition {
    /// Its id.
    #[cfg_attr(test, schema(pattern = "^[0-9a-f]{8}$"))]
    pub id: String,
    /// Whether it is the puzzle of this day (UTC).
    pub daily: bool,
    /// The seat that is to move.
    pub seat: usize,
    /// The board, with the tile in hand.
    pub view: CarcassonneView,
    /// The turns that can be played.
    pub legal: Vec<LegalMove>,
    /// The asker's first answer, if there was one; only the first is rated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional))]
    pub answered: Option<FirstAnswer>,
}

/// The first answer of somebody to a puzzle.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct FirstAnswer {
    /// Whether it was right.
    pub solved: bool,
    /// When; Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
}

/// A turn as the answer to a puzzle.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(deny_unknown_fields)]
pub struct PuzzleAnswer {
    /// The moves of the turn, in our notation.
    #[cfg_attr(test, schema(min_items = 1, max_items = 8))]
    pub moves: Vec<String>,
}

/// What came of an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PuzzleResult {
    /// Whether it is the best turn, or one as good.
    pub right: bool,
    /// The best turn.
    pub answer: Vec<String>,
    /// Turns that are as good.
    pub also: Vec<Vec<String>>,
    /// What the best turn is worth more than the best that is not as good.
    pub gap: PuzzleGap,
    /// The best turn beside another: the one that was tried, or after a right answer the one that looks
    /// best at first sight. Absent if the engine is too busy, or there is no other.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional))]
    pub compared: Option<ComparedTurn>,
    /// What is told of the puzzle once it is answered.
    pub facts: PuzzleFacts,
    /// By how much the solver's rating changed; absent if the answer was not rated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional))]
    pub change: Option<f64>,
    /// Whether this first answer was not rated because the answer had been shown at the solver's address within
    /// a day, to somebody without an account.
    #[serde(skip_serializing_if = "is_false", default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub shown_here: bool,
    /// Where the solver stands now; absent for those who are not logged in, as a guest at least.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional))]
    pub progress: Option<PuzzleProgress>,
    /// The game up to the draw of the tile in hand, in our notation.
    pub record: String,
}

/// A difference in points of final margin.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PuzzleGap {
    /// How many points.
    pub points: f64,
    /// The standard error of that; 0 where it is exact.
    pub error: f64,
}

/// What the best turn is worth more than another one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ComparedTurn {
    /// The other turn.
    pub moves: Vec<String>,
    /// What the best turn is worth more, and why, measured as reviews do.
    pub worth: TriedTurn,
}

/// What is told of a puzzle once it is answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PuzzleFacts {
    /// How hard it is, on the scale of the solvers.
    pub rating: f64,
    /// How uncertain that is.
    #[cfg_attr(test, schema(minimum = 0))]
    pub deviation: f64,
    /// How many people answered it, guests not counted.
    pub plays: u32,
    /// How many of them were right at once.
    pub solved: u32,
    /// What it is about.
    pub themes: Vec<PuzzleTheme>,
    /// The id of the game that it comes from, if it was played here and the asker may see it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional))]
    pub game: Option<String>,
}

/// How somebody fares with puzzles.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PuzzleProgress {
    /// The rating, apart from those of games; `games` are the puzzles answered.
    pub rating: RatingInfo,
    /// How many were solved at once.
    pub solved: u32,
    /// How many were solved in a row up to now.
    pub run: u32,
    /// The most that ever were.
    pub best_run: u32,
    /// On how many days in a row the puzzle of the day was solved, up to today or yesterday.
    pub daily_run: u32,
    /// The most that ever were.
    pub best_daily_run: u32,
    /// Whether today's is solved.
    pub daily_solved: bool,
}

/// The asker's progress with puzzles.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct MyPuzzles {
    /// Where the asker stands.
    pub progress: PuzzleProgress,
    /// The latest answers, the latest first.
    pub answers: Vec<AnsweredPuzzle>,
}

/// A puzzle that somebody answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct AnsweredPuzzle {
    /// The puzzle's id.
    pub id: String,
    /// The first answer.
    pub first: FirstAnswer,
    /// The solver's rating after it.
    pub rating: f64,
    /// By how much it had changed.
    pub change: f64,
    /// What the puzzle is about.
    pub themes: Vec<PuzzleTheme>,
}

/// Mistakes of the asker in reviewed games, each a puzzle at `/puzzles/own/GAME/PLY`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct OwnMistakes {
    /// The games, the latest first; those without mistakes are left out.
    pub games: Vec<GameWithMistakes>,
}

/// A game of the asker with mistakes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct GameWithMistakes {
    /// The game's id.
    pub game: String,
    /// Which of its reviews says so.
    pub depth: ReviewDepth,
    /// When it ended; Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub ended: i64,
    /// The names of those who played, by seat.
    pub names: Vec<String>,
    /// The mistakes in the order in which they were made.
    pub mistakes: Vec<OwnMistake>,
}

/// A mistake of the asker.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct OwnMistake {
    /// The asker's seat.
    pub seat: usize,
    /// The ply of the first move of the turn.
    pub ply: usize,
    /// How bad it was.
    pub category: ReviewCategory,
    /// The points that it lost.
    pub loss: f64,
}

/// A mistake of the asker, to be solved as a puzzle is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct OwnPuzzle {
    /// The game's id.
    pub game: String,
    /// The ply of the first move of the turn.
    pub ply: usize,
    /// Which of the game's reviews says so.
    pub depth: ReviewDepth,
    /// The asker's seat, which is to move.
    pub seat: usize,
    /// The board, with the tile in hand.
    pub view: CarcassonneView,
    /// The turns that can be played.
    pub legal: Vec<LegalMove>,
}

/// Another turn in place of a mistake.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(deny_unknown_fields)]
pub struct OwnAnswer {
    /// The `ply` of the mistake.
    pub ply: usize,
    /// The moves of the turn, in our notation.
    #[cfg_attr(test, schema(min_items = 1, max_items = 8))]
    pub moves: Vec<String>,
}

/// What came of another turn in place of a mistake.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct OwnResult {
    /// Whether it is the engine's turn, or as good.
    pub right: bool,
    /// The engine's turn.
    pub answer: Vec<String>,
    /// The engine's turn beside another: the one that was tried, or after a right answer the one that was
    /// played in the game.
    pub compared: ComparedTurn,
    /// The game up to the draw of the tile in hand, in our notation.
    pub record: String,
}
