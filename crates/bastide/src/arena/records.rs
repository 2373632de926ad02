//! The games of a match as records, many in one text.
//!
//! A record begins at a line that starts with the game's name, and reaches to the next such line.
//! Before each stands a comment that says who sat where and how it ended:
//!
//! ```text
//! # pair 1, game 1: seat 0 net, seat 1 greedy: 91 64
//! carcassonne players=2 farmers=on start=tile board=unlimited tiny-city=4
//! V; -1,0 r1; road0
//! …
//! ```

use super::Plan;
use super::store::Store;
use super::summary::Summary;
use std::fmt::Write;

/// The games that count, as one text.
pub(crate) fn write_records(plan: &Plan, store: &Store, summary: &Summary) -> String {
    let mut text = String::new();
    let round = plan.round_name().trim_end_matches('s');
    for game in store.games().filter(|game| summary.counts(game.round)) {
        let sides = plan.by_seat(game.seat).enumerate();
        let seats: Vec<String> = sides.map(|(seat, side)| format!("seat {seat} {side}")).collect();
        let scores: Vec<String> = game.scores.iter().map(ToString::to_string).collect();
        let forfeit = game.forfeit.as_ref().map_or(String::new(), |forfeit| {
            format!(", given up by seat {}{}: {forfeit}", forfeit.seat, forfeit.place())
        });
        let (number, seat) = (game.round + 1, game.seat + 1);
        let (seats, scores) = (seats.join(", "), scores.join(" "));
        let gap = if text.is_empty() { "" } else { "\n" };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{gap}# {round} {number}, game {seat}: {seats}: {scores}{forfeit}\n{}",
            game.record
        );
    }
    text
}

/// The texts of the records in a text of many.
#[cfg(test)]
pub(crate) fn split_records(text: &str) -> Vec<&str> {
    let name = <carcassonne::Carcassonne as game::Game>::NAME;
    let mut starts: Vec<usize> = text
        .match_indices(name)
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n')
        .collect();
    starts.push(text.len());
    starts.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect()
}
