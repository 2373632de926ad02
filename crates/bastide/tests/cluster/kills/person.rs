//! Somebody who plays a game as the page does: over a socket to any node, which is opened anew when it breaks.

use super::table::{Crowd, Table};
use crate::client::{Client, Socket};
use crate::load::pick_turn;
use futures_util::{SinkExt, StreamExt};
use game::Random;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

/// A server pings every five seconds; one that says nothing for so long is gone.
const SILENCE: Duration = Duration::from_secs(15);

/// A turn that is not answered for so long is sent again over another connection.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);

/// A person of one game.
pub(super) struct Person {
    crowd: Arc<Crowd>,
    table: Arc<Table>,
    client: Client,
    random: Random,
    /// The turn that is thought about, and when it is sent.
    next: Option<(Turn, Instant)>,
    /// The turn that was sent, and when it should be answered.
    sent: Option<(Turn, Instant)>,
    /// The latest version for which a turn of this person is in the game, as far as was told.
    played: u64,
    over: bool,
}

struct Turn {
    version: u64,
    moves: Vec<String>,
    /// How long was thought about it.
    pause: Duration,
}

/// Whether a connection can be used further.
enum Connection {
    Good,
    Broken,
}

impl Person {
    pub(super) fn new(
        crowd: Arc<Crowd>,
        table: Arc<Table>,
        client: Client,
        random: Random,
    ) -> Self {
        let (next, sent, played, over) = (None, None, 0, false);
        Self { crowd, table, client, random, next, sent, played, over }
    }

    /// Plays until the game or everything is over, and what was sent is answered.
    pub(super) async fn play(mut self) {
        let path = format!("/api/games/{}/socket", self.table.id);
        while !self.has_finished() {
            let there = self.client.moved_to(self.crowd.nodes.any(&mut self.random));
            match there.try_socket(&path, &[]).await {
                Ok(socket) => self.sit_at(socket).await,
                Err(_) => self.crowd.figures.refused("socket that did not open"),
            }
            if !self.has_finished() {
                let wait = Duration::from_millis(100 + u64::from(self.random.below(400)));
                tokio::time::sleep(wait).await;
            }
        }
    }

    fn has_finished(&self) -> bool {
        self.sent.is_none() && (self.over || self.crowd.is_over())
    }

    /// Plays over one connection while it is good.
    async fn sit_at(&mut self, mut socket: Socket) {
        let mut welcomed = false;
        while !self.has_finished() {
            let moments = [self.next.as_ref(), self.sent.as_ref()].into_iter().flatten();
            let wake = moments.map(|(_, moment)| *moment).chain([self.crowd.end]).min();
            let wake =
                wake.filter(|wake| welcomed && (*wake < self.crowd.end || self.sent.is_none()));
            let wake = wake.unwrap_or_else(|| Instant::now() + SILENCE);
            let connection = tokio::select! {
                heard = tokio::time::timeout(SILENCE, socket.0.next()) => match heard {
                    Ok(Some(Ok(Message::Text(text)))) => {
                        welcomed = true;
                        self.hears(&serde_json::from_str(&text).expect("the server sends JSON"))
                    }
                    Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => Connection::Good,
                    Ok(_) => {
                        self.crowd.figures.refused("socket that broke");
                        Connection::Broken
                    }
                    Err(_) => {
                        self.crowd.figures.refused("socket that was silent");
                        Connection::Broken
                    }
                },
                () = tokio::time::sleep_until(wake.into()), if welcomed => {
                    self.acts(&mut socket).await
                }
            };
            if matches!(connection, Connection::Broken) {
                return;
            }
        }
    }

    /// The moment has come to send a turn, or to wait no longer for an answer.
    async fn acts(&mut self, socket: &mut Socket) -> Connection {
        let now = Instant::now();
        if self.sent.as_ref().is_some_and(|(_, until)| *until <= now) {
            self.crowd.figures.unanswered("silence");
            return Connection::Broken;
        }
        let due = self.next.take_if(|(_, moment)| *moment <= now && now < self.crowd.end);
        let Some((turn, _)) = due else { return Connection::Good };
        let (version, moves) = (turn.version, &turn.moves);
        self.table.sends(version, moves);
        let play = json!({"type": "play", "id": version, "version": version, "moves": moves});
        self.sent = Some((turn, now + ANSWERED_WITHIN));
        match socket.0.send(Message::text(play.to_string())).await {
            Ok(()) => Connection::Good,
            Err(_) => Connection::Broken,
        }
    }

    fn hears(&mut self, message: &Value) -> Connection {
        match message["type"].as_str() {
            Some("welcome") => {
                self.table.sits(&message["update"]["seats"]);
                self.finds_what_was_sent(message["update"]["version"].as_u64().unwrap());
                self.sees(&message["update"]);
            }
            Some("update") => self.sees(&message["update"]),
            Some("done") => {
                if let Some((turn, _)) = self.sent.take() {
                    self.played = turn.version;
                    let since = self.table.acknowledged(turn.version);
                    self.crowd.figures.acknowledged(since.saturating_sub(turn.pause));
                }
            }
            Some("refused") => return self.is_refused(&message["problem"]),
            _ => {}
        }
        Connection::Good
    }

    /// After a new connection: what was sent over the one before is in the game, or is sent again.
    fn finds_what_was_sent(&mut self, version: u64) {
        let Some((turn, _)) = self.sent.take() else { return };
        if version <= turn.version {
            self.crowd.figures.unanswered("sent again");
            self.next = Some((turn, Instant::now()));
        } else {
            self.played = turn.version;
            self.crowd.figures.unanswered("found in the game");
            self.crowd.figures.still(self.table.played().saturating_sub(turn.pause));
        }
    }

    fn sees(&mut self, update: &Value) {
        let version = update["version"].as_u64().unwrap();
        if update["result"].is_object() {
            (self.over, self.next) = (true, None);
            self.table.ends();
        }
        let known = [self.next.as_ref(), self.sent.as_ref()].into_iter().flatten();
        let known = known.map(|(turn, _)| turn.version).chain([self.played]).max();
        // A node that lost its place and has not noticed may show what was before. It changes nothing, and ends.
        if known.is_some_and(|known| known >= version) {
            return;
        }
        self.next = pick_turn(update, &mut self.random).map(|moves| {
            let pause = self.crowd.pause(&mut self.random);
            (Turn { version, moves, pause }, Instant::now() + pause)
        });
    }

    fn is_refused(&mut self, problem: &Value) -> Connection {
        let code = problem["code"].as_str().unwrap_or_default();
        self.crowd.figures.refused(&format!("turn, as {code}"));
        // Whether it was stored is seen over another connection.
        Connection::Broken
    }
}
