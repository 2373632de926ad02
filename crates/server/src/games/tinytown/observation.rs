//! A town as numbers.

use crate::games::{Array, Numbers, Observation, ObservationError};
use game::Game;
use tinytown::tensor::{VERSION, matrix_len};
use tinytown::{Action, Size, Tinytown};

/// The arrays that are named: there is one, the matrix of the specification.
///
/// # Errors
/// If there is no such array or version.
pub(super) fn observe(
    town: &Tinytown,
    size: Size,
    version: Option<u32>,
    names: &[String],
) -> Result<Observation, ObservationError> {
    if let Some(found) = version.filter(|version| *version != VERSION) {
        return Err(ObservationError::Version { found, known: "1" });
    }
    let array = |name: &String| {
        if name != "matrix" {
            let name = game::excerpt(name, 40);
            return Err(ObservationError::Name { name, known: "matrix" });
        }
        let mut out = vec![0; matrix_len(size)];
        town.write_matrix(&mut out);
        let shape = vec![size.rows() + 1, size.cols() + 1];
        Ok(Array { name: "matrix", shape, entries: Numbers::U8(out) })
    };
    let arrays = names.iter().map(array).collect::<Result<_, _>>()?;
    let mut legal = Vec::new();
    town.moves(&mut legal);
    let numbers = legal.iter().filter_map(|action| action.number(size)).map(u32::from).collect();
    Ok(Observation { version: VERSION, arrays, numbers, action_count: Action::count(size) })
}
