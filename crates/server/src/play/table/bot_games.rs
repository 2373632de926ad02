//! How many games against our bots somebody may have at once, and which bots play rated games now.

use super::create::Rematch;
use super::manager::Tables;
use super::store::lists;
use crate::address::ClientAddress;
use crate::error::Refusal;
use crate::games::{self, Hosted, WithGame};
use crate::people::accounts::Requester;
use crate::wire::{ClockRule, GameType, NewGame, Occupant, RatedOffer, SeatRequest};
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
    /// Forgets games that are not in memory, over or asleep, once there are so many.
    fn make_room(&mut self, most: usize, is_open: impl Fn(&str) -> bool) {
        if self.taken.len() >= most {
            self.taken.retain(|_, place| place.game.as_ref().is_none_or(|id| is_open(id)));
        }
    }

    fn being_made_by(&self, user: &str) -> usize {
        self.taken.values().filter(|place| place.game.is_none() && place.user == user).count()
    }

    /// The games from an address up to the one with this number; `None` for one that is being
    /// made. Later ones do not count: of several that are asked for at once the first is made.
    fn games_from(&self, address: &str, up_to: u64) -> Vec<Option<String>> {
        let earlier = self.taken.iter().filter(|(number, _)| **number <= up_to);
        let from_there = earlier.filter(|(_, place)| place.address == address);
        from_there.map(|(_, place)| place.game.clone()).collect()
    }

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

/// How many games are remembered with their addresses; beyond it those that sleep are forgotten.
const MOST_PLACES: usize = 20_000;

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
    pub async fn take_bot_place(
        &self,
        who: &Requester,
        address: ClientAddress,
        new: &NewGame,
    ) -> Result<BotPlace, Refusal> {
        let places = self.bot_places().clone();
        if !new.seats.iter().any(|seat| matches!(seat, SeatRequest::Bot { .. })) {
            return Ok(BotPlace { places, number: None });
        }
        let (user, address) = (who.user.clone(), address.limit_key());
        // Taken before it is counted, so that of two who ask at once neither is overlooked.
        let (being_made, number) = {
            let mut places = places.lock();
            places.make_room(MOST_PLACES, |game| self.is_open(game));
            let being_made = places.being_made_by(&user);
            (being_made, places.take(Place { user, address: address.clone(), game: None }))
        };
        let place = BotPlace { places, number: Some(number) };
        self.check_user(&who.user, being_made).await?;
        self.check_address(&address, number).await?;
        Ok(place)
    }

    /// Whether a user may join a game with one of our bots.
    pub(super) async fn check_bot_games_of(&self, user: &str) -> Result<(), Refusal> {
        let being_made = self.bot_places().lock().being_made_by(user);
        self.check_user(user, being_made).await
    }

    /// Whether a game may be played again, as far as our bots are concerned.
    pub(super) async fn check_rematch(&self, plan: &Rematch) -> Result<(), Refusal> {
        let mut bots = Vec::new();
        for sitter in &plan.sitters {
            if let Occupant::Bot { bot } = sitter {
                bots.push(bot.as_str());
            }
        }
        if bots.is_empty() {
            return Ok(());
        }
        self.check_bot_games_of(&plan.host.id).await?;
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
            Some(_) if self.work().expected_wait() > longest => RatedOffer::Busy,
            Some(_) => RatedOffer::Offered,
        }
    }

    /// Refuses who has as many games with our bots as anybody may; games that sleep count too.
    async fn check_user(&self, user: &str, being_made: usize) -> Result<(), Refusal> {
        let most = self.settings().bot_games_per_user;
        if lists::bot_games_of(self.db(), user).await? + being_made >= most {
            return Err(Refusal::Conflict(format!(
                "you have {most} games with bots that are not over, the most there may be; finish \
                 or resign one of them first"
            )));
        }
        Ok(())
    }

    /// Refuses an address from which more games than may be are going on, counting the one that is
    /// being made with this number.
    async fn check_address(&self, address: &str, number: u64) -> Result<(), Refusal> {
        let most = self.settings().bot_games_per_address;
        let games = self.bot_places().lock().games_from(address, number);
        if games.len() <= most {
            return Ok(());
        }
        let made: Vec<String> = games.into_iter().flatten().collect();
        let over = lists::over(self.db(), &made).await?;
        let mut places = self.bot_places().lock();
        places.taken.retain(|_, place| place.game.as_ref().is_none_or(|id| !over.contains(id)));
        match places.games_from(address, number).len() {
            count if count <= most => Ok(()),
            _ => Err(Refusal::Conflict(format!(
                "{most} games against bots are going on from your address, the most there may be; \
                 one of them has to end first"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_games_asked_for_at_once_the_later_ones_do_not_count_for_the_first() {
        let mut places = Places::default();
        let place = || Place { user: "u".into(), address: "a".into(), game: None };
        let numbers = [places.take(place()), places.take(place()), places.take(place())];
        assert_eq!(numbers.map(|number| places.games_from("a", number).len()), [1, 2, 3]);
    }

    #[test]
    fn games_that_are_gone_are_forgotten_once_there_are_many() {
        let mut places = Places::default();
        for number in 0..1000 {
            places.make_room(100, |game| game == "game7");
            let game = (number != 8).then(|| format!("game{number}"));
            places.take(Place { user: "u".into(), address: "a".into(), game });
        }
        assert!(places.taken.len() <= 100, "{}", places.taken.len());
        assert_eq!(places.being_made_by("u"), 1, "one that is being made stays");
        let games = places.games_from("a", u64::MAX);
        assert!(games.contains(&Some("game7".into())), "one that is open too");
    }
}
