//! A game with the turns that its people sent, and the crowd of all games.

use super::Wanted;
use super::figures::Figures;
use super::person::Person;
use crate::client::Client;
use crate::load::Nodes;
use game::Random;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Every so many games one is against a bot.
const BOT_EVERY: usize = 5;

/// All games.
pub(super) struct Crowd {
    pub(super) nodes: Nodes,
    pub(super) figures: Figures,
    /// When nobody begins a turn any more.
    pub(super) end: Instant,
    start: Instant,
    wanted: Wanted,
}

impl Crowd {
    pub(super) fn new(nodes: Nodes, wanted: Wanted) -> Self {
        let start = Instant::now();
        let crowd =
            Self { nodes, wanted, figures: Figures::default(), start, end: start + wanted.length };
        Self { end: crowd.begun() + wanted.length, ..crowd }
    }

    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// When all games are there: so many a second as turns are played later.
    pub(super) fn begun(&self) -> Instant {
        self.start
            + Duration::from_secs_f64(self.wanted.games as f64 / self.wanted.rate as f64 * 2.0)
    }

    /// How long somebody thinks.
    pub(super) fn pause(&self, random: &mut Random) -> Duration {
        self.longest_pause().mul_f64((1.0 + 2.0 * random.unit()) / 3.0)
    }

    pub(super) fn longest_pause(&self) -> Duration {
        Duration::from_secs_f64(1.5 * self.wanted.games as f64 / self.wanted.rate as f64)
    }

    /// Asks any node until one answers well, or all is over; gives the answer's JSON.
    async fn ask(
        &self,
        client: &Client,
        random: &mut Random,
        (path, body): (&str, &Value),
    ) -> Option<Value> {
        while !self.is_over() {
            let there = client.moved_to(self.nodes.any(random));
            let asked = there.request(Method::POST, path).json(body);
            match asked.timeout(Duration::from_secs(20)).send().await {
                Ok(answer) if answer.status().is_success() => {
                    if let Ok(value) = answer.json().await {
                        return Some(value);
                    }
                }
                Ok(answer) => {
                    self.figures.refused(&format!("{} to a request", answer.status().as_u16()));
                }
                Err(_) => self.figures.refused("request without an answer"),
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        None
    }

    /// A guest of any node.
    async fn guest(&self, random: &mut Random) -> Option<Client> {
        while !self.is_over() {
            let client = Client::new(self.nodes.any(random));
            let asked = client.request(Method::POST, "/api/guest").json(&json!({}));
            if asked.send().await.is_ok_and(|answer| answer.status().is_success()) {
                return Some(client);
            }
            self.figures.refused("guest");
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        None
    }

    /// A new game of one or two people.
    async fn new_game(&self, people: &[Client], random: &mut Random) -> Option<Table> {
        let other = match people.len() {
            1 => json!({"kind": "bot", "bot": "shepherd"}),
            _ => json!({"kind": "open"}),
        };
        let new = json!({"game": "carcassonne", "seats": [{"kind": "me"}, other]});
        let made = self.ask(&people[0], random, ("/api/games", &new)).await?;
        let id = made["info"]["id"].as_str().expect("a game has an id").to_owned();
        if let Some(other) = people.get(1) {
            // Who sat down without being told is refused the second time.
            let join = format!("/api/games/{id}/join");
            let there = other.moved_to(self.nodes.any(random));
            let asked = there.request(Method::POST, &join).json(&json!({}));
            if !asked.send().await.is_ok_and(|answer| answer.status().is_success()) {
                self.figures.refused("join");
                return None;
            }
        }
        Some(Table::new(id))
    }
}

/// One game after the other, until all is over; gives what was sent in each.
pub(super) async fn play_games(crowd: Arc<Crowd>, slot: usize) -> Vec<Table> {
    let mut random = Random::new(slot as u64);
    let share = slot as f64 / crowd.wanted.games as f64;
    tokio::time::sleep(crowd.begun().saturating_duration_since(crowd.start).mul_f64(share)).await;
    let people = if slot.is_multiple_of(BOT_EVERY) { 1 } else { 2 };
    let mut guests = Vec::new();
    let mut tables = Vec::new();
    while guests.len() < people {
        let Some(guest) = crowd.guest(&mut random).await else { return tables };
        guests.push(guest);
    }
    while !crowd.is_over() {
        let Some(table) = crowd.new_game(&guests, &mut random).await else { continue };
        let table = Arc::new(table);
        let playing: Vec<_> = guests
            .iter()
            .map(|guest| {
                let random = Random::new(random.bits());
                let person = Person::new(crowd.clone(), table.clone(), guest.clone(), random);
                tokio::spawn(person.play())
            })
            .collect();
        for person in playing {
            person.await.expect("a person plays on");
        }
        tables.push(Arc::into_inner(table).expect("all people have left"));
    }
    tables
}

/// A game, with what its people sent.
pub(super) struct Table {
    pub(super) id: String,
    told: Mutex<Told>,
}

struct Told {
    seats: BTreeSet<u64>,
    sent: BTreeMap<u64, Sent>,
    last: Instant,
    over: bool,
}

/// A turn that somebody sent, once or more often.
pub(super) struct Sent {
    pub(super) moves: Vec<String>,
    pub(super) acknowledged: bool,
}

impl Table {
    fn new(id: String) -> Self {
        let (seats, sent) = (BTreeSet::new(), BTreeMap::new());
        Self { id, told: Mutex::new(Told { seats, sent, last: Instant::now(), over: false }) }
    }

    /// A turn is sent for a version.
    pub(super) fn sends(&self, version: u64, moves: &[String]) {
        let new = || Sent { moves: moves.to_vec(), acknowledged: false };
        let mut told = self.told.lock().unwrap();
        let sent = told.sent.entry(version).or_insert_with(new);
        assert_eq!(sent.moves, moves, "a turn stays as it was sent");
    }

    /// It was acknowledged; gives how long ago the turn before was played.
    pub(super) fn acknowledged(&self, version: u64) -> Duration {
        let mut told = self.told.lock().unwrap();
        told.sent.get_mut(&version).expect("it was sent").acknowledged = true;
        std::mem::replace(&mut told.last, Instant::now()).elapsed()
    }

    /// A turn is in the game, though nobody was told; gives how long ago the turn before was played.
    pub(super) fn played(&self) -> Duration {
        std::mem::replace(&mut self.told.lock().unwrap().last, Instant::now()).elapsed()
    }

    /// Somebody sits there.
    pub(super) fn sits(&self, seats: &Value) {
        let seats = seats.as_array().into_iter().flatten().filter_map(Value::as_u64);
        self.told.lock().unwrap().seats.extend(seats);
    }

    pub(super) fn ends(&self) {
        self.told.lock().unwrap().over = true;
    }

    pub(super) fn is_over(&self) -> bool {
        self.told.lock().unwrap().over
    }

    pub(super) fn last_turn(&self) -> Instant {
        self.told.lock().unwrap().last
    }

    /// The seats of people, and what was sent for each version.
    pub(super) fn sent<T>(
        &self,
        with: impl FnOnce(&BTreeSet<u64>, &BTreeMap<u64, Sent>) -> T,
    ) -> T {
        let told = self.told.lock().unwrap();
        with(&told.seats, &told.sent)
    }
}
