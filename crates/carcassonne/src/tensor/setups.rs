//! The setups that learners play: names for some, a square board for all, and the numbers they get.

use super::{Numbering, Version};
use crate::setup::{BoardSize, ExpandedSetup, Options, Setup, SetupError, Start};

/// The board where a setup names none.
const SIDE: usize = 35;

/// Setups with a name of their own.
pub const NAMED_SETUPS: [(&str, &str); 7] = [
    ("standard", "players=2 board=35x35"),
    ("model-35", "players=2 farmers=off start=empty board=35x35"),
    ("model-30", "players=2 farmers=off start=empty board=30x30"),
    ("model-30-start", "players=2 farmers=off start=tile board=30x30"),
    ("inns", "players=2 board=35x35 sets=inns"),
    ("inns-traders", "players=2 board=35x35 sets=inns,traders"),
    ("all-sets", "players=2 board=35x35 sets=inns,traders,river,gardens"),
];

/// Reads a setup: a name, or options, where the board is 35×35 unless it is named.
///
/// # Errors
/// If it is neither; the error says what is known.
pub fn read_setup(text: &str) -> Result<ExpandedSetup, SetupError> {
    let named = NAMED_SETUPS.iter().find(|(name, _)| *name == text.trim());
    let setup: ExpandedSetup =
        named.map_or(text, |(_, setup)| setup).parse().map_err(|error: SetupError| {
            let names: Vec<_> = NAMED_SETUPS.iter().map(|(name, _)| *name).collect();
            SetupError::new(format!("{error}; or one of the names {}", names.join(", ")))
        })?;
    // Learners need planes and numbers of one size: no board without an edge.
    let says_board = text.split_whitespace().any(|option| option.starts_with("board="));
    match setup.rules().board() {
        BoardSize::Unlimited if !says_board => with_side(&setup, SIDE),
        _ => Ok(setup),
    }
}

/// The same setup on a square board.
///
/// # Errors
/// If a square board cannot have so many cells a side.
pub fn with_side(setup: &ExpandedSetup, side: usize) -> Result<ExpandedSetup, SetupError> {
    let wrong = || {
        let most = Setup::LARGEST_SQUARE;
        SetupError::new(format!("board={side}: a square board has 1 to {most} cells a side"))
    };
    let square = BoardSize::Square(u8::try_from(side).map_err(|_| wrong())?);
    let rules = setup.rules().with_board(square).map_err(|_| wrong())?;
    ExpandedSetup::new(rules, setup.sets())
}

/// The numbering of a setup that learners can play: a square board on which somebody moves. Its version is the one
/// named, or the oldest that knows the setup.
///
/// # Errors
/// If it has no edge, nothing to decide, or sets that the version does not know.
pub fn numbering_of(
    setup: &ExpandedSetup,
    version: Option<Version>,
) -> Result<Numbering, SetupError> {
    let sets = setup.sets();
    let oldest = if sets.is_empty() { Version::V1 } else { Version::V2 };
    let version = version.unwrap_or(oldest);
    if !sets.is_empty() && !version.knows_sets() {
        let name = version.name();
        let reason = format!("tensors='{name}' has no numbers for sets={sets}; allowed: 'v2'");
        return Err(SetupError::new(reason));
    }
    let numbering = Numbering::new(setup.rules(), version)
        .map_err(|error| SetupError::new(error.to_string()))?;
    match (numbering.side(), setup.rules().start) {
        (1, Start::Tile) => Err(SetupError::new(
            "board=1x1 with a start tile leaves nothing to decide; use board=2x2 or more".into(),
        )),
        _ => Ok(numbering),
    }
}
