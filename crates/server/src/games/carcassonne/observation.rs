//! A position of Carcassonne as numbers.

use crate::games::{Array, Numbers, Observation, ObservationError};
use carcassonne::tensor::{Numbering, Tensors, TensorsV1, TensorsV2, Version, numbering_of};
use carcassonne::{Edition, ExpandedSetup, Position};
use game::{Game, Player, Turn};
use views::AnyCarcassonne;

/// The arrays that are named, seen from a seat.
///
/// # Errors
/// If the board is not square, or there is no such array or version.
pub(super) fn observe(
    any: &AnyCarcassonne,
    setup: &ExpandedSetup,
    seat: Player,
    version: Option<u32>,
    names: &[String],
) -> Result<Observation, ObservationError> {
    let named = |number: u32| {
        let version = Version::ALL.into_iter().find(|version| version.number() == number);
        version.ok_or(ObservationError::Version { found: number, known: "1 and 2" })
    };
    let version = version.map(named).transpose()?;
    let numbering =
        numbering_of(setup, version).map_err(|error| ObservationError::Setup(error.to_string()))?;
    match (any, numbering.version()) {
        (AnyCarcassonne::Base(game), Version::V1) => {
            written::<_, TensorsV1>(game, seat, numbering, names)
        }
        (AnyCarcassonne::Base(game), Version::V2) => {
            written::<_, TensorsV2>(game, seat, numbering, names)
        }
        (AnyCarcassonne::Expanded(game), _) => {
            written::<_, TensorsV2>(game.position(), seat, numbering, names)
        }
    }
}

fn written<E: Edition, T: Tensors<E>>(
    game: &Position<E>,
    seat: Player,
    numbering: Numbering,
    names: &[String],
) -> Result<Observation, ObservationError> {
    let (version, players, side) = (numbering.version(), game.players(), numbering.side());
    let mut legal = Vec::new();
    game.moves(&mut legal);
    let mut tensors = T::default();
    let array = |name: &String| {
        Ok(match name.as_str() {
            "globals" => {
                let mut out = vec![0; version.globals_len(players)];
                tensors.globals(game, seat, &mut out);
                Array { name: "globals", shape: vec![out.len()], entries: Numbers::I16(out) }
            }
            "compact" => {
                let mut out = vec![0; version.compact_len(players)];
                tensors.compact(game, seat, numbering, &mut out);
                Array { name: "compact", shape: vec![out.len()], entries: Numbers::I16(out) }
            }
            "planes" => {
                let count = version.plane_count(players);
                let mut out = vec![0; count * side * side];
                tensors.planes(game, seat, numbering, &legal, &mut out);
                let shape = vec![count, side, side];
                Array { name: "planes", shape, entries: Numbers::U8(out) }
            }
            _ => {
                let name = game::excerpt(name, 40);
                return Err(ObservationError::Name { name, known: "compact, globals, planes" });
            }
        })
    };
    let arrays = names.iter().map(array).collect::<Result<_, _>>()?;
    let decides = matches!(game.turn(), Turn::Player(_));
    let numbers = legal.iter().filter(|_| decides).filter_map(|m| numbering.number(*m)).collect();
    Ok(Observation {
        version: version.number(),
        arrays,
        numbers,
        action_count: numbering.actions(),
    })
}
