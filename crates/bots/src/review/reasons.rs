//! Where the difference between two turns comes from: both are played on with the same draws, and what
//! everybody gets is counted by its source.

use super::Depth;
use super::report::{BySource, Reason, Source};
use crate::one_ply::OnePly;
use crate::value::{Learned, MarginEvaluator};
use carcassonne::{Edition, Event, Move, Position, Terrain};
use game::{Game, MAX_PLAYERS, Player, Random, Turn};
use search::Moments;

/// How often both turns are played on, and for how many turns. What stands then counts as if the game
/// ended there; the rest is [`Source::Later`].
const fn effort(depth: Depth) -> (u64, usize) {
    match depth {
        Depth::Quick => (16, 12),
        Depth::Deep => (64, 20),
    }
}

/// A part of the difference is told from so many points on, if it is also more than twice its error.
const LEAST: f64 = 0.4;
/// The same for meeples in hand.
const LEAST_MEEPLES: f64 = 0.2;

/// Counts for all players.
type Counts = [BySource; MAX_PLAYERS];

/// The parts of what the first turn brings more than the second, the largest first.
pub(crate) fn reasons<E: Edition>(
    position: &Position<E>,
    turns: [&[Move]; 2],
    learned: &mut Learned<E>,
    depth: Depth,
    seed: u64,
) -> Vec<Reason> {
    let (rounds, turns_on) = effort(depth);
    let Turn::Player(me) = position.turn() else { return Vec::new() };
    let mut differences = [[Moments::default(); Source::ALL.len()]; MAX_PLAYERS];
    for round in 0..rounds {
        let [first, second] = turns
            .map(|turn| play_on(position, turn, me, turns_on, learned, seed.wrapping_add(round)));
        for (seat, sources) in differences.iter_mut().enumerate() {
            for (source, moments) in sources.iter_mut().enumerate() {
                moments.add(first[seat][source] - second[seat][source]);
            }
        }
    }
    let mut reasons = Vec::new();
    for (player, sources) in differences.iter().enumerate().take(position.players()) {
        for (source, moments) in Source::ALL.into_iter().zip(sources) {
            let (points, error) = (moments.mean(), moments.error());
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
    me: Player,
    turns_on: usize,
    learned: &mut Learned<E>,
    seed: u64,
) -> Counts {
    let mut counts: Counts = Default::default();
    let mut game = position.clone();
    let mut one_ply = OnePly::default();
    let mut random = Random::new(seed);
    turn.iter().for_each(|m| game.play_unchecked(*m, |event| count(&event, &mut counts)));
    let mut turns = 0;
    while turns < turns_on {
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
    if game.turn() != Turn::Over {
        let total = |seat: usize| counts[seat].iter().sum::<f64>();
        let others = (0..game.players()).filter(|seat| *seat != me.index()).map(total);
        let margin = total(me.index()) - others.fold(f64::NEG_INFINITY, f64::max);
        let later = f64::from(learned.margin(&game, me)) - margin;
        counts[me.index()][Source::Later as usize] = later;
    }
    for (player, meeples) in game.supply().iter() {
        counts[player.index()][Source::Meeples as usize] = f64::from(*meeples);
    }
    counts
}

pub(super) fn source_of(terrain: Option<Terrain>) -> Source {
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
