//! Pictures for Python: what is drawn comes from the crate `drawing`.

use crate::errors::value_error;
use carcassonne::Cell;
use carcassonne::tensor::Numbering;
use drawing::{Frame, Scene};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

/// The whole n×n board, so that every picture of a game has one size.
pub(crate) fn whole_board(numbering: Numbering) -> Frame {
    let (row, column) = numbering.row_column(Cell::ORIGIN);
    let side = numbering.side() as u16;
    Frame { west: -column, north: row, columns: side, rows: side }
}

/// The scene as an SVG document with so many pixels a cell.
pub(crate) fn svg(scene: &Scene, cell: usize) -> PyResult<String> {
    Ok(scene.svg(checked(cell)?))
}

/// The scene as an array of (height, width, 3) bytes with so many pixels a cell.
pub(crate) fn rgb<'py>(
    py: Python<'py>,
    scene: &Scene,
    cell: usize,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let cell = checked(cell)?;
    let (wide, high) = scene.size(cell);
    let (wide, high) = (wide as usize, high as usize);
    // Four bytes a pixel while it is drawn, three in the array.
    crate::memory::check("this picture", 7 * wide * high)?;
    let pixels =
        py.detach(|| scene.pixels(cell)).map_err(|error| value_error(error.to_string()))?;
    PyArray1::from_vec(py, pixels).reshape([high, wide, 3])
}

/// Refuses pictures that nobody could look at, or hold.
fn checked(cell: usize) -> PyResult<u32> {
    match u32::try_from(cell) {
        Ok(cell @ 1..=256) => Ok(cell),
        _ => Err(value_error(format!("cell={cell}: a cell has 1 to 256 pixels a side"))),
    }
}
