//! What exact endings cost, by how many tiles are left.

use bots::one_ply::OnePly;
use bots::roster;
use bots::value::Heuristic;
use carcassonne::{Carcassonne, Setup};
use game::{Game, Random, Turn, ignore};
use search::{ClockKind, Limits, Stop};
use std::io::Write;
use std::time::Duration;

/// Tiles to place, the one in hand among them.
const TILES: [usize; 3] = [2, 3, 4];

/// What solving one position took.
struct Effort {
    cpu: Duration,
    nodes: u64,
}

/// Solves so many endings of each length, and prints what that took in CPU time.
pub(super) fn measure(count: usize, seed: u64, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{:>5} {:>9} {:>10} {:>10} {:>12} {:>12}",
        "tiles", "endings", "median ms", "longest ms", "mean nodes", "nodes/s"
    )?;
    let mut random = Random::new(seed);
    let games: Vec<Vec<Carcassonne>> = (0..count).map(|_| endings(&mut random)).collect();
    for (index, tiles) in TILES.iter().enumerate() {
        let positions = games.iter().filter_map(|game| game.get(index));
        let mut efforts: Vec<Effort> = positions.map(solve).collect();
        efforts.sort_by_key(|effort| effort.cpu);
        let millis = |effort: Option<&Effort>| effort.map_or(0.0, |e| e.cpu.as_secs_f64() * 1e3);
        let nodes: u64 = efforts.iter().map(|effort| effort.nodes).sum();
        let cpu: Duration = efforts.iter().map(|effort| effort.cpu).sum();
        writeln!(
            out,
            "{tiles:>5} {:>9} {:>10.2} {:>10.2} {:>12.0} {:>12.0}",
            efforts.len(),
            millis(efforts.get(efforts.len() / 2)),
            millis(efforts.last()),
            nodes as f64 / efforts.len().max(1) as f64,
            nodes as f64 / cpu.as_secs_f64().max(1e-9),
        )?;
    }
    Ok(())
}

fn solve(position: &Carcassonne) -> Effort {
    let mut solver = roster::ending_solver();
    let started = ClockKind::ThreadCpu.now();
    let report = solver.solve(position, &Limits::NONE, &Stop::new());
    Effort { cpu: started.elapsed(), nodes: report.map_or(0, |report| report.nodes) }
}

/// The positions of a game, played by the hand-made evaluation, in which each number of tiles is
/// to be placed: from fewest to most.
fn endings(random: &mut Random) -> Vec<Carcassonne> {
    let mut game = Carcassonne::new(&Setup::default());
    let (mut one_ply, mut heuristic) = (OnePly::default(), Heuristic::default());
    let mut found = Vec::new();
    loop {
        match game.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let Some(drawn) = game.sample_outcome(random) else { break };
                game.play_unchecked(drawn, ignore);
            }
            Turn::Player(_) => {
                if TILES.contains(&(game.tiles_left() + 1)) {
                    found.insert(0, game.clone());
                }
                one_ply.play(&mut game, &mut heuristic, random);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_of_every_length_are_solved() {
        let mut random = Random::new(1);
        let found = endings(&mut random);
        assert_eq!(found.len(), TILES.len());
        assert!(found.iter().zip(TILES).all(|(game, tiles)| game.tiles_left() + 1 == tiles));
        assert!(solve(&found[0]).nodes > 0);
    }
}
