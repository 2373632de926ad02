//! Our bots at a table: they think elsewhere, on a copy that knows no order, and answer by the
//! same mailbox as everybody.

use super::command::Command;
use super::seats::Seat;
use super::state::Table;
use super::times::random_bits;
use crate::bot_pool::{Thought, Waits};
use crate::games::Hosted;
use crate::wire::ClockRule;
use search::{Limits, Stop};
use std::time::Duration;
use tokio::time::Instant;

/// A bot that thinks; dropping it stops the search.
#[derive(Debug)]
pub(super) struct Thinking {
    token: u64,
    seat: usize,
    stop: Stop,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

impl<G: Hosted> Table<G> {
    /// Lets seats move that need nobody: those that are out, and our bots.
    pub(super) async fn go_on(&mut self) {
        while let Some(seat) = self.to_move().filter(|_| !self.broken) {
            if self.seats[seat].out.is_some() {
                let played = self.play_by_rule(seat).await;
                let failed = played.is_err();
                self.report(played);
                if failed {
                    return;
                }
            } else {
                if self.seats[seat].bot().is_some() && self.thinking.is_none() {
                    self.think(seat);
                }
                return;
            }
        }
    }

    /// Forgets what is being thought: the position is another one.
    pub(super) fn stop_thinking(&mut self) {
        self.thinking = None;
    }

    fn think(&mut self, seat: usize) {
        let Some(bot) = self.seats[seat].bot().map(str::to_owned) else { return };
        self.thoughts += 1;
        let (token, stop) = (self.thoughts, Stop::new());
        self.thinking = Some(Thinking { token, seat, stop: stop.clone() });
        let budget = self.budget(seat);
        let (game, setup) = (self.position.game.clone(), self.setup.clone());
        let thought = {
            let stop = stop.clone();
            let person = self.seats.iter().any(Seat::is_playing_person);
            let waits = if person { Waits::Person } else { Waits::Nobody };
            self.house.bot_pool().think(waits, move || {
                let mut agent = G::bot(&bot, &setup)?;
                agent.new_game(&game, random_bits());
                let report = agent.search(&game, &Limits::time(budget), &stop);
                Ok(report.turn.iter().map(ToString::to_string).collect())
            })
        };
        let settings = self.house.settings();
        let wait = Wait { stop, longest: budget + settings.bot_grace, pause: settings.bot_pause };
        let mailbox = self.mailbox.clone();
        tokio::spawn(async move {
            let moves = wait.wait_for(thought).await;
            if let Some(mailbox) = mailbox.upgrade() {
                // A table that has ended needs no answer.
                let _ = mailbox.send(Command::Thought { token, moves }).await;
            }
        });
    }

    /// How long a bot may think: less when its clock says so.
    fn budget(&self, seat: usize) -> Duration {
        let usual = self.house.settings().bot_time;
        let left = self.clocks.left(seat, Instant::now()).unwrap_or(Duration::MAX);
        let by_clock = match self.clocks.rule() {
            ClockRule::None => usual,
            ClockRule::Game { increment_ms, .. } => {
                left / 40 + Duration::from_millis(increment_ms) * 3 / 4
            }
            ClockRule::Move { .. } => left / 3,
        };
        usual.min(by_clock).max(Duration::from_millis(5))
    }

    /// Plays what a bot answered; if that is nothing or not legal, the timeout rule moves.
    pub(super) async fn on_thought(&mut self, token: u64, moves: Result<Vec<String>, String>) {
        let Some(thinking) = self.thinking.take_if(|thinking| thinking.token == token) else {
            return;
        };
        let seat = thinking.seat;
        let failure = match moves {
            Err(failure) => failure,
            Ok(moves) => {
                let read: Result<Vec<G::Move>, _> =
                    moves.iter().map(|text| super::play::read_move::<G>(text)).collect();
                let played = match read {
                    Ok(moves) if !moves.is_empty() => self.play_for(seat, &moves).await.map(|_| ()),
                    Ok(_) => Err(crate::error::Refusal::Bad("it answered no move".to_owned())),
                    Err(refusal) => Err(refusal),
                };
                match played {
                    Ok(()) => return,
                    Err(_) if self.broken => return,
                    Err(refusal) => refusal.to_string(),
                }
            }
        };
        let bot = self.seats[seat].name();
        tracing::error!(game = self.facts.id, bot, failure, "a bot failed; the rule moves for it");
        metrics::counter!("bastide_bot_failures").increment(1);
        let played = self.play_by_rule(seat).await;
        self.report(played);
    }
}

/// How an answer is waited for.
struct Wait {
    stop: Stop,
    longest: Duration,
    pause: Duration,
}

impl Wait {
    async fn wait_for(self, mut thought: Thought) -> Result<Vec<String>, String> {
        let not_before = Instant::now() + self.pause;
        thought.begun().await;
        let answer = tokio::time::timeout(self.longest, thought.answer()).await;
        let answer = answer.unwrap_or_else(|_| {
            self.stop.stop();
            thought.give_up();
            Err(format!("no answer within {:?}", self.longest))
        });
        tokio::time::sleep_until(not_before).await;
        answer
    }
}
