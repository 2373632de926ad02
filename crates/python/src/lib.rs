//! The native part of the Python package: thin glue over the rules, the bots and numpy.
//!
//! `carcassonne_env` and `tinytown_env` are states, batches and graphs; `bot`, `datasets`, `tools`, `pictures`
//! what their names say; `pool` the threads, `exclusive` one thread at a time, `interruptible` long work
//! that Ctrl-C ends. A batch is cut into chunks of games; each chunk writes its own rows of the
//! numpy arrays, only what changed, with the interpreter's lock released. The forms of Gymnasium
//! and PettingZoo are Python, in `crates/python/python/bastide`.

#![forbid(unsafe_code)]

mod arrays;
mod bot;
mod carcassonne_env;
mod datasets;
mod errors;
mod exclusive;
mod interruptible;
mod memory;
mod numbers;
mod options;
mod pictures;
mod pool;
mod tinytown_env;
mod tools;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::register(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    let versions = carcassonne::tensor::Version::ALL;
    module.add("CARCASSONNE_TENSOR_VERSION", versions[0].number())?;
    let names = PyTuple::new(module.py(), versions.map(carcassonne::tensor::Version::name))?;
    module.add("CARCASSONNE_TENSOR_VERSIONS", names)?;
    module.add("TINYTOWN_TENSOR_VERSION", tinytown::tensor::VERSION)?;
    let setups = PyDict::new(module.py());
    for (name, setup) in carcassonne::tensor::NAMED_SETUPS {
        setups.set_item(name, setup)?;
    }
    module.add("CARCASSONNE_SETUPS", setups)?;
    module.add_class::<carcassonne_env::CarcassonneState>()?;
    module.add_class::<carcassonne_env::Dealer>()?;
    module.add_class::<carcassonne_env::batch::CarcassonneGames>()?;
    module.add_class::<tinytown_env::state::TinytownState>()?;
    module.add_class::<tinytown_env::batch::TinytownGames>()?;
    module.add_class::<tinytown_env::graph::TinytownGraph>()?;
    module.add_class::<tinytown_env::optimal::TinytownOptimal>()?;
    module.add_class::<bot::Bot>()?;
    module.add_class::<datasets::DatasetMaker>()?;
    module.add_function(wrap_pyfunction!(carcassonne_env::layout, module)?)?;
    module.add_function(wrap_pyfunction!(carcassonne_env::replayed::replay_into, module)?)?;
    module.add_function(wrap_pyfunction!(tinytown_env::optimal::tinytown_counts, module)?)?;
    module.add_function(wrap_pyfunction!(bot::solve_ending, module)?)?;
    module.add_function(wrap_pyfunction!(bot::bot_names, module)?)?;
    module.add_function(wrap_pyfunction!(bot::level_names, module)?)?;
    module.add_function(wrap_pyfunction!(tools::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(tools::replay, module)?)?;
    module.add_function(wrap_pyfunction!(tools::review, module)?)?;
    Ok(())
}
