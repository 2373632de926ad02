//! What a setup's text says, read again.

use super::land::Cell;

#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) players: usize,
    pub(crate) farmers: bool,
    pub(crate) start_tile: bool,
    /// Cells a side, if the board has a rim.
    pub(crate) square: Option<i32>,
    /// Whether a finished city of two tiles is worth 2 instead of 4.
    pub(crate) early_tiny_city: bool,
    /// The sets that are played.
    pub(crate) sets: Vec<String>,
}

impl Options {
    /// Reads the text that names every option.
    pub(crate) fn read(text: &str) -> Self {
        let value = |key: &str| {
            let found = text.split_whitespace().find_map(|pair| pair.strip_prefix(key));
            found.and_then(|rest| rest.strip_prefix('=')).expect("every option is named")
        };
        let square = value("board").split_once('x').map(|(n, _)| n.parse().expect("a number"));
        Self {
            players: value("players").parse().expect("a number"),
            farmers: value("farmers") == "on",
            start_tile: value("start") == "tile",
            square,
            early_tiny_city: value("tiny-city") == "2",
            sets: text
                .split_once("sets=")
                .map(|(_, names)| names.split(',').map(str::to_owned).collect())
                .unwrap_or_default(),
        }
    }

    pub(crate) fn plays(&self, set: &str) -> bool {
        set.is_empty() || self.sets.iter().any(|name| name == set)
    }

    /// Whether the board has this cell. An n×n board is counted from 1 in the north-west, and
    /// the first tile lies at (⌈n/2⌉, ⌈n/2⌉).
    pub(crate) fn has(&self, (x, y): Cell) -> bool {
        let Some(n) = self.square else { return true };
        let centre = (n + 1) / 2;
        let (row, column) = (centre - y, centre + x);
        (1..=n).contains(&row) && (1..=n).contains(&column)
    }
}
