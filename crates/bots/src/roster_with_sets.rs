//! Players of Carcassonne with sets, by name.
//!
//! The nets read the inputs of the base game, so these players value positions by the projected
//! score. The searches need nothing more: a second turn part that a builder gives is one more draw
//! whose next mover is the same player, and they ask every position who moves.

use crate::error::BotError;
use crate::judge::Projected;
use crate::roster::{BotSpec, Params, exact_limits};
use crate::value::Projection;
use carcassonne::Expanded;
use game::Game;
use search::{
    Agent, Expectimax, ExpectimaxParams, GreedyParams, Limits, Lookahead, Parallel, Solver, Uct,
    Uniform, WithEndings,
};

/// Who plays games with sets, each with a line about it.
pub const NAMES_WITH_SETS: [(&str, &str); 6] = [
    ("random", "any legal move"),
    ("greedy", "one ply on the projected score; meeple=POINTS in hand"),
    ("mcts", "UCT with random playouts; c=CONSTANT"),
    ("star", "expectimax with Star2.5 on the projected score; prune=, width=N, root=N"),
    ("look", "two turns over all draws on the projected score; width=N, tie=POINTS, on=TURNS"),
    ("best", "look with exact endings"),
];

/// Makes a player of games with sets.
///
/// # Errors
/// If the name or a parameter is unknown; the error says what is known.
pub fn make_with_sets(spec: &BotSpec) -> Result<Box<dyn Agent<Expanded>>, BotError> {
    let mut given = Params::of(spec)?;
    let threads = given.threads;
    let judge = Projected(Projection::default());
    let player: Box<dyn Agent<Expanded>> = match spec.name.as_str() {
        "random" => Box::new(Uniform::default()),
        "greedy" => {
            let judge = Projected(Projection { meeple: given.or("meeple", judge.0.meeple)? });
            Box::new(search::Greedy::<Expanded, _>::new(GreedyParams::default(), judge))
        }
        "mcts" => {
            let uct: Uct<Expanded> = Uct::new(given.uct()?);
            Box::new(Parallel::new(vec![uct; threads]))
        }
        "star" => {
            let star = Expectimax::<Expanded, _>::new(given.star()?, judge);
            Box::new(star.with_threads(threads))
        }
        "look" => Box::new(Lookahead::new(given.look_params()?, judge).with_threads(threads)),
        "best" => {
            let look = Lookahead::new(given.look_params()?, judge).with_threads(threads);
            let end = Projected(Projection { meeple: 0.0 });
            let solver = Solver::<Expanded, _>::new(ExpectimaxParams::default(), end);
            Box::new(WithEndings::new(look, solver.with_threads(threads), ending_limits))
        }
        name => {
            let known = NAMES_WITH_SETS.iter().map(|(name, _)| *name).collect();
            return Err(BotError::NameWithSets { name: game::excerpt(name, 40), known });
        }
    };
    given.all_used()?;
    Ok(player)
}

/// When the last tiles are played exactly. More figures can be put down than in the base game and a
/// turn may have two parts, so the search begins a tile later.
fn ending_limits(game: &Expanded, limits: &Limits) -> Option<Limits> {
    exact_limits(game.tiles_left(), usize::from(game.players() == 2), limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Random;
    use search::{Stop, play_turn};

    fn spec(text: &str) -> BotSpec {
        text.parse().unwrap()
    }

    #[test]
    fn whole_games_with_every_set_are_played() {
        let setup = "players=2 sets=inns,traders,river,gardens".parse().unwrap();
        let mut random = Random::new(5);
        for names in [["greedy", "random"], ["star:width=2,root=3", "best:width=2"]] {
            let mut players = names.map(|name| make_with_sets(&spec(name)).unwrap());
            let mut game = Expanded::new(&setup);
            let (mut doubled, mut last) = (0, None);
            while game.turn() != game::Turn::Over {
                if let Some(draw) = game.sample_outcome(&mut random) {
                    game.play_unchecked(draw, |_| {});
                    continue;
                }
                let seat = game.player().index();
                doubled += u32::from(game.is_second_part());
                let report = players[seat].search(&game, &Limits::nodes(60), &Stop::new());
                let after = play_turn(&game, &report.turn).expect("a bot's turn is legal");
                assert_ne!(after.turn(), game.turn(), "a turn part is played to its end");
                (game, last) = (after, Some(seat));
            }
            assert!(last.is_some() && doubled > 0, "{names:?}: no builder gave a second part");
        }
    }

    #[test]
    fn who_does_not_play_with_sets_is_refused_by_name() {
        let refused = |text| make_with_sets(&spec(text)).err().unwrap().to_string();
        let by_name = "no bot that plays with sets is called 'net'; known: random";
        assert!(refused("net").starts_with(by_name));
        assert!(refused("mcts:width=3").contains("it has: threads, c"));
    }
}
