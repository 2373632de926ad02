//! Our bots at a table: they think elsewhere, about the record so far, which knows no order, and answer by the
//! same mailbox as everybody. Their clocks run while they think, not while they wait to.

use super::TableTask;
use crate::engine::work::{BotTurn, Budget, Outcome, Task, Ticket, Waits};
use crate::error::Refusal;
use crate::games::Hosted;
use crate::play::table::bot_turns::Token;
use crate::play::table::command::{Answered, Command};
use crate::play::table::decide::read_move;
use search::Stop;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

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
        let task = Task::Turn(BotTurn {
            game: G::NAME.to_owned(),
            record: self.table.game().record().to_string(),
            bot,
            budget,
        });
        let ticket = self.tables.work().take_turn(&self.who_waits(), &stop, task);
        let wait = Wait {
            stop,
            longest: allotted + settings.bot_grace,
            pause: settings.bot_pause,
            mailbox: self.mailbox.clone(),
            token,
        };
        tokio::spawn(wait.wait_for(ticket));
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
        let failure = match answered.answer {
            Err(refusal) => refusal.to_string(),
            Ok(Outcome::Analysis(_) | Outcome::Review(_) | Outcome::Mined(_)) => {
                "it answered something else".to_owned()
            }
            Ok(Outcome::Turn(moves)) => match self.play_answer(seat, &moves).await {
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
    async fn wait_for(self, mut ticket: Ticket) {
        let not_before = Instant::now() + self.pause;
        let begun = ticket.begun().await;
        let gives_up = Instant::now() + self.longest;
        let mut answer = tokio::time::timeout(SHOWN_AFTER, ticket.answer()).await.ok();
        if let (None, Some(begun)) = (&answer, begun) {
            self.tell(Command::Thinks { token: self.token, begun }).await;
            answer = tokio::time::timeout_at(gives_up, ticket.answer()).await.ok();
        }
        let (answer, took) = answer.unwrap_or_else(|| {
            self.stop.stop();
            ticket.give_up();
            let late = format!("no answer within {:?}", self.longest);
            (Err(Refusal::Unavailable(late)), self.longest)
        });
        let answered = Answered { answer, took };
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
