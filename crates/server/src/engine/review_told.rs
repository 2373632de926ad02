//! What the engine says of a game, as clients read it.

use crate::wire::{
    Review, ReviewCategory, ReviewDepth, ReviewFact, ReviewFactKind, ReviewReason, ReviewSource,
    ReviewStep, ReviewTurn, ReviewWorth, ReviewedDecision, ReviewedDraw, ReviewedPlayer, TriedTurn,
};
use bots::review::{
    Attempt, Category, DecisionReview, Depth, DrawReview, Fact, FactKind, PlayerReview, Reason,
    Source, Step, Worth,
};

/// The engine's word for a depth.
#[must_use]
pub const fn depth_of(depth: ReviewDepth) -> Depth {
    match depth {
        ReviewDepth::Quick => Depth::Quick,
        ReviewDepth::Deep => Depth::Deep,
    }
}

pub(crate) fn told_review(review: bots::review::Review) -> Review {
    Review {
        depth: match review.depth {
            Depth::Quick => ReviewDepth::Quick,
            Depth::Deep => ReviewDepth::Deep,
        },
        net: review.net,
        finished: review.finished,
        steps: review.steps.iter().map(told_step).collect(),
        players: review.players.iter().map(told_player).collect(),
    }
}

pub(crate) fn told_step(step: &Step) -> ReviewStep {
    match &step.rounded() {
        Step::Draw(draw) => ReviewStep::Draw(told_draw(draw)),
        Step::Decision(decision) => ReviewStep::Decision(Box::new(told_decision(decision))),
    }
}

fn told_draw(draw: &DrawReview) -> ReviewedDraw {
    ReviewedDraw {
        ply: draw.ply,
        player: draw.player,
        drawn: draw.drawn.clone(),
        tiles_left: draw.tiles_left,
        before: worths(&draw.before),
        after: worths(&draw.after),
        luck: worths(&draw.luck),
        exact: draw.exact,
    }
}

fn told_decision(decision: &DecisionReview) -> ReviewedDecision {
    ReviewedDecision {
        ply: decision.ply,
        player: decision.player,
        choices: decision.choices,
        played: decision.played.clone(),
        best: decision.best.clone(),
        measured: worths(&decision.measured),
        error: worth(decision.error),
        loss: worth(decision.loss),
        category: told_category(decision.category),
        exact: decision.exact,
        lines: decision
            .lines
            .iter()
            .map(|line| ReviewTurn { moves: line.moves.clone(), value: worth(line.value) })
            .collect(),
        reasons: decision.reasons.iter().map(told_reason).collect(),
        facts: decision.facts.iter().map(told_fact).collect(),
    }
}

fn told_player(player: &PlayerReview) -> ReviewedPlayer {
    ReviewedPlayer {
        result: worth(player.result),
        start: worth(player.start),
        luck: worth(player.luck),
        skill: worth(player.skill),
        rest: worth(player.rest),
        accuracy: player.accuracy,
        loss: worth(player.loss),
        decisions: player.decisions,
        categories: player.categories.to_vec(),
    }
}

fn told_reason(reason: &Reason) -> ReviewReason {
    ReviewReason {
        player: reason.player,
        source: told_source(reason.source),
        points: reason.points,
        error: reason.error,
    }
}

fn told_fact(fact: &Fact) -> ReviewFact {
    ReviewFact {
        best: fact.best,
        what: match fact.what {
            FactKind::Scores => ReviewFactKind::Scores,
            FactKind::Gives => ReviewFactKind::Gives,
            FactKind::Frees => ReviewFactKind::Frees,
            FactKind::LastMeeple => ReviewFactKind::LastMeeple,
            FactKind::Shares => ReviewFactKind::Shares,
            FactKind::TakesOver => ReviewFactKind::TakesOver,
            FactKind::Blocks => ReviewFactKind::Blocks,
        },
        source: fact.source.map(told_source),
        count: fact.count,
    }
}

const fn told_category(category: Category) -> ReviewCategory {
    match category {
        Category::Best => ReviewCategory::Best,
        Category::Good => ReviewCategory::Good,
        Category::Inaccuracy => ReviewCategory::Inaccuracy,
        Category::Mistake => ReviewCategory::Mistake,
        Category::Blunder => ReviewCategory::Blunder,
    }
}

const fn told_source(source: Source) -> ReviewSource {
    match source {
        Source::City => ReviewSource::City,
        Source::Road => ReviewSource::Road,
        Source::Monastery => ReviewSource::Monastery,
        Source::Field => ReviewSource::Field,
        Source::Garden => ReviewSource::Garden,
        Source::Goods => ReviewSource::Goods,
        Source::Meeples => ReviewSource::Meeples,
        Source::Later => ReviewSource::Later,
    }
}

/// What a turn that was tried is worth.
#[must_use]
pub fn told_attempt(attempt: &Attempt) -> TriedTurn {
    TriedTurn {
        measured: worth(attempt.measured.rounded()),
        error: worth(attempt.error.rounded()),
        loss: worth(attempt.loss.rounded()),
        category: told_category(attempt.category),
        exact: attempt.exact,
        reasons: attempt.reasons.iter().map(|reason| told_reason(&reason.rounded())).collect(),
        facts: attempt.facts.iter().map(told_fact).collect(),
    }
}

fn worths(worths: &[Worth]) -> Vec<ReviewWorth> {
    worths.iter().copied().map(worth).collect()
}

const fn worth(worth: Worth) -> ReviewWorth {
    ReviewWorth { margin: worth.margin, win: worth.win }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Stop;

    /// The engine in the browser writes the engine's own types: the page reads both alike.
    #[test]
    fn what_is_told_is_what_the_engine_itself_writes() {
        let record = "carcassonne\nD; 0,1 r2; city0\nU; -1,0 r0; field0\nV; 1,1 r0; field1";
        let record: game::Record<carcassonne::Carcassonne> = record.parse().unwrap();
        let each = &mut |_: &Step, _: usize, _: usize| {};
        let made = bots::review::review(&record, Depth::Quick, &Stop::new(), each).unwrap();
        let mut own = serde_json::to_value(made.clone().rounded()).unwrap();
        own.as_object_mut().unwrap().remove("setup");
        assert_eq!(serde_json::to_value(told_review(made)).unwrap(), own);
    }
}
