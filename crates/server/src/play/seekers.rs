//! Quick match: who looks for an opponent, and who fits whom. It is kept in memory: a search ends
//! with the page that shows it. Where there are several nodes one keeps all searches and the others have
//! copies, with which the next one goes on ([`copies`]).

mod copies;

pub use copies::SeekCopy;

use crate::people::accounts::Requester;
use crate::wire::ClockRule;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A page that has not asked for so long is closed.
const SILENCE: Duration = Duration::from_secs(12);

/// How long a game may take to be made, and how long it is told afterwards.
const TOLD: Duration = Duration::from_secs(60);

/// What somebody looks for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeekOptions {
    /// How time is kept.
    pub clock: ClockRule,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// How far the other's rating may be.
    pub range: Option<u32>,
    /// Their rating, or a newcomer's.
    pub rating: f64,
    /// Their share in the shuffle.
    pub nonce: Option<String>,
}

/// Somebody who looks for an opponent.
#[derive(Clone, Debug)]
pub struct Seeker {
    /// Who.
    pub who: Requester,
    /// What they look for.
    pub wish: SeekOptions,
    since: Instant,
    asked: Instant,
    stage: Stage,
    /// Those with whom a game could not be made.
    refused: HashSet<String>,
    /// When other nodes were told how it stands; not yet, if never.
    told: Option<Instant>,
}

#[derive(Clone, Debug)]
enum Stage {
    Looking,
    /// A game is being made, since when.
    Pairing(Instant),
    Found {
        game: String,
        at: Instant,
    },
}

/// How a search stands.
#[derive(Clone, Debug)]
pub struct SeekStatus {
    /// What is looked for.
    pub wish: SeekOptions,
    /// For how long.
    pub waited: Duration,
    /// How many others look for a game.
    pub others: usize,
    /// The game that was found.
    pub game: Option<String>,
}

/// All who look for an opponent, by the user's id.
#[derive(Debug, Default)]
pub struct Seekers {
    all: Mutex<HashMap<String, Seeker>>,
    /// Searches that another node keeps.
    elsewhere: Mutex<HashMap<String, copies::Kept>>,
}

impl Seekers {
    /// Begins a search, in place of the one before.
    pub fn begin(&self, who: &Requester, wish: SeekOptions) {
        let now = Instant::now();
        let mut all = self.lock(now);
        let paired = |one: &Seeker| matches!(one.stage, Stage::Pairing(_));
        if all.get(&who.user).is_some_and(paired) {
            return;
        }
        let seeker = Seeker {
            who: who.clone(),
            wish,
            since: now,
            asked: now,
            stage: Stage::Looking,
            refused: HashSet::new(),
            told: None,
        };
        all.insert(who.user.clone(), seeker);
    }

    /// How somebody's search stands; that they asked keeps it alive.
    pub fn ask(&self, user: &str) -> Option<SeekStatus> {
        let now = Instant::now();
        let mut all = self.lock(now);
        let others = all.values().filter(|one| one.who.user != user && one.looks()).count();
        let one = all.get_mut(user)?;
        one.asked = now;
        Some(SeekStatus {
            wish: one.wish.clone(),
            waited: now.duration_since(one.since),
            others,
            game: match &one.stage {
                Stage::Found { game, .. } => Some(game.clone()),
                Stage::Looking | Stage::Pairing(_) => None,
            },
        })
    }

    /// How many look for a game.
    pub fn count(&self) -> usize {
        self.lock(Instant::now()).values().filter(|one| one.looks()).count()
    }

    /// Ends a search; gives the game if one was found just now.
    pub fn end(&self, user: &str) -> Option<String> {
        let mut all = self.lock(Instant::now());
        match &all.get(user)?.stage {
            // Another request is making the game: it will be told there.
            Stage::Pairing(_) => None,
            Stage::Looking => {
                all.remove(user);
                None
            }
            Stage::Found { game, .. } => {
                let game = game.clone();
                all.remove(user);
                Some(game)
            }
        }
    }

    /// The pair of somebody and who fits best: the nearest rating, then the longest wait. Both
    /// are kept from others until [`Seekers::paired`] or [`Seekers::not_paired`] is called.
    pub fn pair(&self, user: &str) -> Option<(Seeker, Seeker)> {
        let now = Instant::now();
        let mut all = self.lock(now);
        let one = all.get(user).filter(|one| one.looks())?;
        let apart = |other: &Seeker| (other.wish.rating - one.wish.rating).abs();
        let other = all
            .values()
            .filter(|other| other.looks() && one.fits(other))
            .min_by(|a, b| apart(a).total_cmp(&apart(b)).then(a.since.cmp(&b.since)))?;
        let pair = (one.clone(), other.clone());
        for who in [&pair.0.who.user, &pair.1.who.user] {
            if let Some(seeker) = all.get_mut(who) {
                seeker.stage = Stage::Pairing(now);
            }
        }
        Some(pair)
    }

    /// Keeps somebody from others while a game with a bot is made.
    pub fn hold(&self, user: &str) -> Option<SeekOptions> {
        let now = Instant::now();
        let mut all = self.lock(now);
        let one = all.get_mut(user).filter(|one| one.looks())?;
        one.stage = Stage::Pairing(now);
        Some(one.wish.clone())
    }

    /// Somebody's game was made.
    pub fn paired(&self, users: &[&str], game: &str) {
        let now = Instant::now();
        let mut all = self.lock(now);
        for user in users {
            if let Some(seeker) = all.get_mut(*user) {
                seeker.stage = Stage::Found { game: game.to_owned(), at: now };
                seeker.told = None;
            }
        }
    }

    /// A game of these could not be made: they go on looking for others.
    pub fn not_paired(&self, users: &[&str]) {
        let mut all = self.lock(Instant::now());
        for user in users {
            if let Some(seeker) = all.get_mut(*user) {
                seeker.stage = Stage::Looking;
                let others = users.iter().filter(|other| *other != user);
                seeker.refused.extend(others.map(|other| (*other).to_owned()));
            }
        }
    }

    /// The searches of pages that are still open.
    fn lock(&self, now: Instant) -> MutexGuard<'_, HashMap<String, Seeker>> {
        // Nothing that can panic happens under the lock.
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, one| match one.stage {
            Stage::Looking => now.duration_since(one.asked) < SILENCE,
            Stage::Pairing(at) | Stage::Found { at, .. } => now.duration_since(at) < TOLD,
        });
        all
    }
}

impl Seeker {
    const fn looks(&self) -> bool {
        matches!(self.stage, Stage::Looking)
    }

    /// Whether two want the same game, and each is within the other's range.
    fn fits(&self, other: &Self) -> bool {
        let apart = (self.wish.rating - other.wish.rating).abs();
        let within = |wish: &SeekOptions| wish.range.is_none_or(|range| apart <= f64::from(range));
        self.who.user != other.who.user
            && self.wish.clock == other.wish.clock
            && self.wish.rated == other.wish.rated
            && within(&self.wish)
            && within(&other.wish)
            && !self.refused.contains(&other.who.user)
            && !other.refused.contains(&self.who.user)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(user: &str) -> Requester {
        Requester {
            user: user.to_owned(),
            name: user.to_owned(),
            guest: false,
            bot_token: false,
            session: None,
            token: None,
        }
    }

    fn wish(rating: f64, range: Option<u32>) -> SeekOptions {
        let clock = ClockRule::Game { initial_ms: 600_000, increment_ms: 5000 };
        SeekOptions { clock, rated: true, range, rating, nonce: None }
    }

    #[test]
    fn the_nearest_rating_within_both_ranges_is_chosen() {
        let seekers = Seekers::default();
        seekers.begin(&who("far"), wish(1900.0, None));
        seekers.begin(&who("narrow"), wish(1510.0, Some(5)));
        seekers.begin(&who("near"), wish(1560.0, Some(100)));
        seekers.begin(&who("me"), wish(1500.0, Some(200)));
        let (one, other) = seekers.pair("me").unwrap();
        assert_eq!((one.who.user.as_str(), other.who.user.as_str()), ("me", "near"));
        // Neither is given to a third meanwhile, nor afterwards.
        assert!(seekers.pair("far").is_none());
        seekers.paired(&["me", "near"], "game1");
        assert_eq!(seekers.ask("near").unwrap().game.as_deref(), Some("game1"));
        assert!(seekers.pair("far").is_none());
        assert_eq!(seekers.ask("far").unwrap().others, 1);
    }

    #[test]
    fn only_the_same_game_fits_and_nobody_fits_themselves() {
        let seekers = Seekers::default();
        seekers.begin(&who("a"), wish(1500.0, None));
        seekers.begin(&who("a"), wish(1500.0, None));
        assert!(seekers.pair("a").is_none());
        seekers.begin(&who("b"), SeekOptions { rated: false, ..wish(1500.0, None) });
        let daily = ClockRule::Move { per_move_ms: 86_400_000 };
        seekers.begin(&who("c"), SeekOptions { clock: daily, ..wish(1500.0, None) });
        for user in ["a", "b", "c"] {
            assert!(seekers.pair(user).is_none(), "{user}");
        }
    }

    #[test]
    fn those_who_could_not_be_paired_are_not_tried_again() {
        let seekers = Seekers::default();
        seekers.begin(&who("a"), wish(1500.0, None));
        seekers.begin(&who("b"), wish(1500.0, None));
        seekers.begin(&who("c"), wish(1600.0, None));
        assert_eq!(seekers.pair("a").unwrap().1.who.user, "b");
        seekers.not_paired(&["a", "b"]);
        assert_eq!(seekers.pair("a").unwrap().1.who.user, "c");
    }

    #[test]
    fn a_page_that_was_closed_is_forgotten() {
        let seekers = Seekers::default();
        seekers.begin(&who("gone"), wish(1500.0, None));
        let silent_for = |time: Duration| {
            let mut all = seekers.all.lock().unwrap();
            let asked = Instant::now().checked_sub(time).expect("the machine runs that long");
            all.get_mut("gone").unwrap().asked = asked;
        };
        silent_for(SILENCE / 2);
        assert!(seekers.ask("gone").is_some());
        silent_for(SILENCE);
        seekers.begin(&who("me"), wish(1500.0, None));
        assert!(seekers.pair("me").is_none());
        assert!(seekers.ask("gone").is_none());
    }

    #[test]
    fn an_end_during_the_pairing_loses_no_game() {
        let seekers = Seekers::default();
        seekers.begin(&who("a"), wish(1500.0, None));
        seekers.begin(&who("b"), wish(1500.0, None));
        seekers.pair("a").unwrap();
        assert_eq!(seekers.end("b"), None);
        seekers.paired(&["a", "b"], "game1");
        assert_eq!(seekers.end("b").as_deref(), Some("game1"));
        assert!(seekers.ask("b").is_none());
    }
}
