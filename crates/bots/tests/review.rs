//! What a review must hold: it adds up, it repeats, it finds a bad move, and it says no more than that.
#![allow(missing_docs, clippy::unwrap_used)]

use bots::net::Net;
use bots::one_ply::OnePly;
use bots::review::{
    Category, DecisionReview, Depth, DrawReview, Review, ReviewError, Step, Worth, review,
};
use bots::roster::Playable;
use bots::value::Learned;
use carcassonne::{AllSets, Base, Carcassonne, Edition, ExpandedSetup, Position, Setup};
use game::{Game, Random, Record, Turn, ignore};
use search::Stop;
use std::sync::Arc;

fn net<E: Edition>(setup: &E::Setup) -> Arc<Net> {
    bots::nets::for_setup(setup).net
}

/// A game of one-turn play, up to so many plies; at the turn with this number the worst turn is played.
fn played<E: Edition>(setup: &E::Setup, plies: usize, worst: Option<usize>) -> Record<Position<E>> {
    let mut game = Position::<E>::new(setup);
    let mut record = Record::new(*setup);
    let mut learned = Learned::new(net::<E>(setup));
    let mut one_ply = OnePly::default();
    let mut random = Random::new(11);
    let mut turns = 0;
    while record.moves.len() < plies && game.turn() != Turn::Over {
        if let Some(draw) = game.sample_outcome(&mut random) {
            game.play_unchecked(draw, ignore);
            record.moves.push(draw);
            continue;
        }
        one_ply.list(&game, &mut learned);
        let values = one_ply.values();
        let turn = match worst == Some(turns) {
            true => (0..values.len()).min_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap(),
            false => one_ply.best(&mut random),
        };
        turns += 1;
        for m in one_ply.moves(turn) {
            game.play_unchecked(*m, ignore);
            record.moves.push(*m);
        }
    }
    record
}

fn reviewed<E: Playable>(record: &Record<Position<E>>) -> Review {
    review(record, Depth::Quick, &Stop::new(), &mut |_, _, _| {}).unwrap()
}

fn decisions(review: &Review) -> Vec<&DecisionReview> {
    let mut found = Vec::new();
    for step in &review.steps {
        if let Step::Decision(decision) = step {
            found.push(&**decision);
        }
    }
    found
}

fn draws(review: &Review) -> Vec<&DrawReview> {
    let mut found = Vec::new();
    for step in &review.steps {
        if let Step::Draw(draw) = step {
            found.push(draw);
        }
    }
    found
}

/// Each part from its own steps, and the sum.
fn assert_adds_up(review: &Review) {
    for (seat, player) in review.players.iter().enumerate() {
        let luck: f64 = draws(review).iter().map(|draw| draw.luck[seat].margin).sum();
        let skill: f64 = decisions(review).iter().map(|d| -d.measured[seat].margin).sum();
        assert!((luck - player.luck.margin).abs() < 1e-6, "luck of {seat}");
        assert!((skill - player.skill.margin).abs() < 1e-6, "skill of {seat}");
        let first = draws(review)[0].before[seat].margin;
        assert!((first - player.start.margin).abs() < 1e-6, "start of {seat}");
        // The rest by itself: what is thought before a draw less what was thought after the decision.
        let mut rest = 0.0;
        let mut expected: Option<f64> = None;
        for step in &review.steps {
            match step {
                Step::Draw(draw) => {
                    rest += expected.map_or(0.0, |before| draw.before[seat].margin - before);
                    expected = Some(draw.after[seat].margin);
                }
                Step::Decision(d) => expected = expected.map(|e| e - d.measured[seat].margin),
            }
        }
        rest += player.result.margin - expected.unwrap();
        assert!((rest - player.rest.margin).abs() < 1e-6, "rest of {seat}");
        let sum = first + luck + skill + rest;
        assert!((sum - player.result.margin).abs() < 1e-6, "{sum} and {}", player.result.margin);
    }
}

/// A board of 5×5 is full after 24 turns, and many tiles fit nowhere before.
fn small() -> Setup {
    "players=2 board=5x5".parse().unwrap()
}

#[test]
fn a_whole_game_adds_up_and_its_last_turns_are_exact() {
    let record = played::<Base>(&Setup::new(2).unwrap(), usize::MAX, None);
    let all = record.moves.len();
    let (mut told, mut last) = (0, 0);
    let review = review(&record, Depth::Quick, &Stop::new(), &mut |_, done, of| {
        assert!(done > last && of == all);
        (told, last) = (told + 1, done);
    })
    .unwrap();
    assert_eq!((told, last), (review.steps.len(), all), "every step is told");
    assert!(review.finished);
    assert_adds_up(&review);
    let end = record.replay().unwrap();
    let margin = f64::from(end.scores().margin(game::Player::new(0)));
    assert_eq!(review.players[0].result.margin, margin);
    // Two players: what is good for one is bad for the other.
    let [first, second] = &review.players[..] else { panic!("two players") };
    assert!((first.luck.margin + second.luck.margin).abs() < 1e-4);
    let all = decisions(&review);
    let (early, late) = all.split_at(all.len() - 3);
    assert!(early.iter().all(|decision| !decision.exact));
    for decision in late {
        assert!(decision.exact && decision.error.margin == 0.0);
        assert!(decision.measured[decision.player].margin >= -1e-4, "nothing beats the exact best");
    }
    // With one tile left or none nothing is open: who ends ahead wins, after every turn, not the best alone.
    for line in late[1..].iter().flat_map(|decision| &decision.lines) {
        let Worth { margin, win } = line.value;
        let certain = if margin.abs() < 1e-4 { 0.5 } else { 0.5 + 0.5 * margin.signum() };
        assert!((win - certain).abs() < 1e-4, "{:?}: {margin} points, {win} to win", line.moves);
    }
    assert!(draws(&review).last().unwrap().exact);
}

#[test]
fn the_same_record_gives_the_same_review() {
    let record = played::<Base>(&small(), usize::MAX, Some(3));
    let review = reviewed(&record);
    assert!(review.finished);
    assert_adds_up(&review);
    assert_eq!(reviewed(&record), review);
    let alone = bots::review::draws(&record, &Stop::new()).unwrap();
    assert_eq!(alone.iter().collect::<Vec<_>>(), draws(&review), "the draws without the decisions");
}

#[test]
fn luck_is_zero_in_the_mean_at_every_draw() {
    // The same game with every other draw at one place: the mean of the luck by the odds is zero.
    let record = played::<Base>(&small(), 40, None);
    let whole = reviewed(&record);
    let at = draws(&whole)[9].ply;
    let mut game = Carcassonne::new(&record.setup);
    record.moves[..at - 1].iter().for_each(|m| game.play_unchecked(*m, ignore));
    let mut kinds = Vec::new();
    game.moves(&mut kinds);
    assert!(kinds.len() > 5);
    let total: f64 = kinds.iter().map(|m| f64::from(game.odds(*m))).sum();
    let mut mean = 0.0;
    for kind in kinds {
        let moves = record.moves[..at - 1].to_vec();
        let mut other: Record<Carcassonne> = Record::with_moves(record.setup, moves);
        other.moves.push(kind);
        let luck = bots::review::luck(&other, &Stop::new()).unwrap();
        let before: f64 = draws(&whole)[..9].iter().map(|draw| draw.luck[0].margin).sum();
        mean += f64::from(game.odds(kind)) / total * (luck[0].margin - before);
    }
    assert!(mean.abs() < 1e-6, "{mean}");
}

#[test]
fn a_bad_turn_is_found_and_a_better_one_named_with_its_reason() {
    let setup = Setup::new(2).unwrap();
    let record = played::<Base>(&setup, 24, Some(6));
    let review = reviewed(&record);
    let all = decisions(&review);
    let bad = all[6];
    assert!(bad.category >= Category::Mistake, "{bad:?}");
    assert!(bad.loss.margin > 2.0 * bad.error.margin && bad.error.margin > 0.0);
    assert_ne!(bad.played, bad.best);
    assert!(!bad.reasons.is_empty());
    assert_eq!(bad.lines[0].moves, bad.best);
    let accuracies = [review.players[0].accuracy, review.players[1].accuracy];
    assert!(accuracies[bad.player] < accuracies[1 - bad.player], "{accuracies:?}");
    assert!(!review.finished, "the record ends early");
    assert_adds_up(&review);
}

#[test]
fn every_setup_that_bots_play_is_reviewed() {
    let three: Setup = Setup::new(3).unwrap();
    let of_three = reviewed(&played::<Base>(&three, 12, Some(1)));
    assert_adds_up(&of_three);
    for step in &of_three.steps {
        let Step::Draw(draw) = step else { continue };
        let wins: f64 = draw.after.iter().map(|worth| worth.win).sum();
        assert!((wins - 1.0).abs() < 1e-3, "somebody wins: {wins}");
    }
    let sets: ExpandedSetup = "players=2 sets=inns,traders,river,gardens".parse().unwrap();
    assert_adds_up(&reviewed(&played::<AllSets>(&sets, 12, Some(1))));
}

#[test]
fn a_record_may_end_anywhere() {
    let setup = Setup::new(2).unwrap();
    for plies in [0, 1, 2, 3, 4] {
        let mut record = played::<Base>(&setup, plies, None);
        record.moves.truncate(plies);
        let review = reviewed(&record);
        assert!(!review.finished);
        assert!(review.players.iter().all(|player| (0.0..=100.0).contains(&player.accuracy)));
        let whole = decisions(&review).len();
        assert_eq!(whole, usize::from(plies >= 3), "half a turn is no decision");
    }
}

#[test]
fn what_cannot_be_replayed_is_refused_and_a_stop_is_obeyed() {
    let mut record = played::<Base>(&Setup::new(2).unwrap(), 9, None);
    record.moves[4] = record.moves[1];
    let error = review(&record, Depth::Quick, &Stop::new(), &mut |_, _, _| {}).unwrap_err();
    assert!(error.to_string().contains("ply 5"), "{error}");
    let stop = Stop::new();
    stop.stop();
    let record = played::<Base>(&Setup::new(2).unwrap(), 9, None);
    let stopped = review(&record, Depth::Quick, &stop, &mut |_, _, _| {});
    assert_eq!(stopped, Err(ReviewError::Stopped));
}
