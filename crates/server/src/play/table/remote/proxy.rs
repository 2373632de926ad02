//! The mailbox of a table that another node holds.
//!
//! What always holds: a command is sent once, in the order in which it came; its answer is handed on,
//! or dropped with the proxy, which whoever waits reads as "interrupted". A proxy ends when an answer takes longer
//! than [`PATIENCE`], or when its node is not known any more. A watcher who missed a message is dropped and comes
//! back.

use super::letters::{
    AnswerLetter, Answered, Asked, COMMAND, CommandLetter, OutLetter, reply_of, write,
};
use crate::bus::NodeId;
use crate::error::Refusal;
use crate::play::table::command::{Answer, Command, Outgoing, Reply, TableHandle};
use crate::play::table::manager::Tables;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// Commands that wait before a sender has to.
const MAILBOX: usize = 64;

/// Messages of the other node that wait for a proxy.
const INCOMING: usize = 1024;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often it is looked for answers that took too long, and whether the proxy is needed.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How long a proxy that nobody uses stays.
const IDLE: Duration = Duration::from_secs(30);

/// How long a node may be unknown whose table a proxy is for: one that has just come is heard of soon, one that has
/// just gone never again.
const UNKNOWN: Duration = Duration::from_secs(2);

/// The proxies of this node by game; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(in crate::play::table) struct Proxies(Arc<Mutex<HashMap<String, Line>>>);

/// Where a proxy hears from the node that holds its game.
#[derive(Debug)]
struct Line {
    node: NodeId,
    incoming: mpsc::Sender<Incoming>,
}

#[derive(Debug)]
enum Incoming {
    Answer(AnswerLetter, String),
    Out(OutLetter, String),
}

impl Proxies {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Line>> {
        // Nothing that can panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A table elsewhere answered.
    pub(super) fn answered(&self, from: NodeId, letter: AnswerLetter, text: &str) {
        let game = letter.game.clone();
        self.hand_on(from, &game, Incoming::Answer(letter, text.to_owned()));
    }

    /// A table elsewhere tells a watcher something.
    pub(super) fn told(&self, from: NodeId, letter: OutLetter, text: &str) {
        let game = letter.game.clone();
        self.hand_on(from, &game, Incoming::Out(letter, text.to_owned()));
    }

    fn hand_on(&self, from: NodeId, game: &str, incoming: Incoming) {
        let mut lines = self.lock();
        let Some(line) = lines.get(game).filter(|line| line.node == from) else { return };
        if line.incoming.try_send(incoming).is_err() {
            // It has ended, or does not keep up: those who wait there come back.
            lines.remove(game);
        }
    }

    /// Ends the proxies of a node's games.
    pub(super) fn end_of(&self, node: NodeId) {
        self.lock().retain(|_, line| line.node != node);
    }

    /// Ends all proxies.
    pub(super) fn end_all(&self) {
        self.lock().clear();
    }

    fn end(&self, game: &str) {
        let mut lines = self.lock();
        // Another one may have come in its place.
        if lines.get(game).is_some_and(|line| line.incoming.is_closed()) {
            lines.remove(game);
        }
    }
}

/// Opens the mailbox of a game that another node holds.
pub(in crate::play::table) fn spawn_proxy(
    tables: &Tables,
    game: &str,
    node: NodeId,
) -> TableHandle {
    let (sender, mailbox) = mpsc::channel(MAILBOX);
    let (incoming, received) = mpsc::channel(INCOMING);
    tables.proxies().lock().insert(game.to_owned(), Line { node, incoming });
    let proxy = Proxy {
        tables: tables.clone(),
        game: game.to_owned(),
        node,
        last: 0,
        waiting: HashMap::new(),
        watchers: HashMap::new(),
        used: Instant::now(),
        known: Instant::now(),
    };
    tokio::spawn(proxy.run(mailbox, received));
    TableHandle(sender)
}

struct Proxy {
    tables: Tables,
    game: String,
    node: NodeId,
    /// The last number that was given to a question or a watcher.
    last: u64,
    waiting: HashMap<u64, Waiting>,
    watchers: HashMap<u64, Watcher>,
    used: Instant,
    /// When the node was last known to be there.
    known: Instant,
}

/// A question without an answer so far.
struct Waiting {
    until: Instant,
    /// What was asked, to be asked elsewhere if the game is not there.
    asked: Asked,
    answer: Wanted,
}

enum Wanted {
    Reply(Answer<Reply>),
    Watch(u64, Answer<u64>),
    Text(Answer<String>),
    Settled(Answer<()>),
    Stream(String, mpsc::Sender<Arc<str>>),
    Nothing,
}

/// A connection of this node.
struct Watcher {
    queue: mpsc::Sender<Outgoing>,
    /// The number of the next message.
    next: u64,
}

impl Proxy {
    async fn run(
        mut self,
        mut mailbox: mpsc::Receiver<Command>,
        mut received: mpsc::Receiver<Incoming>,
    ) {
        let mut look = interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let go_on = tokio::select! {
                command = mailbox.recv() => match command {
                    None => false,
                    Some(Command::Stop) => {
                        self.say_good_bye();
                        false
                    }
                    Some(command) => self.forward(command),
                },
                incoming = received.recv() => match incoming {
                    None => false,
                    Some(Incoming::Answer(letter, text)) => self.answered(letter, text),
                    Some(Incoming::Out(letter, text)) => {
                        self.told(&letter, &text);
                        true
                    }
                },
                _ = look.tick() => self.is_needed(),
            };
            if !go_on {
                break;
            }
        }
        // Whoever asks from now on finds the table anew.
        mailbox.close();
        received.close();
        self.tables.proxies().end(&self.game);
        self.tables.ended(&self.game, false);
        let mut late = Vec::new();
        while let Some(command) = mailbox.recv().await {
            late.push(command);
        }
        for command in late {
            let (tables, game) = (self.tables.clone(), self.game.clone());
            tokio::spawn(async move { tables.tell_table(&game, command).await });
        }
    }

    fn say_good_bye(&self) {
        for watcher in self.watchers.values() {
            // One that is full is told by the end of its queue.
            let _ = watcher.queue.try_send(Outgoing::GoodBye);
        }
    }

    /// Whether there is anything left to do, at a node that answers. The game may be elsewhere by now: who asks again
    /// finds it.
    fn is_needed(&mut self) -> bool {
        let now = Instant::now();
        if self.tables.exchange().members().contains(&self.node) {
            self.known = now;
        }
        let unanswered = self.waiting.values().any(|waiting| waiting.until <= now);
        if unanswered || now.duration_since(self.known) > UNKNOWN {
            return false;
        }
        if !self.watchers.is_empty() || !self.waiting.is_empty() {
            self.used = now;
        }
        now.duration_since(self.used) < IDLE
    }

    fn forward(&mut self, command: Command) -> bool {
        self.used = Instant::now();
        let (asked, answer) = match command {
            Command::Act { who, id, action, answer } => {
                (Asked::Act { who, id, action }, Wanted::Reply(answer))
            }
            Command::Watch { who, from, quiet, queue, answer } => {
                let watch = self.next();
                self.watchers.insert(watch, Watcher { queue, next: 0 });
                (Asked::Watch { watch, who, from, quiet }, Wanted::Watch(watch, answer))
            }
            Command::Lag { connection, lag } => {
                let milliseconds = u64::try_from(lag.as_millis()).unwrap_or(u64::MAX);
                (Asked::Lag { watch: connection, milliseconds }, Wanted::Nothing)
            }
            Command::Unwatch { connection } => {
                self.watchers.remove(&connection);
                (Asked::Unwatch { watch: connection }, Wanted::Nothing)
            }
            Command::Look { who, view, answer } => {
                (Asked::Look { who, view }, Wanted::Text(answer))
            }
            Command::Presence { greet: Some((user, lines)) } => {
                (Asked::Greet { user: user.clone() }, Wanted::Stream(user, lines))
            }
            Command::Presence { greet: None } => (Asked::Presence, Wanted::Nothing),
            Command::Renamed { user, name } => (Asked::Renamed { user, name }, Wanted::Nothing),
            Command::RatingsChanged => (Asked::RatingsChanged, Wanted::Nothing),
            Command::Wake { answer } => (Asked::Wake, Wanted::Settled(answer)),
            Command::CallOff { answer } => (Asked::CallOff, Wanted::Settled(answer)),
            // They concern tables of this node.
            Command::Thinks { .. } | Command::Thought { .. } | Command::Stop => return true,
            #[cfg(test)]
            Command::Panic => return true,
        };
        let number = self.next();
        let letter = CommandLetter { game: self.game.clone(), number, asked: asked.clone() };
        if self.tables.exchange().send(self.node, COMMAND, &write(&letter, "")).is_err() {
            // Whoever waits is told by the end of the answer.
            return true;
        }
        if !matches!(answer, Wanted::Nothing) {
            let until = Instant::now() + PATIENCE;
            self.waiting.insert(number, Waiting { until, asked, answer });
        }
        true
    }

    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Whether the game is still there.
    fn answered(&mut self, letter: AnswerLetter, text: String) -> bool {
        let Some(waiting) = self.waiting.remove(&letter.number) else {
            return !matches!(letter.answer, Answered::NotHere);
        };
        // Who does not wait any more finds it in the game.
        match (waiting.answer, letter.answer) {
            (answer, Answered::NotHere) => {
                self.ask_elsewhere(waiting.asked, answer);
                return false;
            }
            (Wanted::Reply(answer), Answered::Done(played)) => {
                let _ = answer.send(Ok(reply_of(played)));
            }
            (Wanted::Watch(watch, answer), Answered::Watching) => {
                if answer.send(Ok(watch)).is_err() {
                    self.drop_watcher(watch);
                }
            }
            (Wanted::Text(answer), Answered::Seen) => {
                let _ = answer.send(Ok(text));
            }
            (Wanted::Settled(answer), Answered::Settled) => {
                let _ = answer.send(Ok(()));
            }
            (Wanted::Stream(user, lines), Answered::Greeted) => {
                for line in text.lines() {
                    // A full queue so early means that nobody reads.
                    let _ = lines.try_send(line.into());
                }
                self.tables.streams().listen(&user, &self.game, &lines);
            }
            (answer, Answered::Refused(refusal)) => self.refuse(answer, refusal),
            (answer, unexpected) => {
                tracing::warn!(?unexpected, "a node gave an answer to another question");
                self.refuse(answer, Refusal::Internal);
            }
        }
        true
    }

    fn refuse(&mut self, answer: Wanted, refusal: Refusal) {
        match answer {
            Wanted::Reply(answer) => drop(answer.send(Err(refusal))),
            Wanted::Watch(watch, answer) => {
                self.watchers.remove(&watch);
                drop(answer.send(Err(refusal)));
            }
            Wanted::Text(answer) => drop(answer.send(Err(refusal))),
            Wanted::Settled(answer) => drop(answer.send(Err(refusal))),
            Wanted::Stream(user, lines) => {
                // A table that cannot say where it stands says what happens later.
                self.tables.streams().listen(&user, &self.game, &lines);
            }
            Wanted::Nothing => {}
        }
    }

    /// The game is not there any more: the question goes to wherever it is now.
    fn ask_elsewhere(&mut self, asked: Asked, answer: Wanted) {
        let command = match (asked, answer) {
            (Asked::Act { who, id, action }, Wanted::Reply(answer)) => {
                Command::Act { who, id, action, answer }
            }
            (Asked::Watch { who, from, quiet, .. }, Wanted::Watch(watch, answer)) => {
                let Some(Watcher { queue, .. }) = self.watchers.remove(&watch) else { return };
                Command::Watch { who, from, quiet, queue, answer }
            }
            (Asked::Look { who, view }, Wanted::Text(answer)) => {
                Command::Look { who, view, answer }
            }
            (Asked::Greet { .. }, Wanted::Stream(user, lines)) => {
                Command::Presence { greet: Some((user, lines)) }
            }
            (Asked::Wake, Wanted::Settled(answer)) => Command::Wake { answer },
            (Asked::CallOff, Wanted::Settled(answer)) => Command::CallOff { answer },
            _ => return,
        };
        let (tables, game) = (self.tables.clone(), self.game.clone());
        tokio::spawn(async move { tables.tell_table(&game, command).await });
    }

    fn told(&mut self, letter: &OutLetter, text: &str) {
        let Some(watcher) = self.watchers.get_mut(&letter.watch) else { return };
        let expected = watcher.next == letter.sequence;
        watcher.next += 1;
        let sent = match letter.kind.with(text).filter(|_| expected) {
            Some(out) => watcher.queue.try_send(out).is_ok(),
            None => false,
        };
        if !sent {
            self.drop_watcher(letter.watch);
        }
    }

    /// Ends a connection; its client comes back for the latest state.
    fn drop_watcher(&mut self, watch: u64) {
        self.watchers.remove(&watch);
        let asked = Asked::Unwatch { watch };
        let number = self.next();
        let letter = CommandLetter { game: self.game.clone(), number, asked };
        // If it cannot be sent, the other node notices that nobody is there.
        let _ = self.tables.exchange().send(self.node, COMMAND, &write(&letter, ""));
    }
}
