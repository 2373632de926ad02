//! The task of a table: one command after the other, and what happens by itself in between.
//!
//! It stands between the part that decides ([`Table`]) and the rest of the server: it checks what the
//! table cannot know, stores what is decided, tells it to those who watch, lets bots think, and lets
//! time pass. Everything goes the same way: decided, stored, applied, told.

mod act;
mod bots;
mod commit;
mod ratings;
mod sleep;
mod tell;
mod times;
mod watching;

pub(crate) use tell::UPDATE_HEAD;

use super::audience::Audience;
use super::bot_turns::BotTurns;
use super::command::{Command, TableHandle};
use super::decide::{Rebuilt, Table};
use super::game::{Begins, CannotReplay};
use super::manager::Tables;
use super::repeats::Repeats;
use super::residency::{Asleep, Residency, waiting_time};
use super::store::Saved;
use crate::error::Refusal;
use crate::games::Hosted;
use crate::wire::{Offers, Status};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::time::Duration;
use times::Then;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// A table with what surrounds it: everything that its task owns.
struct TableTask<G: Hosted> {
    table: Table<G>,
    audience: Audience,
    bots: BotTurns,
    repeats: Repeats,
    residency: Residency,
    /// The rest of the server.
    tables: Tables,
    /// The table's own mailbox, for the answers of bots.
    mailbox: mpsc::WeakSender<Command>,
    /// Whether something could not be stored: the task ends and the table is rebuilt.
    broken: bool,
}

/// Commands that wait before a sender has to.
const MAILBOX: usize = 64;

/// Rebuilds a table from what is saved and starts its task. Those who are invited to a new one are
/// told.
pub(super) async fn spawn_table<G: Hosted>(
    tables: Tables,
    saved: Saved,
    new: bool,
) -> Result<TableHandle, Refusal> {
    let id = saved.id.clone();
    let broken = |why: &dyn std::error::Error| {
        tracing::error!(game = id, %why, "a stored game cannot be rebuilt");
        Refusal::Internal
    };
    let setup: G::Setup =
        saved.setup.parse().map_err(|e: <G::Setup as std::str::FromStr>::Err| {
            broken(&CannotReplay::Setup(e.to_string()))
        })?;
    let needed = setup.clone();
    tokio::task::spawn_blocking(move || G::prepare(&needed)).await.map_err(|e| broken(&e))?;
    let (sender, receiver) = mpsc::channel(MAILBOX);
    let task = TableTask::<G>::rebuild(saved, setup, tables, sender.downgrade());
    tokio::spawn(run(Box::new(task.map_err(|why| broken(&why))?), receiver, new));
    Ok(TableHandle(sender))
}

async fn run<G: Hosted>(task: Box<TableTask<G>>, mut mailbox: mpsc::Receiver<Command>, new: bool) {
    let (tables, id) = (task.tables.clone(), task.table.id().to_owned());
    metrics::gauge!("bastide_tables").increment(1);
    let serving = AssertUnwindSafe(serve(task, &mut mailbox, new)).catch_unwind();
    let end = serving.await.unwrap_or_else(|_| {
        tracing::error!(game = id, "a table panicked; it is rebuilt from its log");
        End::Failed
    });
    metrics::gauge!("bastide_tables").decrement(1);
    drop(mailbox);
    tables.ended(&id, matches!(end, End::Failed));
    if let End::Asleep(late) = end {
        // They came in the moment in which the table left: they wake it again.
        for command in late {
            let (tables, id) = (tables.clone(), id.clone());
            tokio::spawn(async move { tables.tell_table(&id, command).await });
        }
    }
}

/// How a table's task ended.
enum End {
    /// Nobody needs the table.
    Done,
    /// The log could not be written, or an invariant broke.
    Failed,
    /// The game sleeps; commands that nobody has answered.
    Asleep(Vec<Command>),
}

/// Serves a table until nobody needs it.
async fn serve<G: Hosted>(
    mut task: Box<TableTask<G>>,
    mailbox: &mut mpsc::Receiver<Command>,
    new: bool,
) -> End {
    Box::pin(task.begin(new)).await;
    let mut closing = false;
    loop {
        // In boxes: what a change of the game needs is large, and a table that waits should not
        // keep room for it.
        if task.moves_by_itself() {
            Box::pin(task.go_on()).await;
        }
        if task.audience.take_change() {
            task.tell_info();
            task.publish();
        }
        if task.broken {
            return End::Failed;
        }
        let wake = task.next_wake().filter(|_| !closing);
        tokio::select! {
            command = mailbox.recv() => match command {
                None => return End::Done,
                Some(Command::Stop) => {
                    task.audience.say_good_bye();
                    return End::Done;
                }
                Some(command) => Box::pin(task.handle(command)).await,
            },
            () = sleep_until(wake) => match Box::pin(task.on_time()).await {
                Then::GoOn => {}
                Then::End => {
                    // Whoever asks from now on gets a new task; those who asked are answered.
                    mailbox.close();
                    closing = true;
                }
                Then::Sleep => {
                    let asleep = Box::pin(task.fall_asleep()).await;
                    task.report(asleep);
                    if mailbox.is_empty() && !task.broken {
                        return leave(&task, mailbox).await;
                    }
                }
            }
        }
    }
}

/// The game sleeps from now on: its row has all that is needed.
async fn leave<G: Hosted>(task: &TableTask<G>, mailbox: &mut mpsc::Receiver<Command>) -> End {
    task.tables.listings().forget(task.table.id());
    mailbox.close();
    let mut late = Vec::new();
    while let Some(command) = mailbox.recv().await {
        late.push(command);
    }
    End::Asleep(late)
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(wake) => tokio::time::sleep_until(wake).await,
        None => std::future::pending().await,
    }
}

impl<G: Hosted> TableTask<G> {
    fn rebuild(
        saved: Saved,
        setup: G::Setup,
        tables: Tables,
        mailbox: mpsc::WeakSender<Command>,
    ) -> Result<Self, CannotReplay> {
        // What cannot be read is missed by nobody for long: the log has the game.
        let asleep = saved.row.as_ref().and_then(|(text, _)| serde_json::from_str(text).ok());
        let asleep: Option<&Asleep> = asleep.as_ref();
        let (served, settings) = (tables.served_time(), *tables.settings());
        let when = Rebuilt { served, up_since: tables.started() };
        let table = Table::rebuild(&saved, setup, asleep, settings, when)?;
        let until = |time: i64| Duration::from_millis((time - served).max(0).unsigned_abs());
        let closes = asleep.and_then(|asleep| asleep.closes).map(until);
        let closes = closes.unwrap_or_else(|| waiting_time(saved.clock, settings.waiting));
        let attended = asleep.map_or(served, |asleep| asleep.attended);
        Ok(Self {
            table,
            audience: Audience::default(),
            bots: BotTurns::default(),
            repeats: Repeats::default(),
            residency: Residency::new(saved.row, attended, closes, Instant::now()),
            tables,
            mailbox,
            broken: false,
        })
    }

    /// What comes before the first command.
    async fn begin(&mut self, new: bool) {
        self.table.note_silence();
        self.note_presence();
        if self.table.status() == Status::Playing {
            self.read_ratings().await;
        }
        self.publish();
        if new && self.table.status() == Status::Waiting {
            self.tell_streams(Begins::Nothing);
        }
        if self.residency.sleeps() && *self.table.offers().open() != Offers::default() {
            // Offers change without an entry in the log: the row must not bring old ones back.
            let woken = self.wake_up().await;
            self.report(woken);
        }
        let started = self.start_if_full().await;
        self.report(started);
    }

    async fn handle(&mut self, command: Command) {
        if command.is_visit() {
            self.residency.visit();
        }
        match command {
            Command::Act { who, id, action, answer } => {
                self.note_seen(&who.user);
                let reply = self.act(&who, id, &action).await;
                // Who does not wait for the answer finds it in the game.
                let _ = answer.send(reply);
            }
            Command::Watch { who, from, quiet, queue, answer } => {
                let connection = self.watch(who.as_ref(), from, quiet, queue).await;
                if let Err(Ok(connection)) = answer.send(connection) {
                    self.unwatch(connection);
                }
            }
            Command::Lag { connection, lag } => self.audience.note_lag(connection, lag),
            Command::Unwatch { connection } => self.unwatch(connection),
            Command::Look { who, view, answer } => {
                if let Some(who) = &who {
                    self.note_seen(&who.user);
                }
                let _ = answer.send(self.look(who.as_ref(), view).await);
            }
            Command::Thinks { token, begun } => self.on_thinking(token, begun),
            Command::Thought { token, answered } => self.on_thought(token, answered).await,
            Command::Presence { greet } => {
                if let Some((user, stream)) = greet {
                    self.greet(&user, &stream);
                }
                self.note_presence();
            }
            Command::Wake { answer } => {
                self.residency.wake();
                let _ = answer.send(self.wake_up().await);
            }
            Command::Renamed { user, name } => {
                let shown = self.table.rename(&user, &name);
                self.audience.note_change(shown);
            }
            Command::RatingsChanged => {
                self.read_ratings().await;
                self.audience.note_change(true);
            }
            Command::CallOff { answer } => {
                let done = match self.table.status() {
                    Status::Over => Err(Refusal::Conflict("the game is over".to_owned())),
                    Status::Waiting | Status::Playing => self.call_off().await,
                };
                let _ = answer.send(done);
            }
            Command::Stop => {}
            #[cfg(test)]
            Command::Panic => panic!("a test asked for it"),
        }
    }
}
