//! A table as the database has it: after a restart, after a failure, when it wakes, or when an old
//! game is opened.

use super::{Facts, Table};
use crate::config::TableSettings;
use crate::games::Hosted;
use crate::play::table::chat::ChatLog;
use crate::play::table::clocks::Timekeeper;
use crate::play::table::game::{CannotReplay, PlayedGame};
use crate::play::table::offers::OpenOffers;
use crate::play::table::ratings::{Ratings, SeatRating};
use crate::play::table::residency::Asleep;
use crate::play::table::seats::{Seat, Seats};
use crate::play::table::store::{Saved, SavedSeat};
use crate::time;
use crate::wire::Offers;
use std::time::Duration;
use tokio::time::Instant;

/// When a table is rebuilt, and since when the server has been up.
#[derive(Clone, Copy, Debug)]
pub(in crate::play::table) struct Rebuilt {
    /// The time now without that in which no server ran, in milliseconds.
    pub(in crate::play::table) served: i64,
    /// When the server was started, in Unix milliseconds.
    pub(in crate::play::table) up_since: i64,
}

impl<G: Hosted> Table<G> {
    /// The table as its log has it. Clocks start where the last entry left them: nobody is
    /// charged for the time in between, unless the game slept meanwhile while a server ran.
    pub(in crate::play::table) fn rebuild(
        saved: &Saved,
        setup: G::Setup,
        asleep: Option<&Asleep>,
        settings: TableSettings,
        when: Rebuilt,
    ) -> Result<Self, CannotReplay> {
        let (game, dropouts) = PlayedGame::replay(saved, setup)?;
        let seat = |seat: &SavedSeat| Seat::new(seat.sitter.clone(), seat.nonce.clone());
        let offers = asleep.map_or_else(Offers::default, |asleep| asleep.offers.clone());
        let mut table = Self {
            facts: Facts::of(saved),
            game,
            seats: Seats::new(saved.seats.iter().map(seat).collect(), dropouts),
            clocks: Timekeeper::new(saved.clock, saved.seats.len()),
            offers: OpenOffers::new(offers, saved.help, saved.rematch.clone()),
            chat: ChatLog::new(saved.chat.clone()),
            ratings: ratings_of(saved),
            settings,
        };
        table.resume_clocks(saved, asleep, when);
        table.restore_silences(saved, asleep, when);
        Ok(table)
    }

    fn resume_clocks(&mut self, saved: &Saved, asleep: Option<&Asleep>, when: Rebuilt) {
        if let Some(last) = saved.log.last() {
            self.clocks.set(&serde_json::from_str::<Vec<u64>>(&last.clocks).unwrap_or_default());
        }
        let to_move = self.to_move().filter(|seat| self.seats.at(*seat).bot().is_none());
        if let Some(seat) = to_move {
            let now = Instant::now();
            self.clocks.start_turn(seat, now);
            if let Some(ends) = asleep.and_then(|asleep| asleep.clock_ends) {
                let left = Duration::from_millis((ends - when.served).max(0).unsigned_abs());
                self.clocks.resume(seat, left, now);
            }
        }
    }

    fn restore_silences(&mut self, saved: &Saved, asleep: Option<&Asleep>, when: Rebuilt) {
        // Whoever was to move has been silent since, but not for the time that the server was down.
        if let Some(seat) = self.to_move() {
            let since = saved.log.last().map(|last| last.at.max(when.up_since));
            self.seats.restore_silence(seat, since);
        }
        let Some(asleep) = asleep else { return };
        let began = time::now() - when.served;
        for (seat, missed) in asleep.missed.iter().enumerate() {
            self.seats.restore_missed(seat, *missed);
        }
        for (seat, silent) in asleep.silent.iter().enumerate() {
            self.seats.restore_silence(seat, silent.map(|since| since + began));
        }
    }
}

impl Facts {
    fn of(saved: &Saved) -> Self {
        Self {
            id: saved.id.clone(),
            options: saved.options.clone(),
            host: saved.host.clone(),
            rated: saved.rated,
            visibility: saved.visibility,
            pass_and_play: saved.pass_and_play,
            created: saved.created,
            commit: saved.commit.clone(),
            seed_given: saved.seed_given,
            rematch_of: saved.rematch_of.clone(),
            offline: saved.offline,
        }
    }
}

fn ratings_of(saved: &Saved) -> Ratings {
    let rating = |seat: &SavedSeat| SeatRating { rating: seat.rating, change: seat.rating_change };
    Ratings {
        seats: saved.seats.iter().map(rating).collect(),
        not_rated: saved.not_rated,
        weight: saved.rating_weight,
    }
}
