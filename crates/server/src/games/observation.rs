//! A position as arrays of numbers, for learners; `docs/tensors.md` says what the numbers mean.

/// A position as numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The version of the numbers.
    pub version: u32,
    /// The arrays, in the order in which they were named.
    pub arrays: Vec<Array>,
    /// The numbers of the legal moves, in their order; empty where no player is to move.
    pub numbers: Vec<u32>,
    /// How many moves have a number with this setup.
    pub action_count: usize,
}

/// An array; its last index moves fastest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// Its name.
    pub name: &'static str,
    /// How long it is in each direction.
    pub shape: Vec<usize>,
    /// Its entries.
    pub entries: Numbers,
}

/// The entries of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// Bytes.
    U8(Vec<u8>),
    /// Numbers of 16 bits.
    I16(Vec<i16>),
}

/// Arrays that there are not.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ObservationError {
    /// The game has no such array.
    #[error("no array is called '{name}'; there are {known}")]
    Name {
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: &'static str,
    },
    /// The numbers have no such version.
    #[error("tensor version {found}: there are {known}")]
    Version {
        /// What was asked for.
        found: u32,
        /// Those that there are.
        known: &'static str,
    },
    /// The setup has no numbers; says why.
    #[error("{0}")]
    Setup(String),
}
