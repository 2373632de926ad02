//! Thinking ahead while somebody else's turn is on: the positions that will probably come are searched, so that the
//! answer is there, or better, when one of them has come.

use game::{Game, Turn, ignore};
use search::{Agent, GameClock, Limits, Report, Stop, play_turn};
use std::collections::HashMap;

/// What was found for positions that had not come yet.
pub(super) struct Foresight<G: Game> {
    /// Moves of the game when it was pondered.
    since: usize,
    /// By the moves since then.
    found: HashMap<Vec<G::Move>, Report<G::Move>>,
}

/// So many turns of the player to move are thought of.
const TURNS: usize = 3;

/// Nodes of the first round over all positions, and how many times more the next one has.
const FIRST: u64 = 1_000;
const MORE: u64 = 4;

impl<G: Game> Foresight<G> {
    /// Thinks about what may come after the first `since` moves of a game, deeper and deeper, until it is
    /// stopped or nothing more is to be found.
    pub(super) fn new(agent: &mut dyn Agent<G>, position: &G, since: usize, stop: &Stop) -> Self {
        let mut foresight = Self { since, found: HashMap::new() };
        let mut nodes = FIRST;
        loop {
            let mut deeper = false;
            for (moves, expected) in expected(agent, position, nodes, stop) {
                let before = foresight.found.get(&moves);
                // What did not use what it had will not use more.
                if before.is_some_and(|report| report.exact || report.nodes < nodes / MORE / 2) {
                    continue;
                }
                let report = agent.search(&expected, &Limits::nodes(nodes), stop);
                if stop.is_stopped() {
                    return foresight;
                }
                deeper = true;
                foresight.found.insert(moves, report);
            }
            if !deeper || stop.is_stopped() {
                return foresight;
            }
            nodes = nodes.saturating_mul(MORE);
        }
    }

    /// What is known of the position after these moves of the game.
    pub(super) fn of(&self, moves: &[G::Move]) -> Option<&Report<G::Move>> {
        self.found.get(moves.get(self.since..)?)
    }
}

/// Whether a search would know no more than what is known.
pub(super) fn is_enough<M>(known: &Report<M>, limits: &Limits) -> bool {
    let share = limits.clock.map(GameClock::share).or(limits.time);
    let in_time = share.is_some_and(|share| known.time >= share);
    let in_nodes = limits.nodes.is_some_and(|nodes| known.nodes >= nodes);
    known.exact || in_time || in_nodes
}

/// Positions in which somebody is to move after the turn that is on, each with the moves to it: after the best
/// turns as the bot sees them, with every draw, the likeliest first.
fn expected<G: Game>(
    agent: &mut dyn Agent<G>,
    position: &G,
    nodes: u64,
    stop: &Stop,
) -> Vec<(Vec<G::Move>, G)> {
    let ends: Vec<(Vec<G::Move>, G)> = match position.turn() {
        Turn::Over => return Vec::new(),
        Turn::Chance => vec![(Vec::new(), position.clone())],
        Turn::Player(_) => {
            let report = agent.search(position, &Limits::nodes(nodes), stop);
            let mut turns = vec![report.turn];
            turns.extend(report.lines.into_iter().map(|line| line.moves));
            turns.dedup();
            let end = |moves: Vec<G::Move>| play_turn(position, &moves).map(|end| (moves, end));
            turns.into_iter().take(TURNS).filter_map(end).collect()
        }
    };
    let mut found = Vec::new();
    for (moves, end) in ends {
        let mut draws = Vec::new();
        if end.turn() == Turn::Chance {
            end.moves(&mut draws);
        }
        draws.sort_by_key(|draw| std::cmp::Reverse(end.odds(*draw)));
        for draw in draws {
            let mut next = end.clone();
            next.play_unchecked(draw, ignore);
            // A tile that fits nowhere is followed by another draw.
            if matches!(next.turn(), Turn::Player(_)) {
                found.push((moves.iter().copied().chain([draw]).collect(), next));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::{Carcassonne, Move, Setup};
    use search::Uniform;
    use std::time::Duration;

    /// Plays anything, and stops whoever let it search so often.
    struct Counting {
        searches: u32,
        most: u32,
        stop: Stop,
        inner: Uniform,
    }

    impl Agent<Carcassonne> for Counting {
        fn search(&mut self, game: &Carcassonne, limits: &Limits, stop: &Stop) -> Report<Move> {
            self.searches += 1;
            if self.searches == self.most {
                self.stop.stop();
            }
            let nodes = limits.nodes.unwrap_or(0);
            Report { nodes, ..self.inner.search(game, limits, stop) }
        }
    }

    fn pondered(position: &Carcassonne, searches: u32) -> Foresight<Carcassonne> {
        let stop = Stop::new();
        let inner = Uniform::new();
        let mut agent = Counting { searches: 0, most: searches, stop: stop.clone(), inner };
        Foresight::new(&mut agent, position, 3, &stop)
    }

    fn position(moves: &str) -> Carcassonne {
        let mut game = Carcassonne::new(&Setup::default());
        for m in moves.split("; ") {
            game.play(m.parse().unwrap(), ignore).unwrap();
        }
        game
    }

    #[test]
    fn every_draw_is_thought_of_and_then_again_with_more() {
        let start = position("U; 1,0 r0; road0");
        let first = pondered(&start, 25);
        assert_eq!(first.found.len(), 24, "all kinds");
        let game: Vec<Move> = ["U", "1,0 r0", "road0", "E"].map(|m| m.parse().unwrap()).to_vec();
        assert_eq!(first.of(&game).unwrap().nodes, FIRST);
        assert!(first.of(&game[..3]).is_none() && first.of(&game[..1]).is_none());
        let second = pondered(&start, 49);
        assert_eq!(second.of(&game).unwrap().nodes, FIRST * MORE);
        // A search that was cut short is not kept.
        assert_eq!(pondered(&start, 2).found.len(), 1);
    }

    #[test]
    fn another_players_best_turns_are_expected() {
        let game = position("U; 1,0 r0; road0; E");
        let foresight = pondered(&game, 40);
        let expected = foresight.found.keys().next().expect("something is expected");
        let mut after = game.clone();
        for m in expected {
            after.play(*m, ignore).expect("what is expected is legal");
        }
        assert!(matches!(after.turn(), Turn::Player(_)));
    }

    #[test]
    fn what_is_known_is_enough_if_a_search_would_take_no_longer() {
        let ms = Duration::from_millis;
        let known = Report::<Move> { nodes: 500, time: ms(50), ..Report::default() };
        assert!(is_enough(&known, &Limits::nodes(500)) && !is_enough(&known, &Limits::nodes(501)));
        assert!(
            is_enough(&known, &Limits::time(ms(50))) && !is_enough(&known, &Limits::time(ms(51)))
        );
        let clock = |left| GameClock { left: ms(left), increment: ms(0), turns: 10 };
        assert!(is_enough(&known, &Limits::game_clock(clock(500))));
        assert!(!is_enough(&known, &Limits::game_clock(clock(1_000))));
        assert!(!is_enough(&known, &Limits::NONE) && !is_enough(&known, &Limits::depth(1)));
        let exact = Report { exact: true, ..known };
        assert!(is_enough(&exact, &Limits::NONE));
    }
}
