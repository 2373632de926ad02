//! Our bots at a table: they think elsewhere, on a copy that knows no order, and answer by the
//! same mailbox as everybody. Their clocks run while they think, not while they wait to.

use super::TableTask;
use super::times::random_bits;
use crate::engine::bot_pool::{Answered, Load, Thought, Waits};
use crate::error::Refusal;
use crate::games::Hosted;
use crate::play::table::bot_turns::Token;
use crate::play::table::command::Command;
use crate::play::table::decide::read_move;
use search::{Limits, Stop};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// What a bot may spend on a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Budget {
    /// The nodes with which its rating was measured, however busy the server is.
    Measured(u64),
    /// So much time where nobody else waits, and less the more do.
    Shared(Duration),
}

/// Nodes in a second of a bot's time: about what one core of a small server searches. More would
/// only keep others waiting on a fast one.
const NODES_A_SECOND: f64 = 200_000.0;

impl Budget {
    fn limits(self, load: Load) -> Limits {
        match self {
            Self::Measured(nodes) => Limits::nodes(nodes),
            Self::Shared(time) => {
                let nodes = (time.as_secs_f64() * NODES_A_SECOND) as u64;
                // A search that gets next to nothing still values every turn once.
                Limits { nodes: Some(nodes), ..Limits::time(time) }.share(load.share())
            }
        }
    }
}

impl<G: Hosted> TableTask<G> {
    /// Whether the seat to move needs nobody: it is out, or one of our bots that does not think yet.
    pub(super) fn moves_by_itself(&self) -> bool {
        let seats = self.table.seats();
        self.table.to_move().is_some_and(|seat| {
            seats.is_out(seat) || (seats.at(seat).bot().is_some() && !self.bots.is_thinking())
        })
    }

    /// Lets seats move that need nobody: those that are out, and our bots.
    pub(super) async fn go_on(&mut self) {
        while let Some(seat) = self.table.to_move().filter(|_| !self.broken) {
            if !self.table.seats().is_out(seat) {
                if !self.bots.is_thinking() {
                    self.think(seat);
                }
                return;
            }
            let played = self.play_by_rule(seat).await;
            let failed = played.is_err();
            self.report(played);
            if failed {
                return;
            }
        }
    }

    fn think(&mut self, seat: usize) {
        let Some(bot) = self.table.seats().at(seat).bot().map(str::to_owned) else { return };
        let settings = *self.tables.settings();
        let allotted = self.table.clocks().time_to_think(seat, settings.bot_time, Instant::now());
        let (token, stop) = self.bots.begin(seat, allotted);
        let measured = G::rated_nodes(&bot, self.table.game().setup());
        let measured = measured.filter(|_| self.table.is_rated());
        let budget = measured.map_or(Budget::Shared(allotted), Budget::Measured);
        let game = self.table.game();
        let (position, setup) = (game.position().game().clone(), game.setup().clone());
        let thought = {
            let search_stop = stop.clone();
            self.tables.bot_pool().think(&self.who_waits(), &stop, move |load| {
                let mut agent = G::bot(&bot, &setup).map_err(|error| error.to_string())?;
                agent.new_game(&position, random_bits());
                let report = agent.search(&position, &budget.limits(load), &search_stop);
                Ok(report.turn.iter().map(ToString::to_string).collect())
            })
        };
        let wait = Wait {
            stop,
            longest: allotted + settings.bot_grace,
            pause: settings.bot_pause,
            mailbox: self.mailbox.clone(),
            token,
        };
        tokio::spawn(wait.wait_for(thought));
    }

    /// For whom a bot thinks here: whoever made the game, if they still play it; else another
    /// person who does.
    fn who_waits(&self) -> Waits {
        let host = self.table.host().id.as_str();
        let seats = self.table.seats();
        let plays = seats.playing_people().find(|user| *user == host);
        match plays.or_else(|| seats.playing_people().next()) {
            Some(person) => Waits::Person(person.to_owned()),
            None => Waits::Nobody(host.to_owned()),
        }
    }

    /// A bot has been thinking for a while: its clock is shown to run.
    pub(super) fn on_thinking(&mut self, token: Token, begun: std::time::Instant) {
        let Some(seat) = self.bots.seat_of(token) else { return };
        if self.table.bot_thinks(seat, Instant::from_std(begun)) {
            self.tell_everything();
        }
    }

    /// Plays what a bot answered; if that is nothing or not legal, the timeout rule moves.
    pub(super) async fn on_thought(&mut self, token: Token, answered: Answered) {
        let Some((seat, charged)) = self.bots.end(token, answered.took) else { return };
        self.table.bot_thought(seat, charged);
        let failure = match answered.moves {
            Err(failure) => failure,
            Ok(moves) => match self.play_answer(seat, &moves).await {
                Ok(()) => return,
                Err(_) if self.broken => return,
                Err(refusal) => refusal.to_string(),
            },
        };
        let (game, bot) = (self.table.id(), self.table.seats().at(seat).name());
        tracing::error!(game, bot, failure, "a bot failed; the rule moves for it");
        metrics::counter!("bastide_bot_failures_total").increment(1);
        let played = self.play_by_rule(seat).await;
        self.report(played);
    }

    async fn play_answer(&mut self, seat: usize, moves: &[String]) -> Result<(), Refusal> {
        let moves: Vec<G::Move> =
            moves.iter().map(|text| read_move::<G>(text)).collect::<Result<_, _>>()?;
        if moves.is_empty() {
            return Err(Refusal::Bad("it answered no move".to_owned()));
        }
        let draft = self.table.play_for(seat, &moves)?;
        self.commit(draft).await?;
        Ok(())
    }
}

/// From when on a bot's clock is shown to run; most answers come sooner.
const SHOWN_AFTER: Duration = Duration::from_millis(250);

/// How an answer is waited for.
struct Wait {
    stop: Stop,
    longest: Duration,
    pause: Duration,
    mailbox: mpsc::WeakSender<Command>,
    token: Token,
}

impl Wait {
    /// Waits for the answer, however long it is queued, and sends it to the table.
    async fn wait_for(self, mut thought: Thought) {
        let not_before = Instant::now() + self.pause;
        let begun = thought.begun().await;
        let gives_up = Instant::now() + self.longest;
        let mut answer = tokio::time::timeout(SHOWN_AFTER, thought.answer()).await.ok();
        if let (None, Some(begun)) = (&answer, begun) {
            self.tell(Command::Thinks { token: self.token, begun }).await;
            answer = tokio::time::timeout_at(gives_up, thought.answer()).await.ok();
        }
        let answered = answer.unwrap_or_else(|| {
            self.stop.stop();
            thought.give_up();
            let moves = Err(format!("no answer within {:?}", self.longest));
            Answered { moves, took: self.longest }
        });
        tokio::time::sleep_until(not_before).await;
        self.tell(Command::Thought { token: self.token, answered }).await;
    }

    async fn tell(&self, command: Command) {
        if let Some(mailbox) = self.mailbox.upgrade() {
            // A table that has ended needs no answer.
            let _ = mailbox.send(command).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(waiting: usize) -> Load {
        Load { waiting, threads: 1 }
    }

    #[test]
    fn bots_think_less_the_more_wait_and_the_usual_time_when_nobody_does() {
        let usual = Budget::Shared(Duration::from_secs(1));
        let limits = |waiting| usual.limits(load(waiting));
        let nodes = |waiting| limits(waiting).nodes.unwrap();
        assert_eq!(limits(0).time, Some(Duration::from_secs(1)));
        // The queue lengths of the table in docs/strength.md.
        assert_eq!([0, 5, 20, 50, 200].map(nodes), [200_000, 33_333, 9_523, 3_921, 995]);
        assert_eq!(limits(199).time, Some(Duration::from_millis(5)));
        assert!(limits(100_000).time.is_some_and(|time| time < Duration::from_millis(1)));
    }

    #[test]
    fn a_rated_game_has_the_nodes_of_the_rating_however_many_wait() {
        for waiting in [0, 1, 1000] {
            assert_eq!(Budget::Measured(5_000).limits(load(waiting)), Limits::nodes(5_000));
        }
    }
}
