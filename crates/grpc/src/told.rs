//! What searches and reviews find, as messages.

use crate::proto::review_event::Event;
use crate::proto::{
    Analysis, Fact, Line, PlayerReview, Reason, ReviewEvent, ReviewSummary, ReviewedDecision,
    ReviewedDraw, Value,
};
use bots::review::{self, Review, Step, Worth};
use search::Report;
use server::games::Hosted;
use std::fmt::Display;

/// What a search thinks.
pub(crate) fn analysis<G: Hosted>(
    report: &Report<G::Move>,
    seat: usize,
    top: usize,
    last: bool,
) -> Analysis {
    let value =
        |value: &search::Value| Value { margin: value.margin.into(), win: value.win.into() };
    let line = |line: &search::Line<G::Move>| Line {
        actions: texts(&line.moves),
        value: Some(value(&line.value)),
        visits: line.visits,
    };
    // Among turns it values alike a bot chooses by chance: the chosen one comes first.
    let mut lines: Vec<&search::Line<G::Move>> = report.lines.iter().collect();
    lines.sort_by_key(|line| line.moves != report.turn);
    Analysis {
        best: texts(&report.turn),
        player: seat as u32,
        values: report.values.as_slice().iter().map(value).collect(),
        lines: lines.into_iter().take(top).map(line).collect(),
        nodes: report.nodes,
        time_ms: u32::try_from(report.time.as_millis()).unwrap_or(u32::MAX),
        depth: report.depth,
        exact: report.exact,
        r#final: last,
    }
}

/// A draw or a decision of a review.
pub(crate) fn step(step: &Step, done: usize, plies: usize) -> ReviewEvent {
    let event = match step.rounded() {
        Step::Draw(draw) => Event::Draw(ReviewedDraw {
            ply: draw.ply as u32,
            player: draw.player as u32,
            drawn: draw.drawn,
            tiles_left: draw.tiles_left as u32,
            before: values(&draw.before),
            after: values(&draw.after),
            luck: values(&draw.luck),
            exact: draw.exact,
        }),
        Step::Decision(decision) => Event::Decision(decided(*decision)),
    };
    ReviewEvent { done: done as u32, plies: plies as u32, event: Some(event) }
}

fn decided(decision: review::DecisionReview) -> ReviewedDecision {
    let line = |line: review::TurnLine| Line {
        actions: line.moves,
        value: Some(value(line.value)),
        visits: 0,
    };
    let reason = |reason: review::Reason| Reason {
        player: reason.player as u32,
        source: reason.source.name().to_owned(),
        points: reason.points,
        error: reason.error,
    };
    ReviewedDecision {
        ply: decision.ply as u32,
        player: decision.player as u32,
        choices: decision.choices as u32,
        played: decision.played,
        best: decision.best,
        measured: values(&decision.measured),
        error: Some(value(decision.error)),
        loss: Some(value(decision.loss)),
        category: decision.category.name().to_owned(),
        exact: decision.exact,
        lines: decision.lines.into_iter().map(line).collect(),
        reasons: decision.reasons.into_iter().map(reason).collect(),
        facts: decision.facts.into_iter().map(fact).collect(),
    }
}

fn fact(fact: review::Fact) -> Fact {
    // Its name is the one that JSON has.
    let what = serde_json::to_value(fact.what).ok();
    Fact {
        best: fact.best,
        what: what.and_then(|what| what.as_str().map(str::to_owned)).unwrap_or_default(),
        source: fact.source.map(|source| source.name().to_owned()).unwrap_or_default(),
        count: fact.count,
    }
}

/// The end of a review.
pub(crate) fn summary(review: &Review, plies: usize) -> ReviewEvent {
    let player = |player: &review::PlayerReview| PlayerReview {
        result: Some(value(player.result)),
        start: Some(value(player.start)),
        luck: Some(value(player.luck)),
        skill: Some(value(player.skill)),
        rest: Some(value(player.rest)),
        accuracy: player.accuracy,
        loss: Some(value(player.loss)),
        decisions: player.decisions as u32,
        categories: player.categories.iter().map(|count| *count as u32).collect(),
    };
    let summary = ReviewSummary {
        setup: review.setup.clone(),
        net: review.net.clone(),
        finished: review.finished,
        players: review.players.iter().map(player).collect(),
    };
    let plies = plies as u32;
    ReviewEvent { done: plies, plies, event: Some(Event::Summary(summary)) }
}

fn value(worth: Worth) -> Value {
    Value { margin: worth.margin, win: worth.win }
}

fn values(worths: &[Worth]) -> Vec<Value> {
    worths.iter().copied().map(value).collect()
}

fn texts(moves: &[impl Display]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
