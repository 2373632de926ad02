//! Bounds on the number of boards, from shapes and tiles alone.

use carcassonne::{Carcassonne, MEEPLES, Setup, Tile};
use game::Game;
use std::io::Write;

/// Klarner's constant is at most this (Klarner and Rivest, 1973), and there are at most its n-th power of
/// shapes of n cells that hang together, as shapes can be put together: P(n + m) ≥ P(n)·P(m).
const SHAPES: f64 = 4.6496;

/// Writes, for some numbers of tiles: shapes, ways to fill them with tiles, ways to place meeples, and the
/// product.
pub(super) fn write(setup: &Setup, out: &mut impl Write) -> std::io::Result<()> {
    let start = Carcassonne::new(setup);
    let mut kinds: Vec<(usize, f64)> = Tile::all()
        .map(|tile| {
            (usize::from(start.bag().as_ref()[tile.index()]), f64::from(tile.distinct_rotations()))
        })
        .collect();
    kinds.retain(|(count, _)| *count > 0);
    let tiles: usize = kinds.iter().map(|(count, _)| count).sum();
    let fillings = fillings(&kinds, tiles);
    let spots = Tile::all().map(|tile| tile.printed().segments.len()).max().unwrap_or(0);
    writeln!(out, "tiles   shapes   fillings   meeples   boards")?;
    for placed in [1, 2, 5, 10, 20, 36, 56, tiles].into_iter().filter(|placed| *placed <= tiles) {
        let shapes = placed as f64 * SHAPES.log10();
        let meeples = meeples(placed, setup.players(), spots);
        let filled = fillings[placed];
        let boards = shapes + filled + meeples;
        writeln!(
            out,
            "{placed:>5}   {shapes:>6.1}   {filled:>8.1}   {meeples:>7.1}   {boards:>6.1}"
        )?;
    }
    Ok(())
}

/// The logarithms of the ways to lay so many tiles on so many cells in a row, each kind as often as it is
/// there and turned in each way that looks different.
fn fillings(kinds: &[(usize, f64)], tiles: usize) -> Vec<f64> {
    // The coefficients of the exponential generating function, each kind being a factor.
    let mut ways = vec![0.0; tiles + 1];
    ways[0] = 1.0;
    for (count, rotations) in kinds {
        let mut next = vec![0.0; tiles + 1];
        let mut term = 1.0;
        for used in 0..=*count {
            if used > 0 {
                term *= rotations / used as f64;
            }
            for (before, ways) in ways.iter().enumerate().take(tiles + 1 - used) {
                next[before + used] += ways * term;
            }
        }
        ways = next;
    }
    let mut factorial = 0.0;
    let log = |(placed, ways): (usize, &f64)| {
        factorial += (placed.max(1) as f64).log10();
        ways.log10() + factorial
    };
    ways.iter().enumerate().map(log).collect()
}

/// The logarithm of the ways to place up to seven meeples of each player, each on a tile of its own with so
/// many spots.
fn meeples(tiles: usize, players: usize, spots: usize) -> f64 {
    let most = MEEPLES.min(tiles);
    // ways[n]: the players so far have n meeples on n tiles.
    let mut ways = vec![1.0];
    for _ in 0..players {
        let mut next = vec![0.0; (ways.len() + most).min(tiles + 1)];
        for (before, ways) in ways.iter().enumerate() {
            let mut choices = *ways;
            for more in 0..=most.min(tiles - before) {
                if more > 0 {
                    let left = (tiles - before - more + 1) as f64;
                    choices *= left * spots as f64 / more as f64;
                }
                next[before + more] += choices;
            }
        }
        ways = next;
    }
    ways.iter().sum::<f64>().log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillings_are_counted_as_by_hand() {
        // Two of a kind that can be turned in two ways, one of a kind that cannot: two tiles in a row are
        // aa (2·2), ab (2), ba (2); three are aab, aba, baa (4 each).
        let ways = fillings(&[(2, 2.0), (1, 1.0)], 3);
        let numbers: Vec<u64> = ways.iter().map(|log| 10f64.powf(*log).round() as u64).collect();
        assert_eq!(numbers, [1, 3, 8, 12]);
    }

    #[test]
    fn meeples_are_counted_as_by_hand() {
        // One tile with three spots: nobody's, or one of either player's.
        assert_eq!(10f64.powf(meeples(1, 2, 3)).round() as u64, 1 + 3 + 3);
        // Two tiles with one spot: each is empty, mine or yours.
        assert_eq!(10f64.powf(meeples(2, 2, 1)).round() as u64, 9);
    }
}
