//! A reference game as it is written: one JSON object, x growing east and y growing south.

use super::location::{Location, short};
use carcassonne::{Cell, Setup, Start, Tile, TinyCity};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A reference game.
#[derive(Deserialize)]
pub(super) struct Game {
    #[serde(flatten)]
    head: Head,
    pub(super) draw_order: Vec<String>,
    pub(super) turns: Vec<Turn>,
    pub(super) final_points: Vec<Points>,
    pub(super) final_scores: Vec<i64>,
    pub(super) final_features: Vec<Feature>,
    pub(super) final_meeples: Vec<Meeple>,
}

/// What is settled before the first move.
#[derive(Deserialize)]
struct Head {
    players: usize,
    sets: BTreeMap<String, Value>,
    elements: BTreeMap<String, Value>,
    rules: BTreeMap<String, Value>,
    start: Vec<StartTile>,
    #[serde(default)]
    seed: Value,
}

#[derive(Deserialize, PartialEq)]
struct StartTile {
    tile: String,
    x: i64,
    y: i64,
    rotation: i64,
}

/// One turn; `[x, y, degrees]` is a placement.
#[derive(Deserialize)]
pub(super) struct Turn {
    pub(super) p: i64,
    /// `None` if every tile that was left had to be set aside.
    pub(super) tile: Option<String>,
    #[serde(default)]
    pub(super) discarded: Vec<String>,
    #[serde(default)]
    pub(super) legal: Vec<[i64; 3]>,
    pub(super) place: Option<[i64; 3]>,
    /// Meeple type, feature, location.
    #[serde(default)]
    pub(super) meeples: Option<Vec<[String; 3]>>,
    pub(super) action: Option<Vec<String>>,
    pub(super) points: Vec<Points>,
    pub(super) scores: Vec<i64>,
    pub(super) supply: Vec<BTreeMap<String, i64>>,
}

/// Points for one player.
#[derive(Deserialize)]
pub(super) struct Points {
    pub(super) player: i64,
    pub(super) points: i64,
    pub(super) name: String,
    /// Count, what is counted, points.
    pub(super) items: Vec<(i64, String, i64)>,
    pub(super) ptr: Pointer,
}

/// A place of a feature.
#[derive(Deserialize)]
pub(super) struct Pointer {
    pub(super) position: [i64; 2],
    pub(super) location: String,
    pub(super) feature: String,
}

/// A feature at the end.
#[derive(Deserialize)]
pub(super) struct Feature {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) places: Vec<(i64, i64, String)>,
    pub(super) owners: Vec<i64>,
    pub(super) cities: Option<i64>,
}

/// A meeple that stands at the end.
#[derive(Deserialize)]
pub(super) struct Meeple {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) player: i64,
    pub(super) position: [i64; 2],
    pub(super) feature: String,
    pub(super) location: String,
}

impl Game {
    /// Reads a game.
    ///
    /// # Errors
    /// Says what is missing or wrong, or which set is not supported.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let wrong = |error: serde_json::Error| format!("this is no reference game: {error}");
        // The head first: games of other sets have other turns.
        let head: Head = serde_json::from_str(line).map_err(wrong)?;
        head.setup()?;
        serde_json::from_str(line).map_err(wrong)
    }

    /// The setup in our terms.
    ///
    /// # Errors
    /// Names the set, element, rule or start that is not supported.
    pub(super) fn setup(&self) -> Result<Setup, String> {
        self.head.setup()
    }

    /// The name of the game, for messages.
    pub(super) fn seed(&self) -> String {
        match &self.head.seed {
            Value::String(seed) => short(seed),
            _ => "unnamed".to_owned(),
        }
    }
}

impl Head {
    fn setup(&self) -> Result<Setup, String> {
        let unsupported = |what: &str, key: &str, value: &Value| {
            format!("{what} '{}' = {} is not supported", short(key), short(&value.to_string()))
        };
        let other = |(set, copies): &(&String, &Value)| *set != "basic:1" || **copies != 1;
        let others = self.sets.iter().filter(other).map(|(set, copies)| format!("{set} x{copies}"));
        let others: Vec<String> = others.map(|set| short(&set)).take(8).collect();
        if !others.is_empty() {
            return Err(format!("sets that are not supported yet: {}", others.join(", ")));
        }
        if self.sets.is_empty() {
            return Err("no set of tiles is named".to_owned());
        }
        let mut setup = Setup::new(self.players).map_err(|error| error.to_string())?;
        setup.farmers = false;
        for (element, value) in &self.elements {
            match (element.as_str(), value) {
                ("farmers", Value::Bool(farmers)) => setup.farmers = *farmers,
                ("small-follower", n) if *n == carcassonne::MEEPLES => {}
                (_, Value::Bool(false)) => {}
                _ => return Err(unsupported("the element", element, value)),
            }
        }
        if !self.elements.contains_key("small-follower") {
            return Err("the element 'small-follower' is missing".to_owned());
        }
        for (rule, value) in &self.rules {
            setup.tiny_city = match (rule.as_str(), value.as_str()) {
                ("tiny-city-scoring", Some("2")) => TinyCity::Two,
                ("tiny-city-scoring", Some("4")) => TinyCity::Four,
                _ => return Err(unsupported("the rule", rule, value)),
            };
        }
        let start = StartTile { tile: id(Tile::START).to_owned(), x: 0, y: 0, rotation: 0 };
        setup.start = match self.start.as_slice() {
            [] => Start::Empty,
            [tile] if *tile == start => Start::Tile,
            [tile, ..] => {
                return Err(format!("a start with '{}' is not supported", short(&tile.tile)));
            }
        };
        Ok(setup)
    }
}

/// The cell at the reference's coordinates, if it is within reach of any game.
pub(super) fn cell(x: i64, y: i64) -> Option<Cell> {
    Some(Cell::new(i8::try_from(x).ok()?, i8::try_from(y.checked_neg()?).ok()?))
}

/// The reference's coordinates of a cell.
pub(super) fn position(cell: Cell) -> [i64; 2] {
    [cell.x.into(), -i64::from(cell.y)]
}

/// A place of a feature on the board, as the reference writes it.
pub(super) type Place = ([i64; 2], Location);

impl Pointer {
    /// The place it points to.
    pub(super) fn place(&self) -> Result<Place, String> {
        Ok((self.position, Location::parse(&self.feature, &self.location)?))
    }
}

/// The reference's ids of our kinds, A to X.
const IDS: [&str; carcassonne::KINDS] = [
    "BA/LR", "BA/L", "BA/Cccc+", "BA/RCr", "BA/C", "BA/CFc+", "BA/CFc.1", "BA/CFC.2", "BA/CC.2",
    "BA/CRr", "BA/RrC", "BA/CRRR", "BA/Cc+", "BA/Cc.1", "BA/CcRr+", "BA/CcRr", "BA/Ccc+", "BA/Ccc",
    "BA/CccR+", "BA/CccR", "BA/RFr", "BA/Rr", "BA/RRR", "BA/RRRR",
];

/// The reference's id of a kind.
pub(super) fn id(tile: Tile) -> &'static str {
    IDS[tile.index()]
}

/// The kind with this id.
pub(super) fn tile(id: &str) -> Result<Tile, String> {
    IDS.iter()
        .position(|known| *known == id)
        .and_then(Tile::new)
        .ok_or_else(|| format!("'{}' is no tile of the base game", short(id)))
}
