//! What a puzzle is about.

use game::excerpt;
use std::fmt;
use std::str::FromStr;

/// What a puzzle is about; a puzzle may have several themes, or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Theme {
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

impl Theme {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Field,
        Self::Sharing,
        Self::Takeover,
        Self::Closing,
        Self::Meeples,
        Self::Blocking,
        Self::Ending,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Field => "field",
            Self::Sharing => "sharing",
            Self::Takeover => "takeover",
            Self::Closing => "closing",
            Self::Meeples => "meeples",
            Self::Blocking => "blocking",
            Self::Ending => "ending",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Theme {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|theme| theme.name() == text).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            format!("'{}' is no theme; there are {known}", excerpt(text, 20))
        })
    }
}
