//! Which games a rating is about: the base game for two is the main list, every other number of
//! players and combination of sets has its own.

use carcassonne::{ExpandedSetup, Options, Sets};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Which games a rating is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Pool {
    /// Whether it is about games for three to six, not for two.
    many: bool,
    sets: Sets,
}

impl Pool {
    /// The base game for two: the main list.
    pub const TWO: Self = Self { many: false, sets: Sets::NONE };

    /// The base game for three to six.
    pub const MANY: Self = Self { many: true, sets: Sets::NONE };

    /// All pools, those of the base game first.
    pub fn all() -> impl Iterator<Item = Self> {
        let combination = |bits: usize| {
            let chosen =
                Sets::NAMED.into_iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
            chosen.fold(Sets::NONE, |sets, (_, (set, _))| sets.with(set))
        };
        (0..1 << Sets::NAMED.len())
            .map(combination)
            .flat_map(|sets| [false, true].map(|many| Self { many, sets }))
    }

    /// The pool of a game with this setup in our notation and so many seats; none for a game alone.
    #[must_use]
    pub fn of(setup: &str, seats: usize) -> Option<Self> {
        // Only Carcassonne is rated, and only its newer setups name sets.
        let sets = setup.parse::<ExpandedSetup>().map_or(Sets::NONE, |setup| setup.sets());
        (seats > 1).then_some(Self { many: seats > 2, sets })
    }

    /// The sets that are played.
    #[must_use]
    pub const fn sets(self) -> Sets {
        self.sets
    }

    /// Whether it is about games for three to six, not for two.
    #[must_use]
    pub const fn is_for_many(self) -> bool {
        self.many
    }

    /// Its name in the database and in addresses: `two`, `many-inns-river`.
    #[must_use]
    pub fn name(self) -> String {
        self.to_string()
    }

    /// The deviation above which a rating is too uncertain for a leaderboard. Places among
    /// several tell less of one player, so more is allowed there.
    #[must_use]
    pub const fn provisional_above(self) -> f64 {
        if self.many { 250.0 } else { 110.0 }
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.many { "many" } else { "two" })?;
        let played = Sets::NAMED.into_iter().filter(|(set, _)| self.sets.contains(*set));
        played.into_iter().try_for_each(|(_, name)| write!(f, "-{name}"))
    }
}

impl FromStr for Pool {
    type Err = UnknownPool;

    fn from_str(text: &str) -> Result<Self, UnknownPool> {
        Self::all().find(|pool| pool.name() == text).ok_or(UnknownPool)
    }
}

impl TryFrom<String> for Pool {
    type Error = UnknownPool;

    fn try_from(text: String) -> Result<Self, UnknownPool> {
        text.parse()
    }
}

/// A text that names no pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a pool is 'two' or 'many', with sets 'two-inns-traders-river-gardens' or some of these, in this order"
)]
pub struct UnknownPool;

impl Ord for Pool {
    /// Those of the base game first.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |pool: &Self| (pool.sets.to_string(), pool.many);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Pool {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pool_has_a_name_of_its_own_that_is_read_again() {
        let names: Vec<String> = Pool::all().map(Pool::name).collect();
        assert_eq!(names.len(), 32);
        assert_eq!(names[..4], ["two", "many", "two-inns", "many-inns"]);
        for (pool, name) in Pool::all().zip(&names) {
            assert_eq!(name.parse(), Ok(pool));
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1);
        }
        for odd in
            ["", "three", "two-", "Two", "two-river-inns", "two-inns-inns", "inns", "two inns"]
        {
            assert_eq!(odd.parse::<Pool>(), Err(UnknownPool), "{odd}");
        }
    }

    #[test]
    fn a_game_belongs_to_the_pool_of_its_sets_and_seats() {
        let of = |setup: &str, seats| Pool::of(setup, seats).map(Pool::name);
        let base = "players=2 farmers=on start=tile board=unlimited tiny-city=4";
        assert_eq!(of(base, 2).as_deref(), Some("two"));
        assert_eq!(of("", 5).as_deref(), Some("many"), "games of old");
        assert_eq!(of(&format!("{base} sets=inns,river"), 2).as_deref(), Some("two-inns-river"));
        assert_eq!(of("players=3 sets=gardens", 3).as_deref(), Some("many-gardens"));
        assert_eq!((of("3x3", 1), of(base, 1)), (None, None));
    }
}
