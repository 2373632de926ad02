//! Commands of other nodes at the tables of this one.

use super::letters::{
    ANSWER, AnswerLetter, Answered, Asked, CommandLetter, OUT, OutKind, OutLetter, write,
};
use crate::bus::{Exchange, NodeId};
use crate::error::Refusal;
use crate::play::table::command::{Command, Outgoing, TableHandle};
use crate::play::table::manager::Tables;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// Messages that wait for a watcher on another node.
const WAITING: usize = 32;

/// Lines that greet a program.
const LINES: usize = 16;

/// The watchers on other nodes of tables on this one; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(in crate::play::table) struct Visitors(Arc<Mutex<HashMap<Visitor, Stay>>>);

/// A watcher on another node: the node, the game, and the number that it gave.
type Visitor = (NodeId, String, u64);

/// Where a watcher is in the table's own numbers.
#[derive(Debug)]
enum Stay {
    Coming,
    /// It left before it was there.
    Left,
    Here(TableHandle, u64),
}

impl Visitors {
    fn lock(&self) -> MutexGuard<'_, HashMap<Visitor, Stay>> {
        // Nothing that can panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands a command to a table of this node. Where that can be done at once it is, so that
    /// commands stay in order.
    pub(super) fn visit(&self, tables: &Tables, from: NodeId, letter: CommandLetter) {
        let CommandLetter { game, number, asked } = letter;
        let reply = ReplyTo { exchange: tables.exchange().clone(), to: from, game, number };
        let open = tables.open_table(&reply.game);
        let visitors = self.clone();
        if let Some(table) = open {
            let Some(command) = visitors.command(from, asked, &table, reply) else { return };
            if let Err(mpsc::error::TrySendError::Full(command)) = table.0.try_send(command) {
                tokio::spawn(async move { table.send(command).await });
            }
            return;
        }
        let tables = tables.clone();
        tokio::spawn(async move {
            match tables.own_table(&reply.game).await {
                Ok(Some(table)) => {
                    if let Some(command) = visitors.command(from, asked, &table, reply) {
                        // One that has just ended answers nothing, and the asker is told so.
                        let _ = table.send(command).await;
                    }
                }
                Ok(None) => reply.send(Answered::NotHere, ""),
                Err(refusal) => reply.send(Answered::Refused(refusal), ""),
            }
        });
    }

    /// A command as a table of this node takes it; none if there is nothing left to do.
    fn command(
        &self,
        from: NodeId,
        asked: Asked,
        table: &TableHandle,
        reply: ReplyTo,
    ) -> Option<Command> {
        Some(match asked {
            Asked::Act { who, id, action } => {
                let answer = reply.when_answered(|reply| (Answered::reply(reply), String::new()));
                Command::Act { who, id, action, answer }
            }
            Asked::Look { who, view } => {
                let answer = reply.when_answered(|seen| match seen {
                    Ok(text) => (Answered::Seen, text),
                    Err(refusal) => (Answered::Refused(refusal), String::new()),
                });
                Command::Look { who, view, answer }
            }
            Asked::Watch { watch, who, from: version, quiet } => {
                let (queue, messages) = mpsc::channel(WAITING);
                let visitor = (from, reply.game.clone(), watch);
                let answer = self.watch(visitor, table.clone(), reply, messages);
                Command::Watch { who, from: version, quiet, queue, answer }
            }
            Asked::Lag { watch, milliseconds } => {
                let connection = self.connection(&(from, reply.game, watch))?;
                Command::Lag { connection, lag: Duration::from_millis(milliseconds) }
            }
            Asked::Unwatch { watch } => {
                let connection = self.depart((from, reply.game, watch))?;
                Command::Unwatch { connection }
            }
            Asked::Greet { user } => {
                let (lines, mut greeting) = mpsc::channel::<Arc<str>>(LINES);
                tokio::spawn(async move {
                    let mut text = String::new();
                    while let Some(line) = greeting.recv().await {
                        text.push_str(&line);
                        text.push('\n');
                    }
                    reply.send(Answered::Greeted, &text);
                });
                Command::Presence { greet: Some((user, lines)) }
            }
            Asked::Presence => Command::Presence { greet: None },
            Asked::Renamed { user, name } => Command::Renamed { user, name },
            Asked::RatingsChanged => Command::RatingsChanged,
            Asked::Wake => Command::Wake { answer: reply.when_settled() },
            Asked::CallOff => Command::CallOff { answer: reply.when_settled() },
        })
    }

    /// Lets a watcher of another node in: what the table tells it goes there.
    fn watch(
        &self,
        visitor: Visitor,
        table: TableHandle,
        reply: ReplyTo,
        messages: mpsc::Receiver<Outgoing>,
    ) -> oneshot::Sender<Result<u64, Refusal>> {
        let (answer, answered) = oneshot::channel::<Result<u64, Refusal>>();
        self.lock().insert(visitor.clone(), Stay::Coming);
        let visitors = self.clone();
        tokio::spawn(async move {
            let (exchange, to, game) = (reply.exchange.clone(), reply.to, reply.game.clone());
            match answered.await {
                Ok(Ok(connection)) => {
                    reply.send(Answered::Watching, "");
                    if visitors.arrive(&visitor, &table, connection) {
                        // One that has ended has forgotten the connection anyway.
                        let _ = table.send(Command::Unwatch { connection }).await;
                        return;
                    }
                    forward(exchange, to, game, visitor.2, messages).await;
                    visitors.lock().remove(&visitor);
                }
                Ok(Err(refusal)) => {
                    visitors.lock().remove(&visitor);
                    reply.send(Answered::Refused(refusal), "");
                }
                Err(_) => drop(visitors.lock().remove(&visitor)),
            }
        });
        answer
    }

    /// A watcher is there; whether it has left already.
    fn arrive(&self, visitor: &Visitor, table: &TableHandle, connection: u64) -> bool {
        let mut all = self.lock();
        match all.get_mut(visitor) {
            Some(stay @ Stay::Coming) => {
                *stay = Stay::Here(table.clone(), connection);
                false
            }
            Some(Stay::Left | Stay::Here(..)) | None => {
                all.remove(visitor);
                true
            }
        }
    }

    fn connection(&self, visitor: &Visitor) -> Option<u64> {
        match self.lock().get(visitor)? {
            Stay::Here(_, connection) => Some(*connection),
            Stay::Coming | Stay::Left => None,
        }
    }

    /// A watcher leaves; gives its connection if it was there.
    fn depart(&self, visitor: Visitor) -> Option<u64> {
        let mut all = self.lock();
        match all.remove(&visitor)? {
            Stay::Here(_, connection) => Some(connection),
            Stay::Coming | Stay::Left => {
                all.insert(visitor, Stay::Left);
                None
            }
        }
    }

    /// A node is gone, and all its watchers with it.
    pub(super) fn leave(&self, node: NodeId) {
        let mut gone = Vec::new();
        self.lock().retain(|(from, _, _), stay| {
            if *from != node {
                return true;
            }
            match stay {
                Stay::Here(table, connection) => {
                    gone.push((table.clone(), *connection));
                    false
                }
                Stay::Coming | Stay::Left => {
                    *stay = Stay::Left;
                    true
                }
            }
        });
        tokio::spawn(async move {
            for (table, connection) in gone {
                let _ = table.send(Command::Unwatch { connection }).await;
            }
        });
    }
}

/// Sends what a table tells a watcher to the watcher's node, until one of them ends it.
async fn forward(
    exchange: Exchange,
    to: NodeId,
    game: String,
    watch: u64,
    mut messages: mpsc::Receiver<Outgoing>,
) {
    let mut sequence = 0;
    while let Some(out) = messages.recv().await {
        let (kind, text) = OutKind::of(&out);
        let letter = OutLetter { game: game.clone(), watch, sequence, kind };
        sequence += 1;
        // What is lost here leaves a gap in the numbers, at which the other node drops the watcher.
        let _ = exchange.send(to, OUT, &write(&letter, text));
    }
    let letter = OutLetter { game, watch, sequence, kind: OutKind::End };
    let _ = exchange.send(to, OUT, &write(&letter, ""));
}

/// Where an answer goes.
struct ReplyTo {
    exchange: Exchange,
    to: NodeId,
    game: String,
    number: u64,
}

impl ReplyTo {
    fn send(self, answer: Answered, text: &str) {
        let letter = AnswerLetter { game: self.game, number: self.number, answer };
        // Who gets no answer is told that the table was interrupted.
        let _ = self.exchange.send(self.to, ANSWER, &write(&letter, text));
    }

    /// Sends what a table answers.
    fn when_answered<T: Send + 'static>(
        self,
        read: impl FnOnce(Result<T, Refusal>) -> (Answered, String) + Send + 'static,
    ) -> oneshot::Sender<Result<T, Refusal>> {
        let (answer, answered) = oneshot::channel();
        tokio::spawn(async move {
            let unanswered = || Err(Refusal::Unavailable("the table was interrupted".to_owned()));
            let (answer, text) = read(answered.await.unwrap_or_else(|_| unanswered()));
            self.send(answer, &text);
        });
        answer
    }

    fn when_settled(self) -> oneshot::Sender<Result<(), Refusal>> {
        self.when_answered(|settled| (Answered::settled(settled), String::new()))
    }
}
