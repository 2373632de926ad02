//! The task of a table: one command after the other, and what happens by itself in between.

use super::command::{Command, Outgoing, TableHandle};
use super::manager::Tables;
use super::state::Table;
use super::store::Saved;
use super::streams::News;
use super::times::Then;
use crate::error::Refusal;
use crate::play::games::Hosted;
use crate::wire::{Offers, Status};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use tokio::sync::mpsc;
use tokio::time::Instant;

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
    let broken = |why: String| {
        tracing::error!(game = id, why, "a stored game cannot be rebuilt");
        Refusal::Internal
    };
    let setup: G::Setup = saved
        .setup
        .parse()
        .map_err(|e: <G::Setup as std::str::FromStr>::Err| broken(e.to_string()))?;
    let needed = setup.clone();
    tokio::task::spawn_blocking(move || G::prepare(&needed))
        .await
        .map_err(|error| broken(error.to_string()))?;
    let (sender, receiver) = mpsc::channel(MAILBOX);
    let table = Table::<G>::rebuild(saved, setup, tables, sender.downgrade()).map_err(broken)?;
    tokio::spawn(run(Box::new(table), receiver, new));
    Ok(TableHandle(sender))
}

async fn run<G: Hosted>(table: Box<Table<G>>, mut mailbox: mpsc::Receiver<Command>, new: bool) {
    let (tables, id) = (table.tables.clone(), table.facts.id.clone());
    metrics::gauge!("bastide_tables").increment(1);
    let serving = AssertUnwindSafe(serve(table, &mut mailbox, new)).catch_unwind();
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
    mut table: Box<Table<G>>,
    mailbox: &mut mpsc::Receiver<Command>,
    new: bool,
) -> End {
    table.note_silence();
    table.note_presence();
    if table.status == Status::Playing {
        table.read_ratings().await;
    }
    table.publish();
    if new && table.status == Status::Waiting {
        table.tell_streams(News::Other);
    }
    if table.row.is_some() && table.offers != Offers::default() {
        // Offers change without an entry in the log: the row must not bring old ones back.
        let woken = table.wake_up().await;
        table.report(woken);
    }
    let started = Box::pin(table.start_if_full()).await;
    table.report(started);
    let mut closing = false;
    loop {
        // In boxes: what a change of the game needs is large, and a table that waits should not
        // keep room for it.
        if table.moves_by_itself() {
            Box::pin(table.go_on()).await;
        }
        if table.info_changed {
            table.tell_info();
            table.publish();
        }
        if table.broken {
            return End::Failed;
        }
        let wake = table.next_wake().filter(|_| !closing);
        tokio::select! {
            command = mailbox.recv() => match command {
                None => return End::Done,
                Some(Command::Stop) => {
                    table.watchers.tell(|_| Some(Outgoing::GoodBye));
                    return End::Done;
                }
                Some(command) => Box::pin(table.handle(command)).await,
            },
            () = sleep_until(wake) => match Box::pin(table.on_time()).await {
                Then::GoOn => {}
                Then::End => {
                    // Whoever asks from now on gets a new task; those who asked are answered.
                    mailbox.close();
                    closing = true;
                }
                Then::Sleep => {
                    let asleep = Box::pin(table.fall_asleep()).await;
                    table.report(asleep);
                    if mailbox.is_empty() && !table.broken {
                        return leave(&table, mailbox).await;
                    }
                }
            }
        }
    }
}

/// The game sleeps from now on: its row has all that is needed.
async fn leave<G: Hosted>(table: &Table<G>, mailbox: &mut mpsc::Receiver<Command>) -> End {
    table.tables.listings().forget(&table.facts.id);
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

impl<G: Hosted> Table<G> {
    async fn handle(&mut self, command: Command) {
        self.visited |= Self::is_visit(&command);
        self.woken &= !self.visited;
        match command {
            Command::Act { who, id, action, answer } => {
                self.note_seen(&who.user);
                let reply = self.act(&who, id, action).await;
                // Who does not wait for the answer finds it in the game.
                let _ = answer.send(reply);
            }
            Command::Watch { who, from, quiet, queue, answer } => {
                let connection = self.watch(who.as_ref(), from, quiet, queue).await;
                if let Err(Ok(connection)) = answer.send(connection) {
                    self.unwatch(connection);
                }
            }
            Command::Lag { connection, lag } => self.watchers.note_lag(connection, lag),
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
                self.woken = !self.visited;
                let _ = answer.send(self.wake_up().await);
            }
            Command::Renamed { user, name } => self.rename(&user, &name),
            Command::RatingsChanged => {
                self.read_ratings().await;
                self.info_changed = true;
            }
            Command::CallOff { answer } => {
                let done = match self.status {
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
