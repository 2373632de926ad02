//! Numpy arrays that several threads write, each its own rows.

use crate::errors::{BusyError, value_error};
use numpy::ndarray::{Dimension, IxDyn};
use numpy::{
    Element, PyArray, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;

/// The rest of an array, cut off row by row from the front.
pub(crate) struct Cut<'a, T> {
    rest: &'a mut [T],
    wide: usize,
}

impl<'a, T> Cut<'a, T> {
    pub(crate) fn next(&mut self, rows: usize) -> &'a mut [T] {
        let rest = std::mem::take(&mut self.rest);
        let (rows, rest) = rest.split_at_mut(rows * self.wide);
        self.rest = rest;
        rows
    }
}

pub(crate) fn cut<'a, T: Element, D: Dimension>(
    array: &'a mut PyReadwriteArray<'_, T, D>,
) -> PyResult<Cut<'a, T>> {
    let wide = array.shape().iter().skip(1).product();
    let rest = array.as_slice_mut().map_err(value_error)?;
    Ok(Cut { rest, wide })
}

pub(crate) fn open<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    array: &Py<PyArray<T, D>>,
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    let taken = || BusyError::new_err("an array of this environment is being written elsewhere");
    array.bind(py).try_readwrite().map_err(|_| taken())
}

/// Takes an array of the caller's for writing: so many rows of so many entries.
pub(crate) fn open_given<'py, T: Element>(
    array: &Bound<'py, PyArrayDyn<T>>,
    (rows, wide): (usize, usize),
) -> PyResult<PyReadwriteArray<'py, T, IxDyn>> {
    let taken = || BusyError::new_err("an array of this environment is being written elsewhere");
    let shape = array.shape();
    if shape.first() != Some(&rows) || shape.iter().skip(1).product::<usize>() != wide {
        return Err(value_error(format!(
            "an array of {rows} rows of {wide} entries is to be written, found shape {shape:?}"
        )));
    }
    array.try_readwrite().map_err(|_| taken())
}

pub(crate) fn zeros<T: Element>(py: Python<'_>, rows: usize, wide: usize) -> Py<PyArray2<T>> {
    PyArray2::zeros(py, [rows, wide], false).unbind()
}

/// The entries of an array of one dimension.
pub(crate) fn listed<'a, T: Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|_| value_error("expected a C-contiguous array"))
}

/// An array with an entry for each game: the actions of a step, say.
pub(crate) fn one_each<'a, T: Element>(
    array: &'a PyReadonlyArray1<'_, T>,
    games: usize,
) -> PyResult<&'a [T]> {
    let entries = listed(array)?;
    match entries.len() == games {
        true => Ok(entries),
        false => Err(value_error(format!("expected shape ({games},), found ({},)", entries.len()))),
    }
}
