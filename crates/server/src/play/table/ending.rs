//! How games end: places, winners, and what is written about them.

use super::seats::Out;
use super::state::Table;
use crate::play::games::Hosted;
use crate::storage::db::journal::Statement;
use crate::wire::{GameResult, Reason};

/// The result when the game ends with these scores. Seats that are out come last, the first to go
/// at the very end.
pub(super) fn result(scores: Vec<i32>, outs: &[Option<Out>], reason: Reason) -> GameResult {
    let inside = outs.iter().filter(|out| out.is_none()).count();
    let better = |seat: usize| match outs[seat] {
        None => (0..scores.len())
            .filter(|other| outs[*other].is_none() && scores[*other] > scores[seat])
            .count(),
        Some(out) => inside + outs.iter().flatten().filter(|other| other.order > out.order).count(),
    };
    let places: Vec<usize> = (0..scores.len()).map(|seat| better(seat) + 1).collect();
    let winners =
        (0..scores.len()).filter(|seat| outs[*seat].is_none() && places[*seat] == 1).collect();
    GameResult { winners, scores, places, reason }
}

/// The result of a game that both players call a draw.
pub(super) fn agreed(scores: Vec<i32>) -> GameResult {
    let seats = scores.len();
    GameResult {
        winners: (0..seats).collect(),
        scores,
        places: vec![1; seats],
        reason: Reason::Draw,
    }
}

/// The result of a game that was called off: nobody won, nobody has a place.
pub(super) fn aborted(scores: Vec<i32>) -> GameResult {
    GameResult { winners: Vec::new(), scores, places: Vec::new(), reason: Reason::Abort }
}

impl<G: Hosted> Table<G> {
    /// What is written when the game ends in a position.
    pub(super) fn ending(
        &self,
        game: &G,
        tally: &G::Tally,
        turns: usize,
        result: &GameResult,
        at: i64,
    ) -> Vec<Statement> {
        let breakdown = game.breakdown(tally);
        let mut statements = vec![Statement::guarded(
            "UPDATE games SET status = 'over', ended = $1, result = $2, turns = $3 \
             WHERE id = $4 AND status <> 'over'",
            vec![
                at.into(),
                json(result).into(),
                i64::try_from(turns).unwrap_or(i64::MAX).into(),
                self.facts.id.as_str().into(),
            ],
        )];
        for (seat, score) in result.scores.iter().enumerate() {
            let place = result.places.get(seat).map(|place| *place as i64);
            let points = breakdown.get(seat).map(json);
            statements.push(Statement::new(
                "UPDATE seats SET score = $1, place = $2, breakdown = $3 \
                 WHERE game_id = $4 AND seat = $5",
                vec![
                    i64::from(*score).into(),
                    place.into(),
                    points.into(),
                    self.facts.id.as_str().into(),
                    (seat as i64).into(),
                ],
            ));
        }
        statements
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_that_are_out_come_last_in_the_order_in_which_they_went() {
        let out = |order| Some(Out { reason: Reason::Resign, order });
        let outs = [None, out(0), None, out(1), None];
        let result = result(vec![50, 90, 10, 70, 50], &outs, Reason::Normal);
        assert_eq!(result.places, [1, 5, 3, 4, 1]);
        assert_eq!(result.winners, [0, 4]);
    }

    #[test]
    fn who_gives_up_a_game_for_one_has_not_won_it() {
        let result =
            result(vec![3], &[Some(Out { reason: Reason::Resign, order: 0 })], Reason::Resign);
        assert!(result.winners.is_empty());
    }
}
