//! A table's socket: what the client sends goes to the table, what the table tells goes out.

use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::limits::Limited;
use crate::people::accounts::{ChangeListener, Requester};
use crate::play::table::{Action, Command, Moves, Outgoing, TableHandle};
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::{FromClient, FromServer};
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, timeout};

/// The largest message a client may send, in bytes.
pub const LARGEST_MESSAGE: usize = 4096;

/// Messages that wait for a client; one that is further behind is dropped and comes back.
const WAITING: usize = 32;

/// How often the client is asked whether it is there.
const ASK_EVERY: Duration = Duration::from_secs(5);

/// How long a message may take to leave.
const SENDING: Duration = Duration::from_secs(10);

/// Messages a client may send at once, and how many more each second.
const BURST: f64 = 30.0;
const PER_SECOND: f64 = 10.0;

/// Where a client was.
#[derive(Debug, Deserialize)]
pub(crate) struct From {
    /// The last version seen.
    from: Option<u64>,
}

/// A table's socket. Messages are the types `FromClient` and `FromServer`; after `from`, the
/// first update has all events since that version, if they are kept.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/socket", tag = "games", params(("id" = String, Path),
    ("from" = Option<u64>, Query, description = "the last version seen")),
    responses((status = SWITCHING_PROTOCOLS), (status = UPGRADE_REQUIRED, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem))))]
pub(crate) async fn socket(
    State(app): State<App>,
    Path(game): Path<String>,
    Query(From { from }): Query<From>,
    who: Option<Requester>,
    address: ClientAddress,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let open = app.connections.open(address)?;
    if let Some(who) = &who {
        app.tables.addresses().note(&who.user, address);
    }
    let (queue, messages) = mpsc::channel(WAITING);
    // Before the upgrade, so that a game that is not there is a plain 404.
    let (table, connection) = app.tables.watch(&game, who.as_ref(), from, false, &queue).await?;
    drop(queue);
    let upgrade = upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .read_buffer_size(LARGEST_MESSAGE)
        .write_buffer_size(0);
    let changes = app.changes.listen();
    let lag = Lag { table: table.clone(), connection, asked: None, told: None };
    let bucket = Bucket::full();
    let talk = Talk { app, game, who, address, changes, bucket, crowded: false, lag };
    let failed = table.clone();
    Ok(upgrade
        .on_failed_upgrade(move |_| {
            tokio::spawn(async move { failed.send(Command::Unwatch { connection }).await });
        })
        .on_upgrade(move |socket| async move {
            metrics::gauge!("bastide_sockets").increment(1);
            talk.run(socket, messages).await;
            metrics::gauge!("bastide_sockets").decrement(1);
            // A table that has ended has forgotten the connection anyway.
            let _ = table.send(Command::Unwatch { connection }).await;
            drop(open);
        }))
}

/// A conversation over a socket.
struct Talk {
    app: App,
    game: String,
    who: Option<Requester>,
    address: ClientAddress,
    changes: ChangeListener,
    bucket: Bucket,
    /// Whether the client sends more than it may.
    crowded: bool,
    lag: Lag,
}

/// How long messages take there and back, as the table is told.
struct Lag {
    table: TableHandle,
    connection: u64,
    asked: Option<Instant>,
    told: Option<Duration>,
}

/// Changes of the lag that the table is told.
const LAG_STEP: Duration = Duration::from_millis(20);

impl Lag {
    /// The client has answered.
    async fn answered(&mut self) {
        let Some(asked) = self.asked.take() else { return };
        let lag = asked.elapsed();
        if self.told.is_none_or(|told| told.abs_diff(lag) >= LAG_STEP) {
            self.told = Some(lag);
            // A table that has ended has forgotten the connection anyway.
            let _ = self.table.send(Command::Lag { connection: self.connection, lag }).await;
        }
    }
}

/// Why a conversation ends, as the close frame says it.
enum End {
    Quiet,
    Say(u16, &'static str),
}

impl Talk {
    async fn run(mut self, mut socket: WebSocket, mut messages: mpsc::Receiver<Outgoing>) {
        let end = self.converse(&mut socket, &mut messages).await;
        if let End::Say(code, reason) = end {
            let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
            // Best effort: the client may be gone.
            let _ = timeout(SENDING, socket.send(Message::Close(Some(frame)))).await;
        }
    }

    async fn converse(
        &mut self,
        socket: &mut WebSocket,
        messages: &mut mpsc::Receiver<Outgoing>,
    ) -> End {
        let mut heard = Instant::now();
        let mut ask = interval(ASK_EVERY);
        ask.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut recheck = interval(self.app.config.recheck);
        recheck.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let out = tokio::select! {
                message = messages.recv() => match message {
                    Some(Outgoing::Update(text) | Outgoing::Other(text)) => Message::Text(text),
                    Some(Outgoing::GoodBye) => return End::Say(1001, "the server is stopping"),
                    None => return End::Say(1013, "connect again for the latest state"),
                },
                received = socket.recv() => {
                    heard = Instant::now();
                    self.slow_down().await;
                    match received {
                        None => return End::Quiet,
                        Some(Err(error)) => return unreadable(&error),
                        Some(Ok(Message::Close(_))) => return End::Quiet,
                        Some(Ok(Message::Pong(_))) => {
                            self.lag.answered().await;
                            continue;
                        }
                        Some(Ok(Message::Ping(_))) => continue,
                        Some(Ok(Message::Binary(_))) => {
                            let why = "messages are JSON in text frames, not bytes".to_owned();
                            refused(None, &Refusal::Bad(why))
                        }
                        Some(Ok(Message::Text(text))) => self.answer(&text).await,
                    }
                },
                () = doubt(&mut recheck, &mut self.changes, self.who.as_ref()) => {
                    if self.app.addresses.refuse_banned(self.address).is_err() {
                        return End::Say(1008, "this address is banned");
                    }
                    match &self.who {
                        None => continue,
                        Some(who) => match who.again(&self.app.db).await {
                            Some(who) => self.who = Some(who),
                            None => return End::Say(1008, "the session is over"),
                        },
                    }
                    continue;
                }
                _ = ask.tick() => {
                    // Browsers answer by themselves.
                    if heard.elapsed() > self.app.config.silence {
                        return End::Say(1001, "nothing was heard for too long");
                    }
                    self.lag.asked = Some(Instant::now());
                    Message::Ping(Default::default())
                }
            };
            match timeout(SENDING, socket.send(out)).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return End::Quiet,
            }
        }
    }

    /// Who sends more than they may is read more slowly: whatever it is, it costs something.
    async fn slow_down(&mut self) {
        self.crowded = self.app.config.limits && !self.bucket.take();
        if self.crowded {
            tokio::time::sleep(Duration::from_secs_f64(1.0 / PER_SECOND)).await;
        }
    }

    async fn answer(&mut self, text: &str) -> Message {
        let message: FromClient = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(error) => {
                let id = serde_json::from_str::<Numbered>(text).ok().map(|numbered| numbered.id);
                let error = game::excerpt(&error.to_string(), 300);
                return refused(id, &Refusal::Bad(format!("this is no message: {error}")));
            }
        };
        let (id, action) = match message {
            FromClient::Ping => return say(&FromServer::Pong),
            FromClient::Play { id, version, moves } => {
                (id, Action::Play { version: Some(version), moves: Moves::Text(moves) })
            }
            FromClient::Resign { id } => (id, Action::Resign),
            FromClient::Draw { id, accept } => (id, Action::Draw(accept)),
            FromClient::Takeback { id, accept } => (id, Action::Takeback(accept)),
            FromClient::Abort { id } => (id, Action::Abort),
            FromClient::Rematch { id, accept } => (id, Action::Rematch(accept)),
            FromClient::Claim { id, win } => (id, Action::Claim { win }),
            FromClient::Help { id, accept } => (id, Action::Help(accept)),
            FromClient::Chat { id, text } => (id, Action::Chat(text)),
        };
        match self.act(id, action).await {
            Ok(message) => message,
            Err(refusal) => refused(Some(id), &refusal),
        }
    }

    async fn act(&mut self, id: u64, action: Action) -> Result<Message, Refusal> {
        let Some(who) = &self.who else {
            return Err(Refusal::Unknown("spectators without a name only watch".to_owned()));
        };
        if self.crowded {
            return Err(Refusal::TooMany { what: "messages".into(), seconds: 1 });
        }
        if matches!(action, Action::Chat(_)) {
            self.app.limits.take(Limited::Chat, self.address, Some(&who.user))?;
        }
        let reply = self.app.tables.act(&self.game, who, Some(id), action).await?;
        let played = reply.played.map(|played| (*played).clone());
        Ok(say(&FromServer::Done { id, played }))
    }
}

/// Returns when it is time to look again who somebody is.
async fn doubt(recheck: &mut Interval, changes: &mut ChangeListener, who: Option<&Requester>) {
    // Nobody is called "": who is not known hears only what concerns everybody.
    let user = who.map(|who| who.user.as_str()).unwrap_or_default();
    tokio::select! {
        _ = recheck.tick() => {}
        () = changes.about(user) => {}
    }
}

/// The number of a message that is otherwise not understood.
#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

fn unreadable(error: &axum::Error) -> End {
    let text = error.to_string();
    if text.contains("too long") || text.contains("too large") || text.contains("too big") {
        End::Say(1009, "messages are at most 4096 bytes")
    } else if text.contains("UTF-8") || text.contains("utf-8") {
        End::Say(1007, "text frames are UTF-8")
    } else {
        End::Quiet
    }
}

fn refused(id: Option<u64>, refusal: &Refusal) -> Message {
    say(&FromServer::Refused { id, problem: refusal.problem() })
}

fn say(message: &FromServer) -> Message {
    Message::Text(serde_json::to_string(message).expect("plain data is JSON").into())
}

/// How many messages a client may still send.
struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    fn full() -> Self {
        Self { left: BURST, at: Instant::now() }
    }

    fn take(&mut self) -> bool {
        let now = Instant::now();
        let gained = now.duration_since(self.at).as_secs_f64() * PER_SECOND;
        self.left = (self.left + gained).min(BURST);
        self.at = now;
        let allowed = self.left >= 1.0;
        self.left -= f64::from(u8::from(allowed));
        allowed
    }
}
