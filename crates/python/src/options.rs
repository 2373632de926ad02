//! The options of environments by name: rewards, what follows a game's end, illegal actions.

use crate::errors::value_error;
use game::{ByPlayer, Player};
use pyo3::PyResult;

/// What a decision earns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reward {
    /// At the end: the lead over the best of the others.
    Margin,
    /// At the end: 1 for winning alone, 0 for sharing the win, −1 for losing.
    Win,
    /// Points as they are scored.
    Points,
}

impl Reward {
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        choose(
            "reward",
            name,
            &[("margin", Self::Margin), ("win", Self::Win), ("points", Self::Points)],
        )
    }

    /// What a finished game was worth to a player, by margin or by win; points are not summed here.
    pub(crate) fn at_end(self, scores: &ByPlayer<i32>, player: Player) -> f32 {
        match self {
            Self::Margin => scores.margin(player) as f32,
            Self::Win => {
                let leaders = scores.leaders();
                match (leaders.contains(player), leaders.len()) {
                    (true, 1) => 1.0,
                    (true, _) => 0.0,
                    _ => -1.0,
                }
            }
            Self::Points => 0.0,
        }
    }
}

/// What follows the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Autoreset {
    /// The step that ends a game already shows the next one.
    SameStep,
    /// The step after it starts the next one and ignores the action.
    NextStep,
    /// Nothing, until `reset`.
    Disabled,
}

impl Autoreset {
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        let known = [
            ("same_step", Self::SameStep),
            ("next_step", Self::NextStep),
            ("disabled", Self::Disabled),
        ];
        choose("autoreset", name, &known)
    }
}

/// What an illegal action does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Illegal {
    /// An exception, and nothing else happens anywhere in the batch.
    Raise,
    /// The penalty, and the game stays as it is.
    Noop,
    /// The penalty, and the game ends.
    Terminate,
}

impl Illegal {
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        let known = [("raise", Self::Raise), ("noop", Self::Noop), ("terminate", Self::Terminate)];
        choose("illegal", name, &known)
    }
}

/// The value of an option, or an error that says what is allowed.
pub(crate) fn choose<T: Copy>(option: &str, name: &str, known: &[(&str, T)]) -> PyResult<T> {
    known.iter().find(|(known, _)| *known == name).map(|(_, value)| *value).ok_or_else(|| {
        let allowed: Vec<_> = known.iter().map(|(name, _)| format!("'{name}'")).collect();
        let found = game::excerpt(name, 40);
        value_error(format!("{option}='{found}' is not known; allowed: {}", allowed.join(", ")))
    })
}
