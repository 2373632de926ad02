//! How games end: places and winners.

use crate::play::table::seats::Dropouts;
use crate::wire::{GameResult, Reason};

/// The result when the game ends with these scores. Seats that are out have not won.
pub(super) fn result(scores: Vec<i32>, dropouts: &Dropouts, reason: Reason) -> GameResult {
    let places = dropouts.places(&scores);
    let won = |seat: &usize| dropouts.get(*seat).is_none() && places[*seat] == 1;
    let winners = (0..scores.len()).filter(won).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_those_who_play_on_win_together() {
        let mut dropouts = Dropouts::none(4);
        dropouts.put_out(1, Reason::Resign);
        let result = result(vec![50, 90, 10, 50], &dropouts, Reason::Normal);
        assert_eq!((result.winners, result.places), (vec![0, 3], vec![1, 4, 3, 1]));
    }

    #[test]
    fn who_gives_up_a_game_for_one_has_not_won_it() {
        let mut dropouts = Dropouts::none(1);
        dropouts.put_out(0, Reason::Resign);
        assert!(result(vec![3], &dropouts, Reason::Resign).winners.is_empty());
    }
}
