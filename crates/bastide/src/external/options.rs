//! How outside programs are run: how long they are waited for, and what is written down of them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How outside programs are run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ProgramOptions {
    /// How long they are waited for.
    pub(crate) patience: Timeouts,
    /// The file that what they write to standard error is added to; without one it is passed on.
    pub(crate) stderr: Option<PathBuf>,
    /// The file that the dialogue with them is added to.
    pub(crate) log: Option<PathBuf>,
    /// Files and folders that are written here and do not belong to a program, wherever they lie.
    pub(crate) own_files: Vec<PathBuf>,
}

/// How long a program is waited for before it is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Timeouts {
    /// For the answer to anything but a search.
    pub(crate) answer: Duration,
    /// For the answer to a search, after its time is over or it was stopped.
    pub(crate) grace: Duration,
    /// For the answer to a search without a limit of time.
    pub(crate) search: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let [answer, grace, search] = [20, 5, 600].map(Duration::from_secs);
        Self { answer, grace, search }
    }
}

impl Timeouts {
    /// When it is said that a search without a limit of time is still waited for.
    pub(super) fn notice(&self) -> Duration {
        (self.search / 2).min(Duration::from_secs(30))
    }
}

/// Where a program plays, for what is written down of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// The side of a match.
    pub(crate) side: Option<char>,
    game: Arc<Mutex<Option<String>>>,
}

impl Place {
    /// A side of a match.
    pub(crate) fn of_side(side: char) -> Self {
        Self { side: Some(side), ..Self::default() }
    }

    /// A game begins, or none is played.
    pub(crate) fn set_game(&self, name: Option<String>) {
        *self.game.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }

    pub(super) fn game(&self) -> String {
        let game = self.game.lock().unwrap_or_else(PoisonError::into_inner);
        game.as_deref().unwrap_or("-").to_owned()
    }

    pub(super) fn letter(&self) -> char {
        self.side.unwrap_or('-')
    }
}
