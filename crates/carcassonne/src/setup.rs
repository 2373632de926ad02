//! What is settled before the first move.

use std::fmt;
use std::str::FromStr;

/// The options of a game; the default is two players by today's rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    players: u8,
    board: Extent,
    /// Whether meeples may lie in fields.
    pub farmers: bool,
    /// What lies on the board before the first move.
    pub start: Start,
    /// What a finished city of two tiles is worth.
    pub tiny_city: TinyCity,
}

/// How far the board reaches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// As far as the tiles go.
    Unlimited,
    /// A square of n×n cells around the first tile; cells outside do not exist.
    Square(u8),
}

/// What lies on the board before the first move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// The start tile at the origin; 71 tiles are drawn.
    Tile,
    /// Nothing: the first player puts the first tile at the origin; 72 tiles are drawn.
    Empty,
}

/// What a finished city of two tiles is worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TinyCity {
    /// Like any city: 2 a tile and 2 a pennant.
    Four,
    /// The early rule: 1 a tile and 1 a pennant.
    Two,
}

impl Setup {
    /// The fewest players.
    pub const MIN_PLAYERS: usize = 2;
    /// The most players.
    pub const MAX_PLAYERS: usize = 6;
    /// The largest square board: no game can reach its rim from the middle.
    pub const LARGEST_SQUARE: u8 = 145;

    /// Today's rules for this many players.
    ///
    /// # Errors
    /// If there are not 2 to 6 players.
    pub fn new(players: usize) -> Result<Self, SetupError> {
        let default = Self::default();
        match players {
            Self::MIN_PLAYERS..=Self::MAX_PLAYERS => Ok(Self { players: players as u8, ..default }),
            _ => Err(SetupError(format!("players={players}: 2 to 6 players can play"))),
        }
    }

    /// The same rules on another board.
    ///
    /// # Errors
    /// If a square board has no cell or more than 145 a side.
    pub fn with_board(self, board: Extent) -> Result<Self, SetupError> {
        match board {
            Extent::Square(n) if n == 0 || n > Self::LARGEST_SQUARE => {
                Err(SetupError(format!("board={n}x{n}: a square board has 1 to 145 cells a side")))
            }
            _ => Ok(Self { board, ..self }),
        }
    }

    /// How many players there are.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players as usize
    }

    /// How far the board reaches.
    #[must_use]
    pub const fn board(&self) -> Extent {
        self.board
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            players: 2,
            board: Extent::Unlimited,
            farmers: true,
            start: Start::Tile,
            tiny_city: TinyCity::Four,
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let farmers = if self.farmers { "on" } else { "off" };
        let start = match self.start {
            Start::Tile => "tile",
            Start::Empty => "empty",
        };
        let tiny = match self.tiny_city {
            TinyCity::Four => 4,
            TinyCity::Two => 2,
        };
        write!(f, "players={} farmers={farmers} start={start} board=", self.players)?;
        match self.board {
            Extent::Unlimited => f.write_str("unlimited")?,
            Extent::Square(n) => write!(f, "{n}x{n}")?,
        }
        write!(f, " tiny-city={tiny}")
    }
}

/// The options a setup text may hold, for messages.
const ALLOWED: &str = "players=2…6, farmers=on|off, start=tile|empty, board=unlimited|NxN, \
                       tiny-city=4|2";

impl FromStr for Setup {
    type Err = SetupError;

    /// Reads `key=value` pairs in any order; what is not named keeps its default.
    fn from_str(text: &str) -> Result<Self, SetupError> {
        let mut setup = Self::default();
        let mut seen = Vec::new();
        for pair in text.split_whitespace() {
            let short: String = pair.chars().take(40).collect();
            let bad = || SetupError(format!("'{short}' is no option; allowed: {ALLOWED}"));
            let (key, value) = pair.split_once('=').ok_or_else(bad)?;
            if seen.contains(&key) {
                return Err(SetupError(format!("'{short}': this option is given twice")));
            }
            seen.push(key);
            match (key, value) {
                ("players", n) => {
                    let players = n.parse().map_err(|_| bad())?;
                    setup.players = Self::new(players)?.players;
                }
                ("farmers", "on") => setup.farmers = true,
                ("farmers", "off") => setup.farmers = false,
                ("start", "tile") => setup.start = Start::Tile,
                ("start", "empty") => setup.start = Start::Empty,
                ("board", "unlimited") => setup.board = Extent::Unlimited,
                ("board", square) => {
                    let (wide, high) = square.split_once('x').ok_or_else(bad)?;
                    let wide: u8 = wide.parse().map_err(|_| bad())?;
                    if high.parse() != Ok(wide) {
                        return Err(SetupError(format!("'{short}': the board must be square")));
                    }
                    setup = setup.with_board(Extent::Square(wide))?;
                }
                ("tiny-city", "4") => setup.tiny_city = TinyCity::Four,
                ("tiny-city", "2") => setup.tiny_city = TinyCity::Two,
                ("expansions", "" | "none") => {}
                ("expansions", names) => {
                    let names: String = names.chars().take(60).collect();
                    return Err(SetupError(format!(
                        "expansions={names}: not supported yet; only the base game is"
                    )));
                }
                _ => return Err(bad()),
            }
        }
        Ok(setup)
    }
}

/// A setup that the rules do not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError(String);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SetupError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Setup>().unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_named_keeps_its_default() {
        assert_eq!("".parse(), Ok(Setup::default()));
        let setup: Setup = "board=35x35 farmers=off players=3".parse().unwrap();
        assert_eq!(setup.to_string(), "players=3 farmers=off start=tile board=35x35 tiny-city=4");
    }

    #[test]
    fn a_wrong_setup_says_what_is_allowed() {
        assert_eq!(error("players=7"), "players=7: 2 to 6 players can play");
        assert_eq!(error("board=3x4"), "'board=3x4': the board must be square");
        assert!(error("board=0x0").contains("1 to 145"));
        assert!(error("board=200x200").contains("1 to 145"));
        assert!(error("board=999x999").contains("NxN"));
        assert!(error("colour=red").contains("allowed: players=2…6"));
        assert!(error("players").contains("is no option"));
        assert!(error("players=2 players=3").contains("twice"));
    }

    #[test]
    fn an_expansion_is_refused_by_name() {
        assert_eq!(
            error("expansions=inns-and-cathedrals"),
            "expansions=inns-and-cathedrals: not supported yet; only the base game is"
        );
        assert_eq!("expansions=none".parse(), Ok(Setup::default()));
    }
}
