//! New games: what is asked for is checked, seats are drawn, and the table is opened.

use super::decide::nonce_of;
use super::from_position::Given;
use super::manager::Tables;
use super::store::{self, Saved, SavedEntry, SavedSeat};
use crate::error::Refusal;
use crate::games;
use crate::games::deck::Seed;
use crate::ids;
use crate::ids::random_bits;
use crate::people::accounts::{Requester, find_user, find_user_by_id};
use crate::people::fairplay;
use crate::play::journal::{Change, LogRow};
use crate::storage::db::{Sharing, Statement};
use crate::wire::{ClockRule, NewGame, Occupant, SeatRequest, UserRef, Visibility};
use game::Random;

/// A game to be played again with the seats moved on.
pub(super) struct Rematch {
    pub(super) of: String,
    pub(super) game: &'static str,
    pub(super) setup: String,
    pub(super) options: serde_json::Value,
    pub(super) rated: bool,
    pub(super) help: bool,
    pub(super) visibility: Visibility,
    pub(super) clock: ClockRule,
    pub(super) pass_and_play: bool,
    pub(super) host: UserRef,
    pub(super) sitters: Vec<Occupant>,
}

impl Tables {
    /// Makes a game and opens its table; gives its id.
    ///
    /// # Errors
    /// If what is asked for is not possible; says what is.
    pub async fn create(&self, who: &Requester, new: NewGame) -> Result<String, Refusal> {
        check_seats(&new)?;
        check_clock(new.clock)?;
        check_rated(who, &new)?;
        if new.rated {
            fairplay::check_wait(self.db(), &who.user).await?;
        }
        let given = match &new.from {
            None => Given::start(&new)?,
            Some(from) => {
                check_from(&new)?;
                let given = Given::read(from.clone(), &new).await?;
                // A bot that plays on would tell what to play on a board that is being played.
                let (game, record) = games::read_any_record(&from.record)?;
                self.refuse_help_at(Some(&who.user), game, &record, from.ply).await?;
                given
            }
        };
        self.check_bots(&new, &given.setup)?;
        let nonce = nonce_of(new.nonce.clone())?;
        let mut seats = Vec::new();
        for wanted in &new.seats {
            let sitter = self.sitter(who, &new, wanted).await?;
            let nonce = if *wanted == SeatRequest::Me { nonce.clone() } else { ids::new_id() };
            seats.push(SavedSeat { sitter, nonce, rating: None, rating_change: None });
        }
        if new.shuffle_seats {
            Random::new(random_bits()).shuffle(&mut seats);
        }
        let seed = match &new.seed {
            Some(seed) => Seed::from_hex(seed).map_err(|error| Refusal::Bad(error.to_string()))?,
            None => Seed::random(),
        };
        let id = ids::new_game_id();
        let saved = Saved {
            commit: seed.commitment(&id),
            seed: seed.reveal(),
            seed_given: new.seed.is_some(),
            id,
            game: new.game,
            setup: given.setup,
            laid: given.laid,
            options: given.options,
            rated: new.rated,
            help: new.help,
            visibility: new.visibility,
            clock: new.clock,
            pass_and_play: new.seats.iter().filter(|wanted| **wanted == SeatRequest::Me).count()
                > 1,
            host: UserRef { id: who.user.clone(), name: who.name.clone() },
            seats,
            from_ply: given.entries.len() as i64,
            log: given.entries,
            ..Saved::blank()
        };
        self.open(saved, Vec::new()).await
    }

    /// Makes the game that follows another one; gives its id.
    pub(super) async fn create_rematch(self, plan: Rematch) -> Result<String, Refusal> {
        self.check_rematch(&plan).await?;
        self.check_players_of_rematch(&plan).await?;
        let (id, seed) = (ids::new_game_id(), Seed::random());
        let seat =
            |sitter| SavedSeat { sitter, nonce: ids::new_id(), rating: None, rating_change: None };
        let follows = store::games::follow(&plan.of, &id);
        let saved = Saved {
            commit: seed.commitment(&id),
            seed: seed.reveal(),
            id,
            game: plan.game.to_owned(),
            setup: plan.setup,
            options: plan.options,
            rated: plan.rated,
            help: plan.help,
            visibility: plan.visibility,
            clock: plan.clock,
            pass_and_play: plan.pass_and_play,
            host: plan.host,
            rematch_of: Some(plan.of.clone()),
            seats: plan.sitters.into_iter().map(seat).collect(),
            ..Saved::blank()
        };
        let id = self.open(saved, vec![follows]).await?;
        self.follow_bot_place(&plan.of, &id);
        Ok(id)
    }

    /// A rematch is offered first and made later: whoever offered it may have been banned, or have
    /// to wait for rated games, by then.
    async fn check_players_of_rematch(&self, plan: &Rematch) -> Result<(), Refusal> {
        for sitter in &plan.sitters {
            let Occupant::User { user, name, .. } = sitter else { continue };
            let found = find_user_by_id(self.db(), user).await;
            match found {
                Ok(found) if !found.banned => {}
                Ok(_) | Err(Refusal::NotFound(_)) => {
                    return Err(Refusal::Conflict(format!("{name} does not play here any more")));
                }
                Err(refusal) => return Err(refusal),
            }
            if plan.rated {
                fairplay::check_wait(self.db(), user).await.map_err(|_| {
                    Refusal::Conflict(format!("{name} has to wait for the next rated game"))
                })?;
            }
        }
        Ok(())
    }

    fn check_bots(&self, new: &NewGame, setup: &str) -> Result<(), Refusal> {
        let mut bots = Vec::new();
        for wanted in &new.seats {
            if let SeatRequest::Bot { bot } = wanted {
                games::check_bot(&new.game, setup, bot)?;
                bots.push(bot.as_str());
            }
        }
        match new.rated {
            true => self.check_rated_bots(&new.game, setup, &bots, new.clock),
            false => Ok(()),
        }
    }

    async fn open(&self, saved: Saved, also: Vec<Statement>) -> Result<String, Refusal> {
        let mut statements = store::insert(&saved);
        if self.fence().sharing() == Sharing::Nodes {
            statements.push(store::games::hold(&saved.id, self.fence().epoch()));
        }
        statements.extend(also);
        let log = saved.log.iter().map(|entry| log_row(&saved.id, entry)).collect();
        let change = Change { statements, log, ..Change::default() };
        let id = saved.id.clone();
        let lost = |_| Refusal::Unavailable("the game could not be stored; try again".to_owned());
        self.journal().write(change).await.map_err(lost)?;
        self.adopt(saved).await?;
        Ok(id)
    }

    async fn sitter(
        &self,
        who: &Requester,
        new: &NewGame,
        wanted: &SeatRequest,
    ) -> Result<Occupant, Refusal> {
        Ok(match wanted {
            SeatRequest::Me => Occupant::User {
                user: who.user.clone(),
                name: who.name.clone(),
                bot_account: who.bot_token,
            },
            SeatRequest::Open => Occupant::Open,
            SeatRequest::Bot { bot } => Occupant::Bot { bot: bot.clone() },
            SeatRequest::User { name } => {
                let found = find_user(self.db(), name).await?;
                let user = found.filter(|user| !user.banned).ok_or_else(|| {
                    Refusal::Bad(format!("nobody is called '{}'", game::excerpt(name, 40)))
                })?;
                if user.id == who.user {
                    return Err(Refusal::Bad("your own seat is {\"kind\": \"me\"}".to_owned()));
                }
                self.blocks().refuse(&who.user, &user.id, &user.name)?;
                if new.rated && user.guest {
                    return Err(Refusal::Bad(format!(
                        "{} is a guest, and guests do not play rated games",
                        user.name
                    )));
                }
                Occupant::Invited { user: user.id, name: user.name }
            }
        })
    }
}

/// An entry of a log that a game begins with.
fn log_row(game: &str, entry: &SavedEntry) -> LogRow {
    LogRow {
        game: game.to_owned(),
        ply: entry.ply,
        seat: entry.seat,
        kind: if entry.seat.is_some() { "move" } else { "draw" },
        body: entry.body.clone(),
        at: entry.at,
        clocks: entry.clocks.clone(),
        spent: None,
    }
}

/// Refuses what a game that begins with a position cannot be.
fn check_from(new: &NewGame) -> Result<(), Refusal> {
    let no = |why: &str| Err(Refusal::Bad(format!("a game that begins with a position {why}")));
    if new.rated {
        return no("is not rated; leave 'rated' out, or 'from'");
    }
    if new.seed.is_some() {
        return no("draws its own seed; leave 'seed' out, or 'from'");
    }
    Ok(())
}

fn check_seats(new: &NewGame) -> Result<(), Refusal> {
    let kind = games::game_types().iter().find(|kind| kind.id == new.game);
    let (least, most) = kind.map_or((1, 6), |kind| (kind.min_players, kind.max_players));
    let seats = new.seats.len();
    if kind.is_some() && !(least..=most).contains(&seats) {
        return Err(Refusal::Bad(format!(
            "{} is played by {least} to {most}; {seats} seats were asked for",
            game::excerpt(&new.game, 40)
        )));
    }
    let mut names = Vec::new();
    for wanted in &new.seats {
        if let SeatRequest::User { name } = wanted {
            let name = name.to_lowercase();
            if names.contains(&name) {
                return Err(Refusal::Bad("a user can be invited to one seat only".to_owned()));
            }
            names.push(name);
        }
    }
    if new.visibility == Visibility::Private && new.seats.contains(&SeatRequest::Open) {
        return Err(Refusal::Bad(
            "a private game has no open seats: invite users by name, or make it 'link'".to_owned(),
        ));
    }
    Ok(())
}

/// Refuses clocks that nobody could play by.
///
/// # Errors
/// If a time is out of range; says what is allowed.
pub fn check_clock(clock: ClockRule) -> Result<(), Refusal> {
    const SECOND: u64 = 1000;
    const DAY: u64 = 24 * 3600 * SECOND;
    let within = |what: &str, value: u64, least: u64, most: u64| {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        Err(Refusal::Bad(format!("{what} is {least} to {most} milliseconds, not {value}")))
    };
    match clock {
        ClockRule::None => Ok(()),
        ClockRule::Game { initial_ms, increment_ms } => {
            within("initial_ms", initial_ms, SECOND, DAY)?;
            within("increment_ms", increment_ms, 0, 3600 * SECOND)
        }
        ClockRule::Move { per_move_ms } => within("per_move_ms", per_move_ms, SECOND, 14 * DAY),
    }
}

/// Refuses rated games to guests, and rated games without a clock.
///
/// # Errors
/// If it is one of them; says what is allowed.
pub fn check_rated_by(who: &Requester, clock: ClockRule) -> Result<(), Refusal> {
    if who.guest {
        return Err(Refusal::Forbidden(
            "guests play games that are not rated; register to play rated ones".to_owned(),
        ));
    }
    match clock {
        // The message names every kind of clock.
        ClockRule::None => Err(Refusal::Bad(
            "a rated game needs a clock, so that nobody can stall it: add 'clock' with \
             {\"kind\": \"game\", \"initial_ms\", \"increment_ms\"} or \
             {\"kind\": \"move\", \"per_move_ms\"}, or leave 'rated' out"
                .to_owned(),
        )),
        ClockRule::Game { .. } | ClockRule::Move { .. } => Ok(()),
    }
}

fn check_rated(who: &Requester, new: &NewGame) -> Result<(), Refusal> {
    if !new.rated {
        return Ok(());
    }
    let no = |why: &str| Err(Refusal::Bad(format!("a rated game {why}")));
    check_rated_by(who, new.clock)?;
    if new.help {
        return no("has no help from the engine; leave 'help' out, or 'rated'");
    }
    if new.seed.is_some() {
        return no("draws its own seed; leave 'seed' out, or 'rated'");
    }
    if new.seats.len() < 2 {
        return no("has at least two seats");
    }
    if new.seats.iter().filter(|wanted| **wanted == SeatRequest::Me).count() != 1 {
        return no("has exactly one seat for who makes it");
    }
    Ok(())
}
