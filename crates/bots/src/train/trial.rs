//! How good a net is: games on paired decks against fixed baselines.

use crate::deck;
use crate::net::Net;
use crate::one_ply::play_out;
use crate::value::{Heuristic, Learned, MarginEvaluator, Projection};
use carcassonne::{AllSets, Base, Edition, ExpandedSetup, Options, Position};
use game::{Game, Player, Random};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A net's lead over a baseline, in points a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trial {
    /// The mean lead.
    pub margin: f32,
    /// Its standard error; infinite for one deck.
    pub error: f32,
}

/// A net's leads over the baselines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trials {
    /// Over one ply on the projected score.
    pub greedy: Trial,
    /// Over the hand-made evaluation.
    pub heuristic: Trial,
}

impl Trials {
    /// Plays `decks` decks against each baseline: on each deck the net takes every seat once,
    /// the baseline all others.
    #[must_use]
    pub fn play(
        net: &Arc<Net>,
        setup: &ExpandedSetup,
        decks: usize,
        seed: u64,
        threads: usize,
    ) -> Self {
        match setup.sets().is_empty() {
            true => Self::play_in::<Base>(net, setup.rules(), decks, seed, threads),
            false => Self::play_in::<AllSets>(net, setup, decks, seed, threads),
        }
    }

    fn play_in<E: Edition>(
        net: &Arc<Net>,
        setup: &E::Setup,
        decks: usize,
        seed: u64,
        threads: usize,
    ) -> Self {
        let greedy = || Box::new(Projection::default()) as Box<dyn MarginEvaluator<E>>;
        let heuristic = || Box::new(Heuristic::default()) as Box<dyn MarginEvaluator<E>>;
        Self {
            greedy: trial(net, setup, decks, seed, threads, greedy),
            heuristic: trial(net, setup, decks, seed, threads, heuristic),
        }
    }
}

fn trial<E: Edition>(
    net: &Arc<Net>,
    setup: &E::Setup,
    decks: usize,
    seed: u64,
    threads: usize,
    baseline: impl Fn() -> Box<dyn MarginEvaluator<E>> + Sync,
) -> Trial {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut learned = Learned::new(Arc::clone(net));
        let mut other = baseline();
        let mut leads = Vec::new();
        loop {
            let deck = next.fetch_add(1, Ordering::Relaxed);
            if deck >= decks {
                return leads;
            }
            leads.push(lead_on_deck::<E>(setup, seed + deck as u64, &mut learned, other.as_mut()));
        }
    };
    let leads: Vec<f32> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|w| w.join().expect("a trial does not panic")).collect()
    });
    let count = leads.len() as f32;
    let margin = leads.iter().sum::<f32>() / count;
    let squares: f32 = leads.iter().map(|lead| (lead - margin) * (lead - margin)).sum();
    let error =
        if leads.len() < 2 { f32::INFINITY } else { (squares / (count - 1.0) / count).sqrt() };
    Trial { margin, error }
}

/// The mean lead of the net over the mean of the others, from every seat on one deck.
fn lead_on_deck<E: Edition>(
    setup: &E::Setup,
    seed: u64,
    learned: &mut Learned<E>,
    other: &mut dyn MarginEvaluator<E>,
) -> f32 {
    let players = setup.rules().players();
    let mut total = 0.0;
    for seat in 0..players {
        let mut random = Random::new(seed);
        let mut deck = deck::shuffled_of::<E>(setup, &mut random);
        let mut mixed = Seated { seat: Player::new(seat), learned, other };
        let game = Position::<E>::new(setup);
        let scores = play_out(game, &mut mixed, &mut deck, &mut random);
        let own = scores[Player::new(seat)];
        let rest: i32 = scores.as_slice().iter().sum::<i32>() - own;
        total += own as f32 - rest as f32 / (players - 1) as f32;
    }
    total / players as f32
}

/// The net on one seat, the baseline on all others.
struct Seated<'a, E: Edition> {
    seat: Player,
    learned: &'a mut Learned<E>,
    other: &'a mut dyn MarginEvaluator<E>,
}

impl<E: Edition> MarginEvaluator<E> for Seated<'_, E> {
    fn margin(&mut self, game: &Position<E>, me: Player) -> f32 {
        if me == self.seat { self.learned.margin(game, me) } else { self.other.margin(game, me) }
    }
}
