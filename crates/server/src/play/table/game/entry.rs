//! Entries of the log: what the database calls each kind.

/// An entry of the log that is not written yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::play::table) struct LogEntry {
    /// Whose it is; none for an outcome of chance, or what concerns all.
    pub(in crate::play::table) seat: Option<usize>,
    pub(in crate::play::table) kind: EntryKind,
    /// The move, the outcome, or what else the kind needs.
    pub(in crate::play::table) body: String,
}

/// What an entry of the log is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::play::table) enum EntryKind {
    /// A player's move.
    Move,
    /// An outcome of chance.
    Draw,
    /// Moves were taken back; the body is the last entry that stands.
    Takeback,
    /// A seat gave up.
    Resign,
    /// A seat's time is up, or it was silent for too long.
    Time,
    /// Both players called it a draw.
    Agreed,
    /// The game was called off.
    Abort,
}

impl EntryKind {
    const ALL: [Self; 7] = [
        Self::Move,
        Self::Draw,
        Self::Takeback,
        Self::Resign,
        Self::Time,
        Self::Agreed,
        Self::Abort,
    ];

    /// What the database calls it.
    pub(in crate::play::table) const fn word(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Draw => "draw",
            Self::Takeback => "takeback",
            Self::Resign => "resign",
            Self::Time => "time",
            Self::Agreed => "agreed",
            Self::Abort => "abort",
        }
    }

    /// The kind with this word.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}
