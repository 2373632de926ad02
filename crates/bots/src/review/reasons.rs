//! Where the difference between two turns comes from: both are played on with the same draws, and what
//! everybody gets is counted by its source.

use super::report::{BySource, Reason, Source};
use crate::one_ply::OnePly;
use crate::value::Learned;
use carcassonne::{Edition, Event, Move, Position, Terrain};
use game::{Game, MAX_PLAYERS, Random, Turn};

/// How often both turns are played on.
const ROUNDS: usize = 16;
/// For how many turns; what stands then counts as if the game ended there.
const TURNS: usize = 6;
/// A part of the difference is told from so many points on, if it is also more than twice its error.
const LEAST: f64 = 0.4;
/// The same for meeples in hand.
const LEAST_MEEPLES: f64 = 0.2;

/// Counts for all players.
type Counts = [BySource; MAX_PLAYERS];

/// The parts of what the first turn brings more than the second, the largest first.
pub(super) fn reasons<E: Edition>(
    position: &Position<E>,
    turns: [&[Move]; 2],
    learned: &mut Learned<E>,
    seed: u64,
) -> Vec<Reason> {
    let mut sums: Counts = Default::default();
    let mut squares: Counts = Default::default();
    for round in 0..ROUNDS {
        let [first, second] =
            turns.map(|turn| play_on(position, turn, learned, seed.wrapping_add(round as u64)));
        for seat in 0..position.players() {
            for source in 0..Source::ALL.len() {
                let difference = first[seat][source] - second[seat][source];
                sums[seat][source] += difference;
                squares[seat][source] += difference * difference;
            }
        }
    }
    let mut reasons = Vec::new();
    let rounds = ROUNDS as f64;
    for player in 0..position.players() {
        for (index, source) in Source::ALL.into_iter().enumerate() {
            let points = sums[player][index] / rounds;
            let spread = (squares[player][index] / rounds - points * points).max(0.0);
            let error = (spread / (rounds - 1.0)).sqrt();
            let least = if source == Source::Meeples { LEAST_MEEPLES } else { LEAST };
            if points.abs() >= least && points.abs() > 2.0 * error {
                reasons.push(Reason { player, source, points, error });
            }
        }
    }
    reasons.sort_by(|a, b| b.points.abs().total_cmp(&a.points.abs()));
    reasons
}

/// What everybody has, by source, some turns after a turn.
fn play_on<E: Edition>(
    position: &Position<E>,
    turn: &[Move],
    learned: &mut Learned<E>,
    seed: u64,
) -> Counts {
    let mut counts: Counts = Default::default();
    let mut game = position.clone();
    let mut one_ply = OnePly::default();
    let mut random = Random::new(seed);
    turn.iter().for_each(|m| game.play_unchecked(*m, |event| count(&event, &mut counts)));
    let mut turns = 0;
    while turns < TURNS {
        match game.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let Some(draw) = game.sample_outcome(&mut random) else { break };
                game.play_unchecked(draw, |event| count(&event, &mut counts));
            }
            Turn::Player(_) => {
                one_ply.list(&game, learned);
                // Equals are settled without chance, so that the draws stay common.
                let best = one_ply.best(&mut Random::new(seed));
                let moves = one_ply.moves(best);
                moves
                    .iter()
                    .for_each(|m| game.play_unchecked(*m, |event| count(&event, &mut counts)));
                turns += 1;
            }
        }
    }
    game.for_each_projected(|player, terrain, points| {
        counts[player.index()][source_of(terrain) as usize] += f64::from(points);
    });
    for (player, meeples) in game.supply().iter() {
        counts[player.index()][Source::Meeples as usize] = f64::from(*meeples);
    }
    counts
}

fn source_of(terrain: Option<Terrain>) -> Source {
    match terrain {
        Some(Terrain::City) => Source::City,
        Some(Terrain::Road) => Source::Road,
        Some(Terrain::Monastery) => Source::Monastery,
        Some(Terrain::Field) => Source::Field,
        Some(Terrain::Garden) => Source::Garden,
        None => Source::Goods,
    }
}

fn count(event: &Event, counts: &mut Counts) {
    match event {
        Event::FeatureScored(score) | Event::EndGamePoints(score) => {
            let source = source_of(Some(score.terrain));
            counts[score.player.index()][source as usize] += f64::from(score.points);
        }
        Event::EndGameGoods { player, points, .. } => {
            counts[player.index()][Source::Goods as usize] += f64::from(*points);
        }
        _ => {}
    }
}
