//! Exact endings: the strongest player's last turns equal brute force.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use bots::roster::{self, BotSpec};
use carcassonne::{Carcassonne, Setup};
use game::{Game, Player, Random, Turn};
use search::{Limits, Stop};

/// The first player's expected margin if both play perfectly: every move of every player, every
/// draw, to the end.
fn brute_force(game: &Carcassonne) -> f64 {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let after = |m: &carcassonne::Move| {
        let mut next = game.clone();
        next.play_unchecked(*m, |_| {});
        brute_force(&next)
    };
    match game.turn() {
        Turn::Over => f64::from(game.scores().margin(Player::new(0))),
        Turn::Chance => {
            let total: u32 = moves.iter().map(|m| game.odds(*m)).sum();
            moves.iter().map(|m| f64::from(game.odds(*m)) * after(m)).sum::<f64>()
                / f64::from(total)
        }
        Turn::Player(player) if player.index() == 0 => {
            moves.iter().map(after).fold(f64::NEG_INFINITY, f64::max)
        }
        Turn::Player(_) => moves.iter().map(after).fold(f64::INFINITY, f64::min),
    }
}

/// A position of a random game in which a tile is to be placed and so many are left; `None` if
/// the game ended before.
fn ending(setup: &Setup, tiles_left: usize, random: &mut Random) -> Option<Carcassonne> {
    let mut game = Carcassonne::new(setup);
    let mut moves = Vec::new();
    while game.turn() != Turn::Over {
        if game.tile_in_hand().is_some() && game.tiles_left() <= tiles_left {
            return Some(game);
        }
        game.moves(&mut moves);
        let m = match game.turn() {
            Turn::Chance => game.sample_outcome(random)?,
            _ => *random.pick(&moves)?,
        };
        game.play_unchecked(m, |_| {});
    }
    None
}

fn check(setup: &str, tiles_left: usize, positions: usize, seed: u64) {
    let setup: Setup = setup.parse().unwrap();
    let spec: BotSpec = "best".parse().unwrap();
    let mut random = Random::new(seed);
    let mut checked = 0;
    while checked < positions {
        let Some(game) = ending(&setup, tiles_left, &mut random) else { continue };
        let mut best = roster::make::<carcassonne::Base>(&spec, &setup).unwrap();
        let report = best.search(&game, &Limits::nodes(100), &Stop::new());
        assert!(report.exact, "an ending of {tiles_left} tiles is solved");
        let said = f64::from(report.values[Player::new(0)].margin);
        let exact = brute_force(&game);
        assert!((said - exact).abs() < 1e-3, "said {said}, brute force {exact}");
        let mut after = game;
        for m in &report.turn {
            after.play(*m, |_| {}).unwrap();
        }
        let played = brute_force(&after);
        assert!((played - exact).abs() < 1e-3, "the turn played keeps the value");
        checked += 1;
    }
}

#[test]
fn the_last_tile_is_played_perfectly() {
    check("players=2", 0, 100, 1);
    check("players=2 farmers=off tiny-city=2 board=9x9", 0, 50, 2);
}

#[test]
fn the_last_two_tiles_are_played_perfectly() {
    check("players=2", 1, 100, 3);
    check("players=2 start=empty board=9x9", 1, 50, 4);
}

#[test]
fn the_last_three_tiles_are_played_perfectly_on_a_small_board() {
    check("players=2 board=5x5", 2, 20, 5);
}

#[test]
fn an_ending_is_not_solved_beyond_the_time_of_a_turn() {
    let setup = Setup::default();
    let mut random = Random::new(7);
    let spec: BotSpec = "best".parse().unwrap();
    let (mut in_time, mut whole) = (0, 0);
    for _ in 0..20 {
        let Some(game) = ending(&setup, 2, &mut random) else { continue };
        let mut best = roster::make::<carcassonne::Base>(&spec, &setup).unwrap();
        let no_time = Limits::time(std::time::Duration::from_micros(50));
        let hurried = best.search(&game, &no_time, &Stop::new());
        game.clone().play(hurried.turn[0], |_| {}).unwrap();
        in_time += hurried.nodes;
        let solved = best.search(&game, &Limits::nodes(1), &Stop::new());
        assert!(solved.exact);
        whole += solved.nodes;
    }
    assert!(in_time * 10 < whole, "{in_time} of {whole} nodes in next to no time");
}

/// Minutes of brute force.
#[test]
#[ignore = "long: brute force over three tiles on the open board"]
fn the_last_three_tiles_are_played_perfectly() {
    check("players=2", 2, 30, 6);
}
