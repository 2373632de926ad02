//! One state of Tinytown.

use super::read_setup;
use crate::errors::{IllegalActionError, UnknownAction, value_error};
use crate::pictures;
use game::{Game, IllegalMove, ignore};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use tinytown::tensor::matrix_len;
use tinytown::{Action, Phase, Tinytown};

/// A state of Tinytown. Actions are compact numbers; vectors of six are read and written too.
#[pyclass(module = "bastide._native", from_py_object, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct TinytownState {
    pub(crate) town: Tinytown,
}

impl TinytownState {
    fn action(&self, number: i64) -> PyResult<Action> {
        self.known(number).map_err(value_error)
    }

    fn known(&self, number: i64) -> Result<Action, UnknownAction> {
        let size = self.town.size();
        let found = usize::try_from(number).ok().and_then(|n| Action::from_number(size, n));
        found.ok_or_else(|| {
            let (most, of) = (Action::count(size) - 1, Some(format!("of a {size} grid")));
            UnknownAction { number, most, of }
        })
    }

    /// Plays an action and gives the reward, or says why it is not legal.
    pub(super) fn play(&mut self, number: i64) -> Result<i32, ActionError> {
        let action = self.known(number).map_err(ActionError::Unknown)?;
        self.town.step(action).map_err(ActionError::Illegal)
    }

    pub(crate) fn number(&self, action: Action) -> PyResult<u8> {
        let size = self.town.size();
        action.number(size).ok_or_else(|| {
            value_error(format!("'{action}' can never be legal on a {size} grid: it has no number"))
        })
    }
}

/// Why an action cannot be played.
pub(super) enum ActionError {
    Unknown(UnknownAction),
    Illegal(IllegalMove),
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(error) => error.fmt(f),
            Self::Illegal(error) => error.fmt(f),
        }
    }
}

#[pymethods]
impl TinytownState {
    #[new]
    #[pyo3(signature = (setup="3x3"))]
    fn new(setup: &str) -> PyResult<Self> {
        Ok(Self { town: Tinytown::new(&read_setup(setup)?) })
    }

    /// The state that the specification's matrix stands for, row by row.
    #[staticmethod]
    fn from_matrix(setup: &str, matrix: Vec<Vec<i64>>) -> PyResult<Self> {
        let setup = read_setup(setup)?;
        let (rows, cols) = (setup.size.rows() + 1, setup.size.cols() + 1);
        if matrix.len() != rows || matrix.iter().any(|row| row.len() != cols) {
            let size = setup.size;
            return Err(value_error(format!(
                "a {size} grid has a matrix of {rows} rows of {cols}"
            )));
        }
        // What is no byte is no code either, and is refused with the others.
        let codes = matrix.concat().into_iter().map(|code| u8::try_from(code).unwrap_or(u8::MAX));
        let codes: Vec<u8> = codes.collect();
        let town = Tinytown::from_matrix(setup, &codes).map_err(value_error)?;
        Ok(Self { town })
    }

    /// The state that a line stands for, such as "gb./bC./... build".
    #[staticmethod]
    fn from_line(setup: &str, line: &str) -> PyResult<Self> {
        let town = Tinytown::from_line(read_setup(setup)?, line).map_err(value_error)?;
        Ok(Self { town })
    }

    /// The setup: the size, then the variant if it is not the specification's.
    #[getter]
    fn setup(&self) -> String {
        self.town.setup().to_string()
    }

    /// Rows and columns.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.town.size().rows(), self.town.size().cols())
    }

    /// "resource" or "building".
    #[getter]
    fn phase(&self) -> &'static str {
        match self.town.phase() {
            Phase::Resource => "resource",
            Phase::Building => "building",
        }
    }

    /// The specification's matrix: (n+1)×(m+1) codes.
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let size = self.town.size();
        let mut out = vec![0; matrix_len(size)];
        self.town.write_matrix(&mut out);
        PyArray1::from_vec(py, out).reshape([size.rows() + 1, size.cols() + 1])
    }

    /// The state as one line of text; `from_line` reads it back.
    fn line(&self) -> String {
        self.town.line()
    }

    /// How many compact actions there are: the length of a mask.
    fn num_distinct_actions(&self) -> usize {
        Action::count(self.town.size())
    }

    /// The legal actions, ascending.
    fn legal_actions(&self) -> Vec<usize> {
        let mut numbers = Vec::new();
        self.town.for_each_number(|number| numbers.push(number));
        numbers
    }

    /// A 1 for each legal action, 0 for the others.
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; Action::count(self.town.size())];
        self.town.write_mask(&mut mask);
        PyArray1::from_vec(py, mask)
    }

    /// Plays an action and gives the reward.
    fn apply_action(&mut self, action: i64) -> PyResult<i32> {
        self.play(action).map_err(|error| IllegalActionError::new_err(error.to_string()))
    }

    /// The state after an action; this one stays.
    fn child(&self, action: i64) -> PyResult<Self> {
        let mut child = self.clone();
        child.apply_action(action)?;
        Ok(child)
    }

    /// Each legal action with the state after it and the reward.
    fn successors(&self) -> Vec<(usize, Self, i32)> {
        let after = |number| {
            let mut town = self.town;
            town.play_unchecked(town.legal_number(number)?, ignore);
            Some((number, Self { town }, town.reward()))
        };
        self.legal_actions().into_iter().filter_map(after).collect()
    }

    /// A copy that goes its own way.
    #[pyo3(name = "clone")]
    fn copied(&self) -> Self {
        self.clone()
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.town.is_over()
    }

    /// What the grid would earn if the game ended now.
    fn points(&self) -> i32 {
        self.town.points()
    }

    /// How many cottages and greenhouses stand.
    fn buildings(&self) -> (usize, usize) {
        self.town.buildings()
    }

    /// An action as text, such as "brick 0,1" or "cottage 0,0 on 1,0".
    fn action_to_string(&self, action: i64) -> PyResult<String> {
        Ok(self.action(action)?.to_string())
    }

    /// The action that a text names; it need not be legal now.
    fn string_to_action(&self, text: &str) -> PyResult<u8> {
        let action: Action = text.parse().map_err(value_error)?;
        self.number(action)
    }

    /// The specification's six numbers of an action.
    fn action_to_vector(&self, action: i64) -> PyResult<[i64; 6]> {
        Ok(self.action(action)?.to_vector())
    }

    /// The compact number of the specification's six numbers; `None` for the many vectors that can
    /// never be legal and so have none.
    fn vector_to_action(&self, vector: Vec<i64>) -> PyResult<Option<u8>> {
        let size = self.town.size();
        let action = Action::from_vector(size, &vector).map_err(value_error)?;
        Ok(action.number(size))
    }

    /// The grid as an SVG picture.
    #[pyo3(signature = (cell=48))]
    fn svg(&self, cell: usize) -> PyResult<String> {
        pictures::svg(&drawing::tinytown(&self.town), cell)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(48)
    }

    /// The grid as pixels: (height, width, 3) bytes, `cell` pixels a square.
    #[pyo3(signature = (cell=48))]
    fn rgb<'py>(&self, py: Python<'py>, cell: usize) -> PyResult<Bound<'py, PyArray3<u8>>> {
        pictures::rgb(py, &drawing::tinytown(&self.town), cell)
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let this = slf.borrow();
        Ok((slf.get_type().getattr("from_line")?, (this.setup(), this.line())))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.town.hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.town.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<TinytownState {}: {}>", self.town.setup(), self.town.line())
    }
}
