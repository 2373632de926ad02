//! The native part of the Python package: thin glue over the rules, the bots and numpy.

#![forbid(unsafe_code)]

mod bot;
mod carcassonne_env;
mod errors;
mod options;
mod pool;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::register(module)?;
    module.add_class::<carcassonne_env::CarcassonneState>()?;
    module.add_class::<carcassonne_env::Dealer>()?;
    module.add_class::<carcassonne_env::batch::CarcassonneGames>()?;
    Ok(())
}
