//! A match with the luck of the draws taken off.
//!
//! What a side draws is luck; its worth is estimated by the net, and its mean is zero whoever plays. So
//! a margin less its luck has the same mean and a smaller spread, however good or bad the net is.

use super::game_runner::Finished;
use super::sides::PlayedEdition;
use super::store::Store;
use super::summary::{LuckSummary, Summary};
use super::{Plan, Progress};
use carcassonne::{AllSets, Base, Options, Position};
use game::Record;
use search::{Moments, Stop};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Adds to a summary what the margin is without the luck of the draws. `false` if it was stopped.
///
/// # Errors
/// If a stored record is no game.
pub(crate) fn take_off_luck(
    plan: &Plan,
    store: &Store,
    summary: &mut Summary,
    threads: usize,
    stop: &Stop,
    progress: &mut Progress,
) -> anyhow::Result<bool> {
    let games: Vec<&Finished> = store.games().filter(|game| summary.counts(game.round)).collect();
    let started = Instant::now();
    progress.say(&format!("estimating the luck of {} games", games.len()));
    let lucks = match plan.setup.sets().is_empty() {
        true => lucks::<Base>(&games, threads, stop)?,
        false => lucks::<AllSets>(&games, threads, stop)?,
    };
    if stop.is_stopped() {
        return Ok(false);
    }
    let others = (plan.seats() - 1).max(1) as f64;
    let mut rounds: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
    for (game, luck) in games.iter().zip(lucks) {
        let [adjusted, sum] = rounds.entry(game.round).or_default();
        *adjusted += f64::from(game.outcome().lead) / others - luck;
        *sum += luck;
    }
    let seats = plan.seats() as f64;
    let (mut adjusted, mut luck) = (Moments::default(), Moments::default());
    for [margins, lucks] in rounds.values() {
        adjusted.add(margins / seats);
        luck.add(lucks / seats);
    }
    let plain = summary.tally().margin().error;
    let variance_ratio = (adjusted.error() / plain).powi(2);
    summary.luck = Some(LuckSummary {
        margin: adjusted.into(),
        luck: luck.into(),
        variance_ratio,
        seconds: started.elapsed().as_secs_f64(),
    });
    Ok(true)
}

/// The luck of A in each game.
fn lucks<E: PlayedEdition>(
    games: &[&Finished],
    threads: usize,
    stop: &Stop,
) -> anyhow::Result<Vec<f64>> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![0.0; games.len()]);
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, games.len().max(1)) {
            scope.spawn(|| {
                while !stop.is_stopped() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(game) = games.get(index) else { break };
                    match luck_of_a::<E>(game, stop) {
                        Ok(luck) => found.lock().expect("nobody panics")[index] = luck,
                        Err(_) if stop.is_stopped() => {}
                        Err(error) => *failed.lock().expect("nobody panics") = Some(error),
                    }
                }
            });
        }
    });
    match failed.into_inner().expect("nobody panics") {
        Some(error) => Err(error),
        None => Ok(found.into_inner().expect("nobody panics")),
    }
}

/// A game that was given up says nothing of its draws: they are left as they are.
fn luck_of_a<E: PlayedEdition>(game: &Finished, stop: &Stop) -> anyhow::Result<f64> {
    if game.forfeit.is_some() {
        return Ok(0.0);
    }
    let record: Record<Position<E>> = game.record.parse()?;
    Ok(bots::review::luck(&record, stop)?[game.seat].margin)
}
