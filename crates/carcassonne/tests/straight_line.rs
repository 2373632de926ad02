//! A board laid in one straight line of 72 tiles, in every direction: the unlimited board has no
//! rim that a game could reach.

#[path = "support/simple/mod.rs"]
mod simple;

use carcassonne::{Carcassonne, Cell, Move, MoveKind, Setup, Side};
use game::{Game, Random, Turn};
use simple::play::Simple;

#[test]
fn seventy_two_tiles_in_a_line_work_in_every_direction() {
    for start in ["tile", "empty"] {
        for side in Side::ALL {
            let setup: Setup = format!("players=2 start={start}").parse().expect("a setup");
            let line = lay_line(&setup, side);
            let far = (0..71).fold(Cell::ORIGIN, |cell, _| cell.step(side));
            assert_eq!(line.iter().rev().find_map(|m| cell_of(*m)), Some(far), "{side:?}");
            replay_by_both_rules(&setup, &line);
        }
    }
}

/// A whole game whose every tile goes to the far end of the line, with a meeple when one is left.
fn lay_line(setup: &Setup, side: Side) -> Vec<Move> {
    (0..1_000)
        .find_map(|seed| try_line(setup, side, &mut Random::new(seed)))
        .expect("some order of the tiles makes a line")
}

/// Draws at random what fits the end of the line; `None` when nothing that is left fits.
fn try_line(setup: &Setup, side: Side, random: &mut Random) -> Option<Vec<Move>> {
    let mut game = Carcassonne::new(setup);
    let mut line = Vec::new();
    let mut end = if setup.start == carcassonne::Start::Tile {
        Cell::ORIGIN.step(side)
    } else {
        Cell::ORIGIN
    };
    while game.turn() != Turn::Over {
        let mut choices: Vec<(Move, Move)> = Vec::new();
        for draw in listed(&game) {
            let mut drawn = game.clone();
            drawn.play_unchecked(draw, |_| {});
            let fits = listed(&drawn).into_iter().filter(|m| cell_of(*m) == Some(end));
            choices.extend(fits.map(|place| (draw, place)));
        }
        let (draw, place) = *random.pick(&choices)?;
        game.play(draw, |_| {}).ok()?;
        game.play(place, |_| {}).ok()?;
        let meeple = listed(&game)[0];
        game.play(meeple, |_| {}).ok()?;
        line.extend([draw, place, meeple]);
        end = end.step(side);
    }
    Some(line)
}

fn cell_of(m: Move) -> Option<Cell> {
    match m.kind() {
        MoveKind::Place { cell, .. } => Some(cell),
        _ => None,
    }
}

fn listed(game: &Carcassonne) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves
}

fn replay_by_both_rules(setup: &Setup, line: &[Move]) {
    let mut engine = Carcassonne::new(setup);
    let mut simple = Simple::new(&setup.to_string());
    for m in line {
        let expected = simple.moves();
        let mut moves: Vec<String> = listed(&engine).iter().map(ToString::to_string).collect();
        let mut names: Vec<String> = expected.iter().map(ToString::to_string).collect();
        moves.sort();
        names.sort();
        assert_eq!(moves, names);
        let chosen = expected.into_iter().find(|legal| legal.to_string() == m.to_string());
        simple.play(chosen.expect("the simple rules allow the line"));
        engine.play(*m, |_| {}).expect("the engine allows the line");
        assert_eq!(engine.scores().as_slice(), simple.scores);
    }
    assert_eq!(engine.turn(), Turn::Over);
}
