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
use carcassonne::tensor::{Numbering, Version};
use carcassonne::{BoardSize, ExpandedSetup, Options, Setup, Start};
use game::{Game, ignore};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The board where a setup names none.
const SIDE: u8 = 35;

/// Setups with a name of their own.
pub(crate) const NAMED_SETUPS: [(&str, &str); 7] = [
    ("standard", "players=2 board=35x35"),
    ("model-35", "players=2 farmers=off start=empty board=35x35"),
    ("model-30", "players=2 farmers=off start=empty board=30x30"),
    ("model-30-start", "players=2 farmers=off start=tile board=30x30"),
    ("inns", "players=2 board=35x35 sets=inns"),
    ("inns-traders", "players=2 board=35x35 sets=inns,traders"),
    ("all-sets", "players=2 board=35x35 sets=inns,traders,river,gardens"),
];

/// Reads a setup: a name, or options, where the board is 35×35 unless it is named.
pub(crate) fn read_setup(text: &str) -> PyResult<ExpandedSetup> {
    let named = NAMED_SETUPS.iter().find(|(name, _)| *name == text.trim());
    let setup: ExpandedSetup = named.map_or(text, |(_, setup)| setup).parse().map_err(|error| {
        let names: Vec<_> = NAMED_SETUPS.iter().map(|(name, _)| *name).collect();
        value_error(format!("{error}; or one of the names {}", names.join(", ")))
    })?;
    // Learners need planes and numbers of one size: no board without an edge.
    let says_board = text.split_whitespace().any(|option| option.starts_with("board="));
    match setup.rules().board() {
        BoardSize::Unlimited if !says_board => with_side(&setup, SIDE.into()),
        _ => Ok(setup),
    }
}

/// The same setup on a square board.
pub(crate) fn with_side(setup: &ExpandedSetup, side: usize) -> PyResult<ExpandedSetup> {
    let wrong = || {
        let most = Setup::LARGEST_SQUARE;
        value_error(format!("board={side}: a square board has 1 to {most} cells a side"))
    };
    let square = BoardSize::Square(u8::try_from(side).map_err(|_| wrong())?);
    let rules = setup.rules().with_board(square).map_err(|_| wrong())?;
    ExpandedSetup::new(rules, setup.sets()).map_err(value_error)
}

/// The version of the numbers: the one named, or the oldest that knows the setup.
pub(crate) fn read_version(setup: &ExpandedSetup, tensors: Option<&str>) -> PyResult<Version> {
    let (sets, known) = (setup.sets(), Version::ALL.map(|version| (version.name(), version)));
    let version = match tensors {
        Some(name) => choose("tensors", name, &known)?,
        None if sets.is_empty() => Version::V1,
        None => Version::V2,
    };
    match sets.is_empty() || version.knows_sets() {
        true => Ok(version),
        false => Err(value_error(format!(
            "tensors='{}' has no numbers for sets={sets}; allowed: 'v2'",
            version.name()
        ))),
    }
}

/// The numbering of a setup that environments can play: a square board on which somebody moves.
pub(crate) fn playable(setup: &ExpandedSetup, tensors: Option<&str>) -> PyResult<Numbering> {
    let version = read_version(setup, tensors)?;
    let numbering = Numbering::new(setup.rules(), version).map_err(value_error)?;
    match (numbering.side(), setup.rules().start) {
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
