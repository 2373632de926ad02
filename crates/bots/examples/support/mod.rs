//! What the studies of the review share: their arguments, the games they are made of, and running them
//! on some threads.

use bots::BotError;
use bots::roster::{BotSpec, Playable, make};
use carcassonne::Position;
use game::{Game, Random, Record, Turn, ignore};
use search::{Limits, Stop};
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Arguments of the form `key=value`.
pub(crate) struct Args(HashMap<String, String>);

impl Args {
    /// Reads those of the program. Keys that are not in the list are refused.
    pub(crate) fn read(known: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut args = HashMap::new();
        for arg in std::env::args().skip(1) {
            let (key, value) = arg.split_once('=').unwrap_or((&arg, ""));
            if !known.contains(&key) || args.insert(key.to_owned(), value.to_owned()).is_some() {
                return Err(
                    format!("'{arg}': each of {} once, as key=value", known.join(", ")).into()
                );
            }
        }
        Ok(Self(args))
    }

    /// A value, or what it is if it is not given.
    pub(crate) fn or<T: FromStr<Err: Display>>(
        &self,
        key: &str,
        otherwise: &str,
    ) -> Result<T, Box<dyn Error>> {
        let value = self.0.get(key).map_or(otherwise, String::as_str);
        value.parse().map_err(|error| format!("{key}={value}: {error}").into())
    }

    /// A list of one or more, separated by commas.
    pub(crate) fn list<T: FromStr<Err: Display>>(
        &self,
        key: &str,
        otherwise: &str,
    ) -> Result<Vec<T>, Box<dyn Error>> {
        let value = self.0.get(key).map_or(otherwise, String::as_str);
        let read = |part: &str| part.parse().map_err(|e| format!("{key}={value}: {e}").into());
        value.split(',').map(read).collect()
    }
}

/// Games of two bots, which change seats from game to game. Two games in a row have one seed for the
/// draws, unless a bot plays against itself: then that would be nearly the same game twice.
pub(crate) struct Pairing {
    pub(crate) bots: [BotSpec; 2],
    /// Nodes a move.
    pub(crate) nodes: [u64; 2],
    pub(crate) seed: u64,
}

impl Pairing {
    /// Which bot sits where.
    pub(crate) fn bot_at(game: usize, seat: usize) -> usize {
        (game + seat) % 2
    }

    /// Whether both are the same.
    pub(crate) fn is_self_play(&self) -> bool {
        self.bots[0] == self.bots[1] && self.nodes[0] == self.nodes[1]
    }

    /// One of the games. The same number gives the same game.
    pub(crate) fn play<E: Playable>(
        &self,
        setup: &E::Setup,
        number: usize,
    ) -> Result<Record<Position<E>>, BotError> {
        let mut game = Position::<E>::new(setup);
        let mut record = Record::new(*setup);
        let deck = if self.is_self_play() { number } else { number / 2 };
        let mut random = Random::new(self.seed.wrapping_add(deck as u64));
        // Seeds of their own: a bot that threw the dice of the draws would know what comes.
        let mut seeds = Random::new(!self.seed.wrapping_add(number as u64));
        let mut players = Vec::new();
        for seat in 0..game.players() {
            let mut player = make::<E>(&self.bots[Self::bot_at(number, seat)], setup)?;
            player.new_game(&game, seeds.bits());
            players.push(player);
        }
        loop {
            let turn = match game.turn() {
                Turn::Over => return Ok(record),
                Turn::Chance => vec![game.sample_outcome(&mut random).expect("something is left")],
                Turn::Player(player) => {
                    let seat = player.index();
                    let limits = Limits::nodes(self.nodes[Self::bot_at(number, seat)]);
                    players[seat].search(&game, &limits, &Stop::new()).turn
                }
            };
            for m in turn {
                players.iter_mut().for_each(|player| player.observe(&game, m));
                game.play_unchecked(m, ignore);
                record.moves.push(m);
            }
        }
    }
}

/// Does the work for each number on some threads; `each` gets what comes out in the order of the
/// numbers, as soon as it can.
pub(crate) fn in_order<T: Send>(
    numbers: std::ops::Range<usize>,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
    mut each: impl FnMut(usize, T),
) {
    let next = AtomicUsize::new(numbers.start);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, 256) {
            let (sender, work, next, end) = (sender.clone(), &work, &next, numbers.end);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end || sender.send((number, work(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut due) = (BTreeMap::new(), numbers.start);
        for (number, done) in receiver {
            waiting.insert(number, done);
            while let Some(done) = waiting.remove(&due) {
                each(due, done);
                due += 1;
            }
        }
    });
}
