//! What a net was trained for: how many players, and which sets.

use carcassonne::{ExpandedSetup, Options, Sets};
use std::fmt;

/// How many players and which sets the games of a training run had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The fewest players.
    pub fewest: u8,
    /// The most players.
    pub most: u8,
    /// All sets that were played.
    pub sets: Sets,
}

impl Scope {
    /// Games of so many with these sets.
    #[must_use]
    pub fn of(players: usize, sets: Sets) -> Self {
        let players = players as u8;
        Self { fewest: players, most: players, sets }
    }

    /// The scope that has both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            fewest: self.fewest.min(other.fewest),
            most: self.most.max(other.most),
            sets: self.sets.with(other.sets),
        }
    }

    /// How far a setup is from what the net knows: 0 if it is just that. A net for another number of
    /// players is farthest; a set that it has not seen is worse than one that is not played.
    pub(crate) fn distance(&self, players: usize, sets: Sets) -> u32 {
        let unknown = |of: Sets, to: Sets| {
            let named = Sets::NAMED.into_iter().map(|(set, _)| set);
            named.filter(|set| of.contains(*set) && !to.contains(*set)).count() as u32
        };
        let seats = (self.fewest.into()..=self.most.into()).contains(&players);
        u32::from(!seats) * 100 + unknown(sets, self.sets) * 5 + unknown(self.sets, sets)
    }

    /// As a word of a net file: `2-2:inns,traders`, `3-6:`.
    pub(crate) fn word(&self) -> String {
        format!("{}-{}:{}", self.fewest, self.most, self.sets)
    }

    /// Reads [`word`](Self::word).
    pub(crate) fn read(word: &str) -> Option<Self> {
        let (players, sets) = word.split_once(':')?;
        let (fewest, most) = players.split_once('-')?;
        let (fewest, most) = (fewest.parse().ok()?, most.parse().ok()?);
        let sets = match sets {
            "" => Sets::NONE,
            sets => format!("sets={sets}").parse::<ExpandedSetup>().ok()?.sets(),
        };
        (2..=6).contains(&fewest).then_some(())?;
        (fewest..=6).contains(&most).then_some(Self { fewest, most, sets })
    }
}

impl fmt::Display for Scope {
    /// `2 players with inns`, `3 to 6 players`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fewest == self.most {
            true => write!(f, "{} players", self.most)?,
            false => write!(f, "{} to {} players", self.fewest, self.most)?,
        }
        match self.sets.is_empty() {
            true => Ok(()),
            false => write!(f, " with {}", self.sets),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_read_as_it_is_written() {
        for word in ["2-2:", "3-6:inns,traders,river,gardens", "2-2:inns"] {
            assert_eq!(Scope::read(word).map(|scope| scope.word()).as_deref(), Some(word));
        }
        for odd in ["", "2", "2-2", "1-2:", "3-2:", "2-7:", "2-2:Inns", "2-2:inns,inns"] {
            assert_eq!(Scope::read(odd), None, "{odd}");
        }
    }

    #[test]
    fn the_nearest_has_the_players_then_the_sets_then_little_else() {
        let all = "2-2:inns,traders,river,gardens";
        let nearest = |players: usize, sets: &str| {
            let setup: ExpandedSetup = sets.parse().unwrap();
            let known = ["2-2:", "2-2:inns", "2-2:inns,traders", all, "3-6:"];
            let scopes = known.map(|word| Scope::read(word).unwrap());
            scopes.into_iter().min_by_key(|scope| scope.distance(players, setup.sets())).unwrap()
        };
        assert_eq!(nearest(2, "").word(), "2-2:");
        assert_eq!(nearest(4, "players=4 sets=inns").word(), "3-6:");
        assert_eq!(nearest(2, "sets=inns,river").word(), all);
        assert_eq!(nearest(2, "sets=traders").word(), "2-2:inns,traders");
    }
}
