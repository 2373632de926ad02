//! Carcassonne for Python: one state, and thousands of games at once.

mod any_game;
mod arrays;
pub(crate) mod batch;
mod dealer;
pub(crate) mod games;
pub(crate) mod replayed;
pub(crate) mod state;
mod sub_envs;

pub(crate) use any_game::{AnyAgent, AnyGame, OfEdition, either, observed};
pub(crate) use dealer::Dealer;
pub(crate) use state::CarcassonneState;

use crate::errors::value_error;
use crate::options::choose;
use carcassonne::tensor::{self, Numbering, Version};
use carcassonne::{ExpandedSetup, Options};
use game::{Game, ignore};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Reads a setup: a name, or options, where the board is 35×35 unless it is named.
pub(crate) fn read_setup(text: &str) -> PyResult<ExpandedSetup> {
    tensor::read_setup(text).map_err(value_error)
}

/// The same setup on a square board.
pub(crate) fn with_side(setup: &ExpandedSetup, side: usize) -> PyResult<ExpandedSetup> {
    tensor::with_side(setup, side).map_err(value_error)
}

/// The numbering of a setup that environments can play, of the version named or of the oldest that knows it.
pub(crate) fn playable(setup: &ExpandedSetup, tensors: Option<&str>) -> PyResult<Numbering> {
    let known = Version::ALL.map(|version| (version.name(), version));
    let version = tensors.map(|name| choose("tensors", name, &known)).transpose()?;
    tensor::numbering_of(setup, version).map_err(value_error)
}

/// The legal moves as numbers, ascending.
pub(crate) fn sorted_numbers(numbering: Numbering, moves: &[carcassonne::Move]) -> Vec<u32> {
    let mut numbers: Vec<u32> = moves.iter().filter_map(|m| numbering.number(*m)).collect();
    numbers.sort_unstable();
    numbers
}

/// Why an action is not legal, with what is.
pub(crate) fn refusal<G>(game: &G, numbering: Numbering, action: i64) -> String
where
    G: Game<Move = carcassonne::Move>,
{
    let known = u32::try_from(action).ok().and_then(|number| numbering.action(number));
    match known {
        None => format!("action {action} is out of bounds: actions are 0 to {}", numbering.pass()),
        Some(m) => match { game.clone() }.play(m, ignore) {
            Err(illegal) => format!("action {action}: {illegal}"),
            Ok(()) => format!("action {action} is legal"),
        },
    }
}

/// The sizes of a setup's arrays, and the names of its planes.
#[pyfunction]
#[pyo3(signature = (setup="standard", tensors=None))]
pub(crate) fn layout<'py>(
    py: Python<'py>,
    setup: &str,
    tensors: Option<&str>,
) -> PyResult<Bound<'py, PyDict>> {
    let setup = read_setup(setup)?;
    let numbering = playable(&setup, tensors)?;
    let (version, players) = (numbering.version(), setup.rules().players());
    let fresh = AnyGame::new(&setup);
    let lying = either!(&fresh, game => game.tiles().len());
    let tiles = fresh.bag().iter().map(|left| usize::from(*left)).sum::<usize>() + lying;
    let features = version.feature_rows(players) * version.feature_width(players);
    let dict = PyDict::new(py);
    dict.set_item("version", version.number())?;
    dict.set_item("tensors", version.name())?;
    dict.set_item("setup", setup.to_string())?;
    dict.set_item("players", players)?;
    dict.set_item("board_size", numbering.side())?;
    dict.set_item("tiles", tiles)?;
    dict.set_item("chance_outcomes", fresh.bag().len())?;
    dict.set_item("actions", numbering.actions())?;
    dict.set_item("compact", version.compact_len(players))?;
    dict.set_item("globals", version.globals_len(players))?;
    dict.set_item("features_at", version.globals_len(players))?;
    dict.set_item("feature_rows", version.feature_rows(players))?;
    dict.set_item("feature_width", version.feature_width(players))?;
    dict.set_item("tiles_at", version.globals_len(players) + features)?;
    dict.set_item("tile_width", version.tile_width())?;
    dict.set_item("planes", version.plane_names(players))?;
    dict.set_item("planes_max", version.largest_in_planes())?;
    Ok(dict)
}
