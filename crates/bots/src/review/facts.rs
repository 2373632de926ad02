//! What a turn does at once: facts of the position that a reason in words can name.

use super::reasons::source_of;
use super::report::{Fact, FactKind};
use carcassonne::{Edition, Event, FeatureId, FeatureSummary, Move, Position};
use game::{Game, Player, Turn};

/// What the engine's turn does and the played one does not, and the other way round.
pub(crate) fn facts<E: Edition>(
    position: &Position<E>,
    best: &[Move],
    played: &[Move],
) -> Vec<Fact> {
    let Turn::Player(me) = position.turn() else { return Vec::new() };
    let [of_best, of_played] = [(best, true), (played, false)]
        .map(|(turn, is_best)| facts_of(position, turn, me, is_best));
    let only = |these: &[Fact], those: &[Fact]| -> Vec<Fact> {
        let same = |a: &Fact, b: &Fact| (a.what, a.source, a.count) == (b.what, b.source, b.count);
        these.iter().filter(|fact| !those.iter().any(|other| same(fact, other))).copied().collect()
    };
    let mut found = only(&of_best, &of_played);
    found.extend(only(&of_played, &of_best));
    found
}

fn facts_of<E: Edition>(
    position: &Position<E>,
    turn: &[Move],
    me: Player,
    best: bool,
) -> Vec<Fact> {
    let mut after = position.clone();
    let mut events = Vec::new();
    turn.iter().for_each(|m| after.play_unchecked(*m, |event| events.push(event)));
    let mut found = Vec::new();
    let mut add = |what, source, count: Option<i32>| found.push(Fact { best, what, source, count });
    for event in &events {
        let Event::FeatureScored(score) = event else { continue };
        let source = source_of(Some(score.terrain));
        let points = Some(i32::from(score.points));
        if score.player == me {
            add(FactKind::Scores, Some(source), points);
        } else if !score.owners.contains(me) {
            add(FactKind::Gives, Some(source), points);
        }
    }
    for (taken, shared) in won_features(position, &after, &events, me) {
        let what = if shared { FactKind::Shares } else { FactKind::TakesOver };
        add(what, Some(source_of(Some(taken.terrain))), Some(taken.points.into()));
    }
    let [before, now] = [position.supply()[me], after.supply()[me]].map(i32::from);
    if now > before {
        add(FactKind::Frees, None, Some(now - before));
    }
    if now == 0 && before > 0 {
        add(FactKind::LastMeeple, None, None);
    }
    let dead = |position: &Position<E>| i32::try_from(position.dead_cells().len()).unwrap_or(0);
    // Other cells may die because the tile has left the bag: both turns have that in common.
    let more = dead(&after) - dead(position);
    if more > 0 {
        add(FactKind::Blocks, None, Some(more));
    }
    found
}

/// Unfinished features of others in which the player has a majority now, and whether it is shared.
fn won_features<E: Edition>(
    before: &Position<E>,
    after: &Position<E>,
    events: &[Event],
    me: Player,
) -> Vec<(FeatureSummary, bool)> {
    let mut theirs = Vec::new();
    before.for_each_feature(|feature| {
        if !feature.owners.is_empty() && !feature.owners.contains(me) && !feature.finished {
            theirs.push(now_called(feature.id, events));
        }
    });
    let mut won = Vec::new();
    after.for_each_feature(|feature| {
        let mine = feature.owners.contains(me) && !feature.finished;
        if mine && theirs.contains(&feature.id) {
            won.push((feature, feature.owners.len() > 1));
        }
    });
    won
}

/// The id of a feature after others were joined to it.
fn now_called(mut id: FeatureId, events: &[Event]) -> FeatureId {
    for event in events {
        if let Event::FeatureMerged { kept, gone, .. } = event
            && *gone == id
        {
            id = *kept;
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Source;
    use carcassonne::Carcassonne;
    use game::Record;

    fn facts_at(record: &str, best: &str, played: &str) -> Vec<Fact> {
        let record: Record<Carcassonne> = record.parse().unwrap();
        let position = record.replay().unwrap();
        let read = |text: &str| -> Vec<Move> {
            text.split(';').map(|m| m.trim().parse().unwrap()).collect()
        };
        facts(&position, &read(best), &read(played))
    }

    #[test]
    fn a_city_that_is_finished_scores_and_frees_its_meeple() {
        // The start tile's city is open to the north; E closes it from there.
        let found = facts_at("carcassonne\nE", "0,1 r2; city0", "1,0 r1; city0");
        let scores = |best| Fact {
            best,
            what: FactKind::Scores,
            source: Some(Source::City),
            count: Some(4),
        };
        assert!(found.contains(&scores(true)), "{found:?}");
        assert!(!found.contains(&scores(false)), "{found:?}");
    }

    #[test]
    fn what_both_turns_do_is_no_fact() {
        assert_eq!(facts_at("carcassonne\nE", "0,1 r2; city0", "0,1 r2; city0"), []);
    }
}
