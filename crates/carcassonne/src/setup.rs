//! What is settled before the first move.

use crate::sets::Sets;
use std::fmt;
use std::str::FromStr;

/// The options of a game; the default is two players by today's rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    players: u8,
    board: BoardSize,
    /// Whether meeples may lie in fields.
    pub farmers: bool,
    /// What lies on the board before the first move.
    pub start: Start,
    /// What a finished city of two tiles is worth.
    pub tiny_city: TinyCity,
}

/// How far the board reaches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardSize {
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
    pub fn with_board(self, board: BoardSize) -> Result<Self, SetupError> {
        match board {
            BoardSize::Square(n) if n == 0 || n > Self::LARGEST_SQUARE => {
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
    pub const fn board(&self) -> BoardSize {
        self.board
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            players: 2,
            board: BoardSize::Unlimited,
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
            BoardSize::Unlimited => f.write_str("unlimited")?,
            BoardSize::Square(n) => write!(f, "{n}x{n}")?,
        }
        write!(f, " tiny-city={tiny}")
    }
}

/// The options a setup text may hold, for messages.
const ALLOWED: &str = "players=2…6, farmers=on|off, start=tile|empty, board=unlimited|NxN \
                       (1 to 145), tiny-city=4|2, sets=inns,traders,river,gardens (any of them)";

impl FromStr for Setup {
    type Err = SetupError;

    /// Reads `key=value` pairs in any order; what is not named keeps its default.
    fn from_str(text: &str) -> Result<Self, SetupError> {
        let mut setup = Self::default();
        let mut seen = Vec::new();
        for pair in text.split_whitespace() {
            let short = game::excerpt(pair, 40);
            let bad = || SetupError(format!("'{short}' is no option; allowed: {ALLOWED}"));
            let (key, value) = pair.split_once('=').ok_or_else(bad)?;
            if seen.contains(&key) {
                return Err(SetupError(format!("'{short}': this option is given twice")));
            }
            seen.push(key);
            match (key, value) {
                ("players", n) => {
                    let players = number(n).ok_or_else(bad)?;
                    let out_of_range = |_| SetupError(format!("{short}: 2 to 6 players can play"));
                    setup.players = Self::new(players).map_err(out_of_range)?.players;
                }
                ("farmers", "on") => setup.farmers = true,
                ("farmers", "off") => setup.farmers = false,
                ("start", "tile") => setup.start = Start::Tile,
                ("start", "empty") => setup.start = Start::Empty,
                ("board", "unlimited") => setup.board = BoardSize::Unlimited,
                ("board", square) => {
                    let (wide, high) = square.split_once('x').ok_or_else(bad)?;
                    let wide = number(wide).ok_or_else(bad)?;
                    if number(high).ok_or_else(bad)? != wide {
                        return Err(SetupError(format!("'{short}': the board must be square")));
                    }
                    let out_of_range =
                        || SetupError(format!("{short}: a square board has 1 to 145 cells a side"));
                    let square = u8::try_from(wide).map_err(|_| out_of_range())?;
                    setup = setup.with_board(BoardSize::Square(square))?;
                }
                ("tiny-city", "4") => setup.tiny_city = TinyCity::Four,
                ("tiny-city", "2") => setup.tiny_city = TinyCity::Two,
                ("sets", names) => {
                    let names = game::excerpt(names, 60);
                    return Err(SetupError(format!(
                        "sets={names}: only the base game can be played here"
                    )));
                }
                ("expansions", "" | "none") => {}
                ("expansions", names) => {
                    let names = game::excerpt(names, 60);
                    return Err(SetupError(format!(
                        "expansions={names}: sets are named with sets=, as in sets=inns,river"
                    )));
                }
                _ => return Err(bad()),
            }
        }
        Ok(setup)
    }
}

/// A setup with the sets that are played: `players=2 … sets=inns,traders`. A text that names no
/// set is that of the base game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ExpandedSetup {
    rules: Setup,
    sets: Sets,
}

impl ExpandedSetup {
    /// These rules with these sets.
    ///
    /// # Errors
    /// If the river should start on an empty board: the spring lies first.
    pub fn new(rules: Setup, sets: Sets) -> Result<Self, SetupError> {
        if sets.contains(Sets::RIVER) && rules.start == Start::Empty {
            let reason = "sets=river start=empty: a game with the river starts with the spring";
            return Err(SetupError(reason.to_owned()));
        }
        Ok(Self { rules, sets })
    }
}

impl From<Setup> for ExpandedSetup {
    /// The base game alone.
    fn from(rules: Setup) -> Self {
        Self { rules, sets: Sets::NONE }
    }
}

impl fmt::Display for ExpandedSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rules.fmt(f)?;
        if self.sets.is_empty() { Ok(()) } else { write!(f, " sets={}", self.sets) }
    }
}

impl FromStr for ExpandedSetup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let is_sets = |pair: &&str| pair.starts_with("sets=");
        let mut named = text.split_whitespace().filter(is_sets);
        let pair = named.next();
        let short = || game::excerpt(pair.unwrap_or_default(), 60);
        if named.next().is_some() {
            return Err(SetupError(format!("'{}': this option is given twice", short())));
        }
        let rest: Vec<&str> = text.split_whitespace().filter(|pair| !is_sets(pair)).collect();
        let mut sets = Sets::NONE;
        for name in pair.iter().flat_map(|pair| pair["sets=".len()..].split(',')) {
            let known = Sets::NAMED.into_iter().find(|(_, known)| *known == name);
            let Some((set, _)) = known.filter(|(set, _)| !sets.contains(*set)) else {
                return Err(SetupError(format!(
                    "'{}': sets are inns, traders, river, gardens, each once",
                    short()
                )));
            };
            sets = sets.with(set);
        }
        Self::new(rest.join(" ").parse()?, sets)
    }
}

/// What is settled before the first move, whatever the edition.
pub trait Options {
    /// The options that every game has.
    fn rules(&self) -> &Setup;
    /// The sets that are played.
    fn sets(&self) -> Sets;
}

impl Options for Setup {
    #[inline]
    fn rules(&self) -> &Setup {
        self
    }

    #[inline]
    fn sets(&self) -> Sets {
        Sets::NONE
    }
}

impl Options for ExpandedSetup {
    #[inline]
    fn rules(&self) -> &Setup {
        &self.rules
    }

    #[inline]
    fn sets(&self) -> Sets {
        self.sets
    }
}

/// A number in its one form: digits only, no sign, no leading zeros. One that is too large for
/// any option is as good as the largest there is.
fn number(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let one_form = text == "0" || !text.starts_with('0');
    (digits && one_form).then(|| text.parse().unwrap_or(usize::MAX))
}

/// A setup that the rules do not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError(String);

impl SetupError {
    /// An error with these words.
    pub(crate) fn new(words: String) -> Self {
        Self(words)
    }
}

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
        assert!(error("board=300x300").contains("1 to 145"));
        assert!(error("board=35").contains("NxN"));
        assert!(error("players=99999999999999999999").ends_with(": 2 to 6 players can play"));
        for odd in ["players=+2", "players=002", "players=", "board=+9x+9", "board=09x09"] {
            assert!(error(odd).contains("is no option; allowed"), "{odd}");
        }
        assert!(error("colour=red").contains("allowed: players=2…6"));
        assert!(error("players").contains("is no option"));
        assert!(error("players=2 players=3").contains("twice"));
    }

    #[test]
    fn sets_are_named_once_in_any_order_and_written_in_one() {
        let written = "players=2 farmers=on start=tile board=unlimited tiny-city=4";
        let read = |text: &str| text.parse::<ExpandedSetup>().map(|setup| setup.to_string());
        assert_eq!(read("players=2").as_deref(), Ok(written));
        assert_eq!(read("sets=river,inns"), Ok(format!("{written} sets=inns,river")));
        assert_eq!(
            read("sets=gardens,traders,inns,river").map(|s| s.len()),
            Ok(written.len() + 32)
        );
        let error = |text: &str| read(text).unwrap_err().to_string();
        for odd in
            ["sets=", "sets=inns,", "sets=inns,inns", "sets=Inns", "sets=x", "sets=inns river"]
        {
            assert!(!error(odd).is_empty(), "{odd}");
        }
        assert!(error("sets=inns sets=river").contains("twice"));
        assert!(error("sets=river start=empty").contains("starts with the spring"));
        assert!(error("sets=inns players=7").contains("2 to 6"));
        assert_eq!(
            self::error("players=2 sets=inns"),
            "sets=inns: only the base game can be played here"
        );
    }

    #[test]
    fn an_expansion_is_refused_by_name() {
        assert_eq!(
            error("expansions=inns-and-cathedrals"),
            "expansions=inns-and-cathedrals: sets are named with sets=, as in sets=inns,river"
        );
        assert_eq!("expansions=none".parse(), Ok(Setup::default()));
    }
}
