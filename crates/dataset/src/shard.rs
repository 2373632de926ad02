//! Games put together as the arrays of a shard.

use crate::game_rows::GameRows;
use crate::maker::Judging;
use crate::npz::Array;
use carcassonne::tensor::Version;

/// The arrays of these games: `history` and `offsets` are all numbers of all games, `rows` where each
/// game's decisions begin, the rest is by decision; `scores` by game.
pub(crate) fn arrays(
    games: &[GameRows],
    players: usize,
    version: Version,
    judging: Option<&Judging>,
) -> Vec<Array> {
    let mut arrays = vec![
        Array::list("history", &joined(games, |game| &game.history)),
        Array::list("offsets", &ends(games.iter().map(|game| game.history.len()))),
        Array::list("rows", &ends(games.iter().map(|game| game.actions.len()))),
        Array::list("action", &joined(games, |game| &game.actions)),
        Array::list("seat", &joined(games, |game| &game.seats)),
        Array::rows("scores", players, &joined(games, |game| &game.scores)),
        Array::text("tensors", version.name()),
    ];
    let Some(judging) = judging else { return arrays };
    arrays.push(Array::rows("values", players, &joined(games, |game| &game.values)));
    if judging.policy {
        let decisions = || games.iter().flat_map(|game| &game.policy);
        let (actions, values): (Vec<i32>, Vec<f32>) = decisions().flatten().copied().unzip();
        arrays.push(Array::list("policy_offsets", &ends(decisions().map(Vec::len))));
        arrays.push(Array::list("policy_actions", &actions));
        arrays.push(Array::list("policy_values", &values));
    }
    if judging.luck {
        arrays.push(Array::rows("luck", players, &joined(games, |game| &game.luck)));
    }
    arrays
}

fn joined<N: Copy>(games: &[GameRows], part: impl Fn(&GameRows) -> &Vec<N>) -> Vec<N> {
    games.iter().flat_map(|game| part(game).iter().copied()).collect()
}

/// 0, and the sum of the lengths up to each.
fn ends(lengths: impl Iterator<Item = usize>) -> Vec<i64> {
    let sums = lengths.scan(0, |sum, length| {
        *sum += length as i64;
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}
