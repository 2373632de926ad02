//! The review of a game of Tinytown: nothing is drawn, and every value is exact.

use super::Depth;
use super::grade::{Category, accuracy};
use super::report::{DecisionReview, PlayerReview, Review, Step, TurnLine, Worth};
use super::walk::{LINES, ReviewError};
use crate::tinytown_players::Perfect;
use game::{Game, Record, ignore};
use search::{Agent, Limits, Stop};
use tinytown::Tinytown;

/// Reviews a game of Tinytown. A margin is the points of the town, and the probability to win says
/// nothing. Both depths give the same.
///
/// # Errors
/// If the record holds an action that is not legal, or the review is stopped.
pub fn review_tinytown(
    record: &Record<Tinytown>,
    depth: Depth,
    stop: &Stop,
    each: &mut dyn FnMut(&Step, usize, usize),
) -> Result<Review, ReviewError> {
    record.replay().map_err(ReviewError::Record)?;
    let points = |margin: f64| Worth { margin, win: 0.0 };
    let mut perfect = Perfect::new(record.setup);
    let mut game = record.start(ignore);
    let mut review = Review {
        depth,
        setup: record.setup.to_string(),
        net: "exact values".to_owned(),
        finished: false,
        steps: Vec::new(),
        players: Vec::new(),
    };
    let mut value_of = |game: &Tinytown| {
        let report = perfect.search(game, &Limits::NONE, stop);
        if stop.is_stopped() { Err(ReviewError::Stopped) } else { Ok(report) }
    };
    let start = f64::from(value_of(&game)?.values.as_slice()[0].margin);
    let mut losses = Vec::new();
    let mut categories = [0; Category::ALL.len()];
    for (index, action) in record.moves.iter().enumerate() {
        let report = value_of(&game)?;
        let best = report.lines.first();
        let played = report.lines.iter().find(|line| line.moves == [*action]).or(best);
        let worth =
            |line: Option<&search::Line<_>>| line.map_or(0.0, |l| f64::from(l.value.margin));
        let loss = points(worth(best) - worth(played));
        let category = Category::of(loss, Worth::default());
        // Among actions of the same value the one that was played is as good as the first.
        let best = if loss.margin > 0.0 { best } else { played };
        let choices = report.lines.len();
        if choices > 1 {
            losses.push(loss);
            categories[category as usize] += 1;
        }
        let step = Step::Decision(Box::new(DecisionReview {
            ply: index + 1,
            player: 0,
            choices,
            played: vec![action.to_string()],
            best: best.map(|line| line.moves[0].to_string()).into_iter().collect(),
            measured: vec![loss],
            error: Worth::default(),
            loss,
            category,
            exact: true,
            lines: report
                .lines
                .iter()
                .take(LINES)
                .map(|line| TurnLine {
                    moves: vec![line.moves[0].to_string()],
                    value: points(line.value.margin.into()),
                })
                .collect(),
            reasons: Vec::new(),
            facts: Vec::new(),
        }));
        game.play_unchecked(*action, ignore);
        each(&step, index + 1, record.moves.len());
        review.steps.push(step);
    }
    let result = points(f64::from(value_of(&game)?.values.as_slice()[0].margin));
    let lost: f64 = losses.iter().map(|loss| loss.margin).sum();
    review.finished = game.turn() == game::Turn::Over;
    review.players = vec![PlayerReview {
        result,
        start: points(start),
        luck: Worth::default(),
        skill: points(-lost),
        rest: points(result.margin - start + lost),
        accuracy: accuracy(losses.iter().copied()),
        loss: points(lost),
        decisions: losses.len(),
        categories,
    }];
    Ok(review)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_exact_and_nothing_is_left_over() {
        let setup: tinytown::Setup = "2x3".parse().unwrap();
        let mut random = game::Random::new(4);
        let mut town = Tinytown::new(&setup);
        let mut record = Record::new(setup);
        let mut actions = Vec::new();
        while town.turn() != game::Turn::Over {
            town.moves(&mut actions);
            let action = *random.pick(&actions).unwrap();
            town.play(action, |_| {}).unwrap();
            record.moves.push(action);
        }
        let mut told = 0;
        let review =
            review_tinytown(&record, Depth::Quick, &Stop::new(), &mut |_, _, _| told += 1).unwrap();
        assert_eq!(told, record.moves.len());
        let player = &review.players[0];
        assert_eq!(player.result.margin, f64::from(town.points()));
        assert!(player.loss.margin > 0.0, "random actions lose something");
        assert!(player.rest.margin.abs() < 1e-9, "{player:?}");
        assert!(
            review.finished
                && review.steps.iter().all(|step| matches!(step, Step::Decision(d) if d.exact))
        );
    }
}
