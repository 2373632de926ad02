//! A seat at a table, and who sits on it.

use crate::wire::{Reason, Sitter};
use tokio::time::Instant;

/// A seat at a table.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    /// Who sits there.
    pub(super) sitter: Sitter,
    /// Their share in the shuffle.
    pub(super) nonce: String,
    /// The rating when the game began.
    pub(super) rating: Option<f64>,
    /// What the game did to it.
    pub(super) rating_change: Option<f64>,
    /// Why the seat no longer plays.
    pub(super) out: Option<Out>,
    /// Turns in a row that the timeout rule played.
    pub(super) missed: u8,
    /// Since when its person could have moved and did not, in Unix milliseconds.
    pub(super) silent_since: Option<i64>,
    /// Since when its person has been away.
    pub(super) away_since: Option<Instant>,
}

/// A seat that no longer plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Out {
    /// Why.
    pub(super) reason: Reason,
    /// How many were out before.
    pub(super) order: usize,
}

impl Seat {
    /// A seat as it is before the game.
    pub(super) fn new(sitter: Sitter, nonce: String) -> Self {
        Self {
            sitter,
            nonce,
            rating: None,
            rating_change: None,
            out: None,
            missed: 0,
            silent_since: None,
            away_since: None,
        }
    }

    /// The user who sits there.
    pub(super) fn user(&self) -> Option<&str> {
        match &self.sitter {
            Sitter::User { user, .. } => Some(user),
            Sitter::Open | Sitter::Invited { .. } | Sitter::Bot { .. } => None,
        }
    }

    /// The user for whom it is kept.
    pub(super) fn invited(&self) -> Option<&str> {
        match &self.sitter {
            Sitter::Invited { user, .. } => Some(user),
            Sitter::Open | Sitter::User { .. } | Sitter::Bot { .. } => None,
        }
    }

    /// Our bot that sits there.
    pub(super) fn bot(&self) -> Option<&str> {
        match &self.sitter {
            Sitter::Bot { bot } => Some(bot),
            Sitter::Open | Sitter::User { .. } | Sitter::Invited { .. } => None,
        }
    }

    /// Gives the person of this seat another name, if it is this user; whether it is.
    pub(super) fn rename(&mut self, renamed: &str, new: &str) -> bool {
        match &mut self.sitter {
            Sitter::User { user, name, .. } | Sitter::Invited { user, name } if user == renamed => {
                new.clone_into(name);
                true
            }
            _ => false,
        }
    }

    /// Whether somebody sits there.
    pub(super) const fn is_taken(&self) -> bool {
        matches!(self.sitter, Sitter::User { .. } | Sitter::Bot { .. })
    }

    /// Whether a person sits there who still plays.
    pub(super) fn is_playing_person(&self) -> bool {
        self.user().is_some() && self.out.is_none()
    }

    /// Who sits there, for people.
    pub(super) fn name(&self) -> &str {
        match &self.sitter {
            Sitter::Open => "nobody yet",
            Sitter::User { name, .. } | Sitter::Invited { name, .. } => name,
            Sitter::Bot { bot } => bot,
        }
    }
}

/// What the database calls the sitter.
pub(super) const fn kind_of(sitter: &Sitter) -> &'static str {
    match sitter {
        Sitter::Open => "open",
        Sitter::Invited { .. } => "invited",
        Sitter::User { .. } => "user",
        Sitter::Bot { .. } => "bot",
    }
}
