//! How many games against our bots somebody may have at once, and which bots play rated games now.

use super::create::Rematch;
use super::lobby::Listing;
use super::manager::Tables;
use crate::address::ClientAddress;
use crate::error::Refusal;
use crate::games::{self, Hosted, WithGame};
use crate::people::accounts::Requester;
use crate::wire::{ClockRule, GameType, NewGame, RatedOffer, Sitter, Wanted};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The games against bots that were made since the server started; cheap to clone. What is known
/// of them beside the lists of games is the address: it is kept in memory alone.
#[derive(Clone, Debug, Default)]
pub(super) struct BotPlaces(Arc<Mutex<Places>>);

#[derive(Debug, Default)]
struct Places {
    next: u64,
    taken: HashMap<u64, Place>,
}

#[derive(Clone, Debug)]
struct Place {
    user: String,
    address: String,
    /// The game, once it is made.
    game: Option<String>,
}

/// Room for one more game against bots; given back if it is dropped before the game is made.
#[derive(Debug)]
pub struct BotPlace {
    places: BotPlaces,
    number: Option<u64>,
}

impl BotPlaces {
    fn lock(&self) -> MutexGuard<'_, Places> {
        // Nothing that can panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Places {
    fn take(&mut self, place: Place) -> u64 {
        self.next += 1;
        self.taken.insert(self.next, place);
        self.next
    }
}

impl BotPlace {
    /// The game was made: from now on it counts until it is over.
    pub fn keep(mut self, game: &str) {
        if let Some(number) = self.number.take()
            && let Some(place) = self.places.lock().taken.get_mut(&number)
        {
            place.game = Some(game.to_owned());
        }
    }
}

impl Drop for BotPlace {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.places.lock().taken.remove(&number);
        }
    }
}

/// Turns of a player in a game for two; in games of more there are fewer.
const TURNS: u32 = 36;

/// The least time a turn that a rated game's clock gives our bots: four times what their nodes
/// take on a core that values 200,000 positions a second.
const LEAST_A_TURN: Duration = Duration::from_millis(100);

/// Who looks one turn ahead values fewer positions than this, and can always be given them.
const ONE_TURN_AHEAD: u64 = 1_000;

impl Tables {
    /// Room for a game with these seats, if one of them is for one of our bots.
    ///
    /// # Errors
    /// If the user or the address has as many such games as they may; says how many that is.
    pub fn take_bot_place(
        &self,
        who: &Requester,
        address: ClientAddress,
        new: &NewGame,
    ) -> Result<BotPlace, Refusal> {
        let places = self.bot_places().clone();
        if !new.seats.iter().any(|seat| matches!(seat, Wanted::Bot { .. })) {
            return Ok(BotPlace { places, number: None });
        }
        let (user, address) = (who.user.clone(), address.limit_key());
        let listed = self.bot_games();
        let mut taken = places.lock();
        // A table that is no longer in memory costs nothing, and nobody asks it for a rematch.
        taken.taken.retain(|_, place| place.game.as_ref().is_none_or(|id| self.is_open(id)));
        self.check_user(&user, &listed, &taken)?;
        let is_live = |place: &Place| {
            let game = place.game.as_ref();
            game.is_none_or(|id| listed.iter().any(|listing| listing.summary.info.id == *id))
        };
        let from_there = taken.taken.values().filter(|place| place.address == address);
        let most = self.settings().bot_games_per_address;
        if from_there.filter(|place| is_live(place)).count() >= most {
            return Err(Refusal::Conflict(format!(
                "{most} games against bots are going on from your address, the most there may be; \
                 one of them has to end first"
            )));
        }
        let number = taken.take(Place { user, address, game: None });
        drop(taken);
        Ok(BotPlace { places, number: Some(number) })
    }

    /// Whether a user may join a game with one of our bots.
    pub(super) fn check_bot_games_of(&self, user: &str) -> Result<(), Refusal> {
        self.check_user(user, &self.bot_games(), &self.bot_places().lock())
    }

    /// Whether a game may be played again, as far as our bots are concerned.
    pub(super) fn check_rematch(&self, plan: &Rematch) -> Result<(), Refusal> {
        let mut bots = Vec::new();
        for sitter in &plan.sitters {
            if let Sitter::Bot { bot } = sitter {
                bots.push(bot.as_str());
            }
        }
        if bots.is_empty() {
            return Ok(());
        }
        self.check_bot_games_of(&plan.host.id)?;
        match plan.rated {
            true => self.check_rated_bots(plan.game, &plan.setup, &bots, plan.clock),
            false => Ok(()),
        }
    }

    /// A rematch counts for the address from which the first game was made.
    pub(super) fn follow_bot_place(&self, of: &str, rematch: &str) {
        let mut places = self.bot_places().lock();
        let before = places.taken.values().find(|place| place.game.as_deref() == Some(of)).cloned();
        if let Some(place) = before {
            places.take(Place { game: Some(rematch.to_owned()), ..place });
        }
    }

    /// Whether bots can play a rated game now, with as many nodes as their ratings were measured
    /// with.
    pub(super) fn check_rated_bots(
        &self,
        game: &str,
        setup: &str,
        bots: &[&str],
        clock: ClockRule,
    ) -> Result<(), Refusal> {
        for bot in bots {
            match self.rated_offer(game, setup, bot) {
                RatedOffer::Offered => {}
                RatedOffer::Never => {
                    return Err(Refusal::Bad(format!(
                        "{bot} plays no rated games of this kind; the levels do in the base game, \
                         from shepherd to master"
                    )));
                }
                RatedOffer::Busy => {
                    return Err(Refusal::Unavailable(format!(
                        "so many wait for bots now that {bot} could not think as long as its \
                         rating says: rated games against it are not offered; play a casual one, \
                         or try again in a minute"
                    )));
                }
            }
        }
        let a_turn = match clock {
            ClockRule::None => Duration::MAX,
            ClockRule::Move { per_move_ms } => Duration::from_millis(per_move_ms),
            ClockRule::Game { initial_ms, increment_ms } => {
                Duration::from_millis(initial_ms) / TURNS + Duration::from_millis(increment_ms)
            }
        };
        if !bots.is_empty() && a_turn < LEAST_A_TURN {
            let least = (LEAST_A_TURN * TURNS).as_millis();
            return Err(Refusal::Bad(format!(
                "this clock is too short for a bot in a rated game: initial_ms and {TURNS} times \
                 increment_ms are at least {least} together"
            )));
        }
        Ok(())
    }

    /// The games there are, with what their bots offer now; engines only if all are wanted.
    #[must_use]
    pub fn game_types(&self, all: bool) -> Vec<GameType> {
        let mut types = games::game_types().to_vec();
        for kind in &mut types {
            kind.bots.retain(|bot| all || !bot.engine);
            for bot in &mut kind.bots {
                // As the game is by default.
                bot.rated = self.rated_offer(&kind.id, "", &bot.name);
            }
        }
        types
    }

    fn rated_offer(&self, game: &str, setup: &str, bot: &str) -> RatedOffer {
        struct Nodes<'a>(&'a str, &'a str);
        impl WithGame for Nodes<'_> {
            type Out = Option<u64>;
            fn with<G: Hosted>(self) -> Self::Out {
                let Self(setup, bot) = self;
                G::rated_nodes(bot, &setup.parse().ok()?)
            }
        }
        let usual = self.settings().bot_time;
        let longest = (usual * 3).max(Duration::from_secs(3));
        match games::with_game(game, Nodes(setup, bot)).ok().flatten() {
            None => RatedOffer::Never,
            Some(nodes) if nodes <= ONE_TURN_AHEAD => RatedOffer::Offered,
            Some(_) if self.bot_pool().expected_wait() > longest => RatedOffer::Busy,
            Some(_) => RatedOffer::Offered,
        }
    }

    /// The games with our bots that are not over.
    fn bot_games(&self) -> Vec<Listing> {
        let is_bot = |sitter: &Sitter| matches!(sitter, Sitter::Bot { .. });
        let mut games = self.listings().all();
        games.retain(|game| game.summary.info.seats.iter().any(|seat| is_bot(&seat.sitter)));
        games
    }

    fn check_user(&self, user: &str, games: &[Listing], places: &Places) -> Result<(), Refusal> {
        let mine = |game: &&Listing| game.sits(user) || game.summary.info.host.id == user;
        let being_made =
            places.taken.values().filter(|place| place.game.is_none() && place.user == user);
        let most = self.settings().bot_games_per_user;
        if games.iter().filter(mine).count() + being_made.count() >= most {
            return Err(Refusal::Conflict(format!(
                "you have {most} games with bots that are not over, the most there may be; finish \
                 or resign one of them first"
            )));
        }
        Ok(())
    }
}
