//! What can be seen of a table, as JSON: written once for all who may see the same.

use super::{Table, not_at_the_table};
use crate::error::Refusal;
use crate::games::Hosted;
use crate::play::table::command::ViewOf;
use crate::play::table::seats::Now;
use crate::time;
use crate::wire::{ChatLine, GameInfo, GameSummary, SeatInfo};
use game::Player;
use serde::Serialize;
use serde_json::json;
use tokio::time::Instant;

impl<G: Hosted> Table<G> {
    /// Everything that somebody on these seats sees at first: with the events since a version, and
    /// the chat of their side without those whom they hide.
    pub(in crate::play::table) fn welcome(
        &self,
        seats: &[usize],
        from: Option<u64>,
        spectators: usize,
        hides: impl Fn(&str) -> bool,
    ) -> String {
        let lines = self.chat.lines_of(!seats.is_empty());
        let chat: Vec<&ChatLine> = lines.filter(|line| !hides(&line.user)).collect();
        format!(
            r#"{{"type":"welcome","info":{},"update":{},"chat":{},"now":{}}}"#,
            write(&self.info(spectators)),
            self.update_for(&self.update(from), seats),
            write(&chat),
            time::now(),
        )
    }

    /// The part of an update that all watchers share, without the closing brace; with the events
    /// since a version.
    pub(in crate::play::table) fn update(&self, since: Option<u64>) -> String {
        let position = self.game.position();
        let mut text = json!({
            "version": self.game.version(),
            "ply": position.moves(),
            "phase": position.game().phase(),
            "turn": self.to_move(),
            "clocks": self.clocks.show(Instant::now()),
            "result": self.game.result(),
        })
        .to_string();
        text.pop();
        text.push_str(r#","view":"#);
        text.push_str(&write(&position.view()));
        text.push_str(r#","events":["#);
        text.push_str(&since.map_or_else(String::new, |since| self.game.events_since(since)));
        text.push(']');
        text
    }

    /// A whole update for the watcher on these seats.
    pub(in crate::play::table) fn update_for(&self, common: &str, seats: &[usize]) -> String {
        let legal = self
            .to_move()
            .filter(|seat| seats.contains(seat))
            .map(|_| self.game.position().game().legal_turns());
        format!(r#"{common},"seats":{},"legal":{}}}"#, write(&seats), write(&legal))
    }

    /// What somebody on these seats wants to see.
    pub(in crate::play::table) fn view(
        &self,
        seats: &[usize],
        view: ViewOf,
        spectators: usize,
        hides: impl Fn(&str) -> bool,
    ) -> Result<String, Refusal> {
        let position = self.game.position();
        let seat = || {
            let to_move = self.to_move().filter(|seat| seats.contains(seat));
            to_move.or(seats.first().copied()).ok_or_else(not_at_the_table)
        };
        Ok(match view {
            ViewOf::Welcome => self.welcome(seats, None, spectators, hides),
            ViewOf::Spectator => write(&position.view()),
            ViewOf::Player => {
                seat()?;
                write(&position.view())
            }
            ViewOf::Bot => position.game().bot_view(Player::new(seat()?)).to_string(),
            ViewOf::Summary => write(&self.summary(spectators)),
        })
    }

    /// What the table tells about itself.
    pub(in crate::play::table) fn info(&self, spectators: usize) -> GameInfo {
        let (facts, game) = (&self.facts, &self.game);
        GameInfo {
            id: facts.id.clone(),
            game: G::NAME.to_owned(),
            options: facts.options.clone(),
            setup: game.setup().to_string(),
            status: game.status(),
            seats: (0..self.seats.count()).map(|seat| self.seat_info(seat)).collect(),
            host: facts.host.clone(),
            rated: facts.rated,
            not_rated: self.ratings.not_rated,
            rating_weight: self.ratings.weight,
            visibility: facts.visibility,
            clock: self.clocks.rule(),
            pass_and_play: facts.pass_and_play,
            created: facts.created,
            started: game.started(),
            ended: game.ended(),
            result: game.result().cloned(),
            offers: self.offers.open().clone(),
            spectators,
            commit: facts.commit.clone(),
            seed_given: facts.seed_given,
            rematch_of: facts.rematch_of.clone(),
            rematch: self.offers.rematch().cloned(),
            help_allowed: self.help_allowed(),
            help_agreed: self.offers.help_agreed(),
            from_ply: game.given(),
            laid: game.beginning().laid().is_some(),
            offline: facts.offline,
        }
    }

    fn seat_info(&self, number: usize) -> SeatInfo {
        let (waiting_rule, now) = (self.waiting_rule(), Now::read());
        let leaves_in = self.seats.leaves_in(number, &waiting_rule, now);
        let claim_in = self.seats.shown_claim(number, &waiting_rule, now);
        let rating = self.ratings.of(number);
        SeatInfo {
            seat: number,
            sitter: self.seats.at(number).sitter().clone(),
            rating: rating.rating,
            rating_change: rating.change,
            online: self.seats.is_online(number),
            leaves_in_ms: leaves_in.map(|left| left.as_millis() as u64),
            claim_in_ms: claim_in.map(|left| left.as_millis() as u64),
            out: self.seats.out(number),
        }
    }

    /// The table as lists show it.
    pub(in crate::play::table) fn summary(&self, spectators: usize) -> GameSummary {
        let position = self.game.position();
        GameSummary {
            info: self.info(spectators),
            scores: position.scores(),
            turn: self.to_move(),
            turns: position.turns(),
            accuracy: None,
        }
    }
}

/// Plain data as JSON.
pub(in crate::play::table) fn write(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data is JSON")
}
