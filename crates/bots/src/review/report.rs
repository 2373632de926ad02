//! What a review says.

use super::Depth;
use super::grade::Category;
use search::Value;
use serde::{Deserialize, Serialize};

/// What something is worth to a player: points of final margin, and probability to win.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Worth {
    /// Points of final margin over the best of the others.
    pub margin: f64,
    /// Probability to win; a shared win counts as a share.
    pub win: f64,
}

impl Worth {
    pub(super) fn of(value: Value) -> Self {
        Self { margin: value.margin.into(), win: value.win.into() }
    }

    /// This and so many times the other.
    #[must_use]
    pub fn plus(self, other: Self, times: f64) -> Self {
        Self { margin: self.margin + times * other.margin, win: self.win + times * other.win }
    }

    /// With four digits after the point.
    #[must_use]
    pub fn rounded(self) -> Self {
        Self { margin: rounded(self.margin), win: rounded(self.win) }
    }
}

fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// A review of a whole game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Review {
    /// How closely it was looked at.
    pub depth: Depth,
    /// The setup, as records write it.
    pub setup: String,
    /// Which net judged, and for which setups it was trained.
    pub net: String,
    /// Whether the record goes to the end of the game. If not, the final values are the engine's.
    pub finished: bool,
    /// Draws and decisions in their order.
    pub steps: Vec<Step>,
    /// One entry a seat.
    pub players: Vec<PlayerReview>,
}

/// One draw or one decision.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Step {
    /// Chance.
    Draw(DrawReview),
    /// A player's whole turn, or a part of it between two draws.
    Decision(Box<DecisionReview>),
}

impl Review {
    /// As clients read it: every step [rounded](Step::rounded). The sums of the players stay in full.
    #[must_use]
    pub fn rounded(mut self) -> Self {
        self.steps = self.steps.iter().map(Step::rounded).collect();
        self
    }
}

impl Step {
    /// As clients read it: a review has some thousand numbers, and four digits after the point are
    /// enough for each.
    #[must_use]
    pub fn rounded(&self) -> Self {
        let all = |worths: &mut Vec<Worth>| worths.iter_mut().for_each(|w| *w = w.rounded());
        let mut step = self.clone();
        match &mut step {
            Self::Draw(draw) => {
                [&mut draw.before, &mut draw.after, &mut draw.luck].into_iter().for_each(all);
            }
            Self::Decision(decision) => {
                all(&mut decision.measured);
                decision.error = decision.error.rounded();
                decision.loss = decision.loss.rounded();
                decision.lines.iter_mut().for_each(|line| line.value = line.value.rounded());
                decision.reasons.iter_mut().for_each(|reason| *reason = reason.rounded());
            }
        }
        step
    }
}

/// What a draw was worth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DrawReview {
    /// The number of the draw among the plies of the record, from 1.
    pub ply: usize,
    /// Who drew.
    pub player: usize,
    /// What was drawn, as records write it.
    pub drawn: String,
    /// How many tiles were in the bag before it.
    pub tiles_left: usize,
    /// What the position was worth before the draw, by seat: the mean over all draws.
    pub before: Vec<Worth>,
    /// What it was worth with the tile in hand, by seat.
    pub after: Vec<Worth>,
    /// The difference, by seat.
    pub luck: Vec<Worth>,
    /// Whether the values are exact.
    pub exact: bool,
}

/// What a decision was worth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DecisionReview {
    /// The number of its first move among the plies of the record, from 1.
    pub ply: usize,
    /// Who decided.
    pub player: usize,
    /// How many different turns there were.
    pub choices: usize,
    /// The moves that were played, as records write them.
    pub played: Vec<String>,
    /// The engine's moves.
    pub best: Vec<String>,
    /// What the engine's turn is worth more than the one that was played, by seat, as measured: it may
    /// be negative.
    pub measured: Vec<Worth>,
    /// The standard error of what was measured for the player who decided; 0 where it is exact.
    pub error: Worth,
    /// The loss that is shown: what was measured for the player who decided, where it is clearly more
    /// than its error; otherwise 0.
    pub loss: Worth,
    /// How bad that is.
    pub category: Category,
    /// Whether the values are exact.
    pub exact: bool,
    /// The engine's best turns, the best first.
    pub lines: Vec<TurnLine>,
    /// Where the difference comes from, the largest part first; empty for less than an inaccuracy.
    pub reasons: Vec<Reason>,
    /// What one of the two turns does at once and the other does not; empty as above.
    pub facts: Vec<Fact>,
}

/// A turn with its value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TurnLine {
    /// Its moves.
    pub moves: Vec<String>,
    /// What the search thinks it is worth to the player who decides.
    pub value: Worth,
}

/// A part of the difference between the engine's turn and the one that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reason {
    /// Whose points.
    pub player: usize,
    /// Where they come from.
    pub source: Source,
    /// How many more they are after the engine's turn.
    pub points: f64,
    /// The standard error of that.
    pub error: f64,
}

impl Reason {
    /// As clients read it.
    #[must_use]
    pub fn rounded(&self) -> Self {
        Self { points: rounded(self.points), error: rounded(self.error), ..self.clone() }
    }
}

/// Where points come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Source {
    City,
    Road,
    Monastery,
    Field,
    Garden,
    Goods,
    /// Meeples in hand; counted, not scored.
    Meeples,
    /// What the net expects of the turns after those that were counted, meeples in hand included: margin
    /// of the player who decides.
    Later,
}

impl Source {
    /// All of them, in the order of [`BySource`].
    pub const ALL: [Self; 8] = [
        Self::City,
        Self::Road,
        Self::Monastery,
        Self::Field,
        Self::Garden,
        Self::Goods,
        Self::Meeples,
        Self::Later,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::City => "city",
            Self::Road => "road",
            Self::Monastery => "monastery",
            Self::Field => "field",
            Self::Garden => "garden",
            Self::Goods => "goods",
            Self::Meeples => "meeples",
            Self::Later => "later",
        }
    }
}

/// What one of two turns does at once and the other does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fact {
    /// Whether it is the engine's turn that does it; otherwise the one that was played.
    pub best: bool,
    /// What.
    pub what: FactKind,
    /// On which kind of feature, where it is one.
    pub source: Option<Source>,
    /// How many points or meeples, where they are counted.
    pub count: Option<i32>,
}

/// What a turn does at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// It finishes a feature and scores `count` points.
    Scores,
    /// It finishes a feature of others, who score `count` points.
    Gives,
    /// It brings `count` meeples back.
    Frees,
    /// It takes the last meeple.
    LastMeeple,
    /// It joins a feature of others, worth `count` points now, and shares it.
    Shares,
    /// It takes over a feature of others, worth `count` points now.
    TakesOver,
    /// It leaves `count` more open cells that no tile in the bag fits.
    Blocks,
}

/// A number for each [`Source`].
pub type BySource = [f64; Source::ALL.len()];

/// A player's game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayerReview {
    /// The final margin and the win; the engine's values where the record ends early.
    pub result: Worth,
    /// What the game was worth before the first draw.
    pub start: Worth,
    /// The sum of the luck of all draws, seen from this player.
    pub luck: Worth,
    /// The sum of what everybody's decisions were worth to this player, as measured: the own losses
    /// count against, the others' for the player.
    pub skill: Worth,
    /// What the engine learned between two looks.
    pub rest: Worth,
    /// How well the player decided, from 0 to 100.
    pub accuracy: f64,
    /// The sum of the shown losses.
    pub loss: Worth,
    /// How many decisions there were, without those that had no choice.
    pub decisions: usize,
    /// How many of each category, from best to blunder.
    pub categories: [usize; Category::ALL.len()],
}
