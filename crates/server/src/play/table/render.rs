//! What watchers are sent: written once for all who may see the same.

use super::command::{Outgoing, ViewOf};
use super::state::Table;
use super::watchers::Watcher;
use crate::error::Refusal;
use crate::people::accounts::Who;
use crate::play::games::Hosted;
use crate::time;
use crate::wire::{FromServer, GameInfo, GameSummary, SeatInfo};
use serde::Serialize;
use serde_json::json;
use std::collections::HashMap;
use tokio::time::Instant;

/// An update over the socket is this, the update and a brace: HTTP sends what is between.
pub(crate) const UPDATE_HEAD: &str = r#"{"type":"update","update":"#;

impl<G: Hosted> Table<G> {
    /// Sends everybody the game as it is now, with what happened since a version.
    pub(super) fn tell_update(&mut self, since: u64) {
        if self.watchers.is_empty() {
            return;
        }
        let common = self.common(Some(since));
        let mut texts: HashMap<Vec<usize>, Outgoing> = HashMap::new();
        let mut watchers = std::mem::take(&mut self.watchers);
        let dropped = watchers.tell(|watcher| {
            let seats = self.seats_of_watcher(watcher);
            let text = texts.entry(seats).or_insert_with_key(|seats| {
                let text = format!("{UPDATE_HEAD}{}}}", self.with_seats(&common, seats));
                Outgoing::Update(text.into())
            });
            Some(text.clone())
        });
        self.watchers = watchers;
        self.info_changed |= dropped;
    }

    /// Sends everybody everything, as if they had just come.
    pub(super) fn tell_everything(&mut self) {
        let mut watchers = std::mem::take(&mut self.watchers);
        watchers.tell(|watcher| {
            let seats = self.seats_of_watcher(watcher);
            (!watcher.quiet).then(|| Outgoing::Update(self.update_message(&seats, None).into()))
        });
        self.watchers = watchers;
    }

    /// Sends everybody what the table tells about itself.
    pub(super) fn tell_info(&mut self) {
        self.info_changed = false;
        if self.watchers.is_empty() {
            return;
        }
        let text = write(&FromServer::Info { info: self.info() });
        let message = Outgoing::Other(text.into());
        self.watchers.tell(|watcher| (!watcher.quiet).then(|| message.clone()));
    }

    /// The first message to a watcher, as JSON.
    pub(super) fn welcome(&self, who: Option<&Who>, from: Option<u64>) -> String {
        let seats = who.map_or_else(Vec::new, |who| self.seats_of(&who.user));
        let (mutes, blocks) = (self.tables.mutes(), self.tables.blocks());
        let muted = |speaker: &str| {
            who.is_some_and(|who| {
                mutes.hides(&who.user, speaker) || blocks.between(&who.user, speaker)
            })
        };
        let chat: Vec<_> = self
            .chat
            .iter()
            .filter(|line| line.players != seats.is_empty() && !muted(&line.user))
            .collect();
        format!(
            r#"{{"type":"welcome","info":{},"update":{},"chat":{},"now":{}}}"#,
            write(&self.info()),
            self.with_seats(&self.common(from), &seats),
            write(&chat),
            time::now(),
        )
    }

    /// An update as the socket sends it.
    pub(super) fn update_message(&self, seats: &[usize], from: Option<u64>) -> String {
        format!("{UPDATE_HEAD}{}}}", self.with_seats(&self.common(from), seats))
    }

    /// What somebody wants to see, as JSON.
    pub(super) async fn look(&self, who: Option<&Who>, view: ViewOf) -> Result<String, Refusal> {
        self.must_look(who).await?;
        let position = &self.position;
        let seats = who.map_or_else(Vec::new, |who| self.seats_of(&who.user));
        let seat = || {
            let to_move = self.to_move().filter(|seat| seats.contains(seat));
            to_move.or(seats.first().copied()).ok_or_else(|| self.not_at_the_table())
        };
        Ok(match view {
            ViewOf::Welcome => self.welcome(who, None),
            ViewOf::Spectator => position.game.view(&position.tally).to_string(),
            ViewOf::Player => {
                seat()?;
                position.game.view(&position.tally).to_string()
            }
            ViewOf::Bot => position.game.bot_view(game::Player::new(seat()?)).to_string(),
            ViewOf::Summary => write(&self.summary()),
        })
    }

    /// The part of an update that all watchers share, without the closing brace.
    fn common(&self, since: Option<u64>) -> String {
        let position = &self.position;
        let mut text = json!({
            "version": self.version(),
            "ply": position.standing.len(),
            "phase": position.game.phase(),
            "turn": self.to_move(),
            "clocks": self.clocks.show(Instant::now()),
            "result": self.result,
        })
        .to_string();
        text.pop();
        text.push_str(r#","view":"#);
        text.push_str(&position.game.view(&position.tally).to_string());
        text.push_str(r#","events":["#);
        text.push_str(&since.map_or_else(String::new, |since| self.events_since(since)));
        text.push(']');
        text
    }

    /// The events since a version, if they are all kept.
    fn events_since(&self, since: u64) -> String {
        let known = self.recent.iter().position(|happened| happened.before == since);
        let told = known.into_iter().flat_map(|first| self.recent.iter().skip(first));
        let told: Vec<&str> =
            told.map(|h| h.events.as_str()).filter(|events| !events.is_empty()).collect();
        told.join(",")
    }

    /// A whole update for the watcher on these seats.
    fn with_seats(&self, common: &str, seats: &[usize]) -> String {
        let legal = self
            .to_move()
            .filter(|seat| seats.contains(seat))
            .map(|_| self.position.game.legal_turns());
        format!(r#"{common},"seats":{},"legal":{}}}"#, write(&seats), write(&legal))
    }

    fn seats_of_watcher(&self, watcher: &Watcher) -> Vec<usize> {
        watcher.user.as_deref().map_or_else(Vec::new, |user| self.seats_of(user))
    }

    /// What the table tells about itself.
    pub(super) fn info(&self) -> GameInfo {
        let facts = &self.facts;
        GameInfo {
            id: facts.id.clone(),
            game: G::NAME.to_owned(),
            options: facts.options.clone(),
            setup: self.setup.to_string(),
            status: self.status,
            seats: (0..self.seats.len()).map(|seat| self.seat_info(seat)).collect(),
            host: facts.host.clone(),
            rated: facts.rated,
            not_rated: self.not_rated,
            rating_weight: self.rating_weight,
            visibility: facts.visibility,
            clock: self.clocks.rule(),
            pass_and_play: facts.pass_and_play,
            created: facts.created,
            started: self.started,
            ended: self.ended,
            result: self.result.clone(),
            offers: self.offers.clone(),
            spectators: self.spectators(),
            commit: facts.commit.clone(),
            seed_given: facts.seed_given,
            rematch_of: facts.rematch_of.clone(),
            rematch: self.rematch.clone(),
            help_allowed: self.help_allowed(),
            help_agreed: self.help,
        }
    }

    fn seat_info(&self, number: usize) -> SeatInfo {
        let seat = &self.seats[number];
        SeatInfo {
            seat: number,
            sitter: seat.sitter.clone(),
            rating: seat.rating,
            rating_change: seat.rating_change,
            online: seat.bot().is_some() || (seat.user().is_some() && seat.away_since.is_none()),
            leaves_in_ms: self.leaves_in(number).map(|left| left.as_millis() as u64),
            claim_in_ms: self.shown_claim(number).map(|left| left.as_millis() as u64),
            out: seat.out.map(|out| out.reason),
        }
    }

    /// The table as lists show it.
    pub(super) fn summary(&self) -> GameSummary {
        let scores = self.position.game.scores();
        GameSummary {
            info: self.info(),
            scores: (0..self.seats.len()).map(|seat| scores[game::Player::new(seat)]).collect(),
            turn: self.to_move(),
            turns: self.position.turns,
        }
    }
}

pub(super) fn write(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data is JSON")
}
