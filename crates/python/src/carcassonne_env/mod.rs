//! Carcassonne for Python: one state, and thousands of games at once.

mod arrays;
pub(crate) mod batch;
mod dealer;
mod lanes;
pub(crate) mod state;

pub(crate) use dealer::Dealer;
pub(crate) use state::CarcassonneState;

use crate::errors::value_error;
use carcassonne::tensor::{self, Numbering};
use carcassonne::{Carcassonne, Extent, Setup, Start};
use game::ignore;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The board where a setup names none.
const SIDE: u8 = 35;

/// Setups with a name of their own.
pub(crate) const NAMED_SETUPS: [(&str, &str); 4] = [
    ("standard", "players=2 board=35x35"),
    ("model-35", "players=2 farmers=off start=empty board=35x35"),
    ("model-30", "players=2 farmers=off start=empty board=30x30"),
    ("model-30-start", "players=2 farmers=off start=tile board=30x30"),
];

/// Reads a setup: a name, or options, where the board is 35×35 unless it is named.
pub(crate) fn read_setup(text: &str) -> PyResult<Setup> {
    let named = NAMED_SETUPS.iter().find(|(name, _)| *name == text.trim());
    let setup: Setup = named.map_or(text, |(_, setup)| setup).parse().map_err(|error| {
        let names: Vec<_> = NAMED_SETUPS.iter().map(|(name, _)| *name).collect();
        value_error(format!("{error}; or one of the names {}", names.join(", ")))
    })?;
    // Learners need planes and numbers of one size: no board without an edge.
    let says_board = text.split_whitespace().any(|option| option.starts_with("board="));
    match setup.board() {
        Extent::Unlimited if !says_board => {
            setup.with_board(Extent::Square(SIDE)).map_err(value_error)
        }
        _ => Ok(setup),
    }
}

/// The numbering of a setup that environments can play: a square board on which somebody moves.
pub(crate) fn playable(setup: &Setup) -> PyResult<Numbering> {
    let numbering = Numbering::new(setup).map_err(value_error)?;
    match (numbering.side(), setup.start) {
        (1, Start::Tile) => Err(value_error(
            "board=1x1 with a start tile leaves nothing to decide; use board=2x2 or more",
        )),
        _ => Ok(numbering),
    }
}

/// The legal moves as numbers, ascending.
pub(crate) fn sorted_numbers(numbering: Numbering, moves: &[carcassonne::Move]) -> Vec<u32> {
    let mut numbers: Vec<u32> = moves.iter().filter_map(|m| numbering.number(*m)).collect();
    numbers.sort_unstable();
    numbers
}

/// Why an action is not legal, with what is.
pub(crate) fn refusal(game: &Carcassonne, numbering: Numbering, action: i64) -> String {
    use game::Game;
    let known = u32::try_from(action).ok().and_then(|number| numbering.action(number));
    match known {
        None => format!("action {action} does not exist; actions are 0 to {}", numbering.pass()),
        Some(m) => match { game.clone() }.play(m, ignore) {
            Err(illegal) => format!("action {action}: {illegal}"),
            Ok(()) => format!("action {action} is legal"),
        },
    }
}

/// The sizes of a setup's arrays, and the names of its planes.
#[pyfunction]
#[pyo3(signature = (setup="standard"))]
pub(crate) fn layout<'py>(py: Python<'py>, setup: &str) -> PyResult<Bound<'py, PyDict>> {
    let setup = read_setup(setup)?;
    let numbering = playable(&setup)?;
    let players = setup.players();
    let dict = PyDict::new(py);
    dict.set_item("version", tensor::VERSION)?;
    dict.set_item("setup", setup.to_string())?;
    dict.set_item("players", players)?;
    dict.set_item("board_size", numbering.side())?;
    dict.set_item("actions", numbering.actions())?;
    dict.set_item("compact", tensor::compact_len(players))?;
    dict.set_item("globals", tensor::globals_len(players))?;
    dict.set_item("features_at", tensor::globals_len(players))?;
    dict.set_item("feature_rows", tensor::feature_rows(players))?;
    dict.set_item("feature_width", tensor::FEATURE_HEAD + players)?;
    let wide = tensor::feature_rows(players) * (tensor::FEATURE_HEAD + players);
    dict.set_item("tiles_at", tensor::globals_len(players) + wide)?;
    dict.set_item("tile_width", tensor::TILE_ROW)?;
    dict.set_item("planes", tensor::plane_names(players))?;
    Ok(dict)
}
