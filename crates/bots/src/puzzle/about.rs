//! The themes of a puzzle, from facts of its position.

use super::Theme;
use crate::review::facts::facts;
use crate::review::reasons::reasons;
use crate::review::{Depth, Fact, FactKind, Reason, Source};
use crate::value::Learned;
use carcassonne::{Edition, Move, Position};
use game::{Game, Player, Turn, ignore};

/// It is an ending if each player has at most so many turns left.
const TURNS_OF_AN_ENDING: usize = 4;

/// What the best turn is about, compared with the best of the others.
pub(super) fn themes<E: Edition>(
    position: &Position<E>,
    [answer, rival]: [&[Move]; 2],
    learned: &mut Learned<E>,
    seed: u64,
) -> Vec<Theme> {
    let Turn::Player(me) = position.turn() else { return Vec::new() };
    let facts = facts(position, answer, rival);
    let reasons = reasons(position, [answer, rival], learned, Depth::Quick, seed);
    let does = |what: FactKind| facts.iter().any(|fact: &Fact| fact.best && fact.what == what);
    let in_hand = |turn: &[Move]| {
        let mut end = position.clone();
        turn.iter().for_each(|m| end.play_unchecked(*m, ignore));
        end.supply()[me]
    };
    let is = |theme: Theme| match theme {
        Theme::Field => is_about_fields(&reasons),
        Theme::Sharing => does(FactKind::Shares),
        Theme::Takeover => does(FactKind::TakesOver),
        Theme::Closing => does(FactKind::Scores),
        Theme::Meeples => in_hand(answer) > in_hand(rival),
        Theme::Blocking => is_against_others(&reasons, me),
        Theme::Ending => position.tiles_left() <= TURNS_OF_AN_ENDING * position.players(),
    };
    Theme::ALL.into_iter().filter(|theme| is(*theme)).collect()
}

/// Whether the largest part of the difference is scored in fields.
fn is_about_fields(reasons: &[Reason]) -> bool {
    let scored = |reason: &&Reason| !matches!(reason.source, Source::Meeples | Source::Later);
    reasons.iter().find(scored).is_some_and(|reason| reason.source == Source::Field)
}

/// Whether others lose more points by it than the player wins.
fn is_against_others(reasons: &[Reason], me: Player) -> bool {
    let points = |mine: bool| -> f64 {
        let counted = |reason: &&Reason| {
            (reason.player == me.index()) == mine && reason.source != Source::Meeples
        };
        reasons.iter().filter(counted).map(|reason| reason.points).sum()
    };
    -points(false) > points(true).max(0.0)
}
