//! A reference game as it is written: one JSON object, x growing east and y growing south.

use super::location::{Location, short};
use carcassonne::{Cell, ExpandedSetup, Sets, Setup, Start, Tile, TinyCity};
use game::excerpt;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A reference game.
#[derive(Deserialize)]
pub(super) struct Game {
    #[serde(flatten)]
    head: Head,
    pub(super) draw_order: Vec<String>,
    /// Each is read as a [`Turn`] when its time comes, so that one which is none hides nothing
    /// of those before.
    pub(super) turns: Vec<Value>,
    final_points: Value,
    final_scores: Value,
    final_features: Value,
    final_meeples: Value,
}

/// What a game tells of its end.
pub(super) struct End {
    pub(super) points: Vec<Points>,
    pub(super) scores: Vec<i64>,
    pub(super) features: Vec<Feature>,
    pub(super) meeples: Vec<Meeple>,
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

/// One turn; `[x, y, degrees]` is a placement. What is absent or null is `None`.
#[derive(Deserialize)]
pub(super) struct Turn {
    pub(super) p: Option<i64>,
    /// `None` if every tile that was left had to be set aside.
    pub(super) tile: Option<String>,
    pub(super) discarded: Option<Vec<String>>,
    pub(super) legal: Option<Vec<[i64; 3]>>,
    pub(super) place: Option<[i64; 3]>,
    /// Meeple type, feature, location.
    pub(super) meeples: Option<Vec<[String; 3]>>,
    pub(super) action: Option<Vec<Value>>,
    /// The figures that may be taken back.
    pub(super) returns: Option<Vec<Pointer>>,
    pub(super) points: Option<Vec<Points>>,
    pub(super) scores: Option<Vec<i64>>,
    pub(super) supply: Option<Vec<BTreeMap<String, i64>>>,
    /// The goods of each player.
    pub(super) tokens: Option<Vec<BTreeMap<String, i64>>>,
}

/// Points for one player.
#[derive(Deserialize)]
pub(super) struct Points {
    pub(super) player: i64,
    pub(super) points: i64,
    pub(super) name: String,
    pub(super) items: Vec<Item>,
    /// `None` for goods, which lie nowhere.
    pub(super) ptr: Option<Pointer>,
}

/// Count, what is counted, points. What is there or not has no count.
pub(super) type Item = (Option<i64>, String, i64);

/// A place of a feature, alone or with a figure's name beside it.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Pointer {
    Within {
        #[serde(rename = "featurePointer")]
        feature_pointer: FeaturePointer,
    },
    Alone(FeaturePointer),
}

/// A place of a feature.
#[derive(Deserialize)]
pub(super) struct FeaturePointer {
    position: [i64; 2],
    location: String,
    feature: String,
}

/// A feature at the end.
#[derive(Deserialize)]
pub(super) struct Feature {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) places: Vec<(i64, i64, String)>,
    #[serde(default)]
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
        let wrong = |error: serde_json::Error| {
            format!("this is no reference game: {}", excerpt(&error.to_string(), 200))
        };
        // The head first: games of other sets have other turns.
        let head: Head = serde_json::from_str(line).map_err(wrong)?;
        head.setup()?;
        serde_json::from_str(line).map_err(wrong)
    }

    /// The setup in our terms.
    ///
    /// # Errors
    /// Names the set, element, rule or start that is not supported.
    pub(super) fn setup(&self) -> Result<ExpandedSetup, String> {
        self.head.setup()
    }

    /// What it tells of its end.
    ///
    /// # Errors
    /// If that is not written as it should be.
    pub(super) fn end(&self) -> Result<End, String> {
        Ok(End {
            points: read("final_points", &self.final_points)?,
            scores: read("final_scores", &self.final_scores)?,
            features: read("final_features", &self.final_features)?,
            meeples: read("final_meeples", &self.final_meeples)?,
        })
    }

    /// The name of the game, for messages.
    pub(super) fn seed(&self) -> String {
        match &self.head.seed {
            Value::String(seed) => short(seed),
            _ => "unnamed".to_owned(),
        }
    }
}

/// Reads a part of a game.
///
/// # Errors
/// If it is not written as it should be.
pub(super) fn read<'a, T: Deserialize<'a>>(what: &str, part: &'a Value) -> Result<T, String> {
    T::deserialize(part)
        .map_err(|error| format!("{what} cannot be read: {}", excerpt(&error.to_string(), 200)))
}

/// The reference's names of the sets: one of the base game, then any of the others.
const SETS: [(&str, Sets); 5] = [
    ("basic:1", Sets::NONE),
    ("basic:2", Sets::GARDENS),
    ("inns-and-cathedrals:1", Sets::INNS),
    ("traders-and-builders:1", Sets::TRADERS),
    ("river/1:1", Sets::RIVER),
];

/// The elements that belong to a set, all of them or none.
const ELEMENTS: [(&str, Sets); 9] = [
    ("big-follower", Sets::INNS),
    ("cathedral", Sets::INNS),
    ("inn", Sets::INNS),
    ("builder", Sets::TRADERS),
    ("pig", Sets::TRADERS),
    ("traders", Sets::TRADERS),
    ("abbot", Sets::GARDENS),
    ("garden", Sets::GARDENS),
    ("river", Sets::RIVER),
];

impl Head {
    fn setup(&self) -> Result<ExpandedSetup, String> {
        let unsupported = |what: &str, key: &str, value: &Value| {
            format!("{what} '{}' = {} is not supported", short(key), short(&value.to_string()))
        };
        let sets = self.sets()?;
        let mut setup = Setup::new(self.players).map_err(|error| error.to_string())?;
        setup.farmers = false;
        for (element, value) in &self.elements {
            if !known(element, value, sets) {
                return Err(unsupported("the element", element, value));
            }
            if element == "farmers" {
                setup.farmers = *value == true;
            }
        }
        let of_sets = ELEMENTS.iter().filter(|(_, set)| sets.contains(*set));
        let mut wanted = of_sets.map(|(name, _)| *name).chain(["small-follower"]);
        if let Some(missing) = wanted.find(|name| !self.elements.contains_key(*name)) {
            return Err(format!("the element '{missing}' is missing"));
        }
        for (rule, value) in &self.rules {
            setup.tiny_city = match (rule.as_str(), value.as_str()) {
                ("tiny-city-scoring", Some("2")) => TinyCity::Two,
                ("tiny-city-scoring", Some("4")) => TinyCity::Four,
                _ => return Err(unsupported("the rule", rule, value)),
            };
        }
        let first = if sets.contains(Sets::RIVER) { Tile::SPRING } else { Tile::START };
        let start = StartTile { tile: id(first).to_owned(), x: 0, y: 0, rotation: 0 };
        setup.start = match self.start.as_slice() {
            [] => Start::Empty,
            [tile] if *tile == start => Start::Tile,
            [tile, ..] => {
                return Err(format!("a start with '{}' is not supported", short(&tile.tile)));
            }
        };
        ExpandedSetup::new(setup, sets).map_err(|error| error.to_string())
    }

    /// The sets that are played.
    fn sets(&self) -> Result<Sets, String> {
        let (mut sets, mut base, mut others) = (Sets::NONE, 0, Vec::new());
        for (name, copies) in &self.sets {
            match SETS.iter().find(|(known, _)| known == name) {
                Some((_, set)) if *copies == 1 => {
                    sets = sets.with(*set);
                    base += usize::from(name.starts_with("basic:"));
                }
                _ => others.push(short(&format!("{name} x{copies}"))),
            }
        }
        if !others.is_empty() {
            let named = others.iter().take(8).map(String::as_str).collect::<Vec<_>>().join(", ");
            return Err(format!("sets that are not supported yet: {named}"));
        }
        match base {
            0 => Err("no set of tiles of the base game is named".to_owned()),
            1 => Ok(sets),
            _ => Err("the base game is named twice".to_owned()),
        }
    }
}

/// Whether an element is one that is supported with these sets, or is left out of the game.
fn known(element: &str, value: &Value, sets: Sets) -> bool {
    let set = ELEMENTS.iter().find(|(name, _)| *name == element).map(|(_, set)| *set);
    match (element, set) {
        ("farmers", _) => value.is_boolean(),
        ("small-follower", _) => *value == carcassonne::MEEPLES,
        (_, Some(set)) if sets.contains(set) => *value == true || *value == 1,
        _ => *value == false,
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
        let (Self::Within { feature_pointer: at } | Self::Alone(at)) = self;
        Ok((at.position, Location::parse(&at.feature, &at.location)?))
    }
}

/// The reference's ids of our kinds: A to X, then those of the sets.
const IDS: [&str; carcassonne::ALL_KINDS] = [
    "BA/LR",
    "BA/L",
    "BA/Cccc+",
    "BA/RCr",
    "BA/C",
    "BA/CFc+",
    "BA/CFc.1",
    "BA/CFC.2",
    "BA/CC.2",
    "BA/CRr",
    "BA/RrC",
    "BA/CRRR",
    "BA/Cc+",
    "BA/Cc.1",
    "BA/CcRr+",
    "BA/CcRr",
    "BA/Ccc+",
    "BA/Ccc",
    "BA/CccR+",
    "BA/CccR",
    "BA/RFr",
    "BA/Rr",
    "BA/RRR",
    "BA/RRRR",
    "BA/CG",
    "BA/CFCG",
    "BA/CCG",
    "BA/Cc+G",
    "BA/CcG",
    "BA/CccG",
    "BA/RFrG",
    "BA/RrG",
    "IC/Cccc.c",
    "IC/LRFR",
    "IC/CCCC",
    "IC/CCC",
    "IC/CRCR",
    "IC/CCc+",
    "IC/C!",
    "IC/CFR",
    "IC/CcR",
    "IC/CRcR+",
    "IC/RCc.i",
    "IC/RrC.i",
    "IC/CcRr+.i",
    "IC/RRR.i",
    "IC/RFr.i",
    "IC/Rr.i",
    "IC/RrRr",
    "TB/Cc.g",
    "TB/Cc.w",
    "TB/CCc.c",
    "TB/CCc.w",
    "TB/Ccc.g",
    "TB/CcCC.c",
    "TB/CcRR!.c",
    "TB/CcRR.w",
    "TB/CcRC.c",
    "TB/CcRC.g",
    "TB/CcR.c",
    "TB/CcR!.w",
    "TB/CccR.w",
    "TB/CcCc.w",
    "TB/CFc.w",
    "TB/CR",
    "TB/CRc.g",
    "TB/CRc.w",
    "TB/CRcR.w",
    "TB/LRRR",
    "TB/RCc.g",
    "TB/RCc!.g",
    "TB/RRC",
    "TB/RRrr",
    "RI/s",
    "RI.1/I.e",
    "RI.1/CICI",
    "RI.1/CIRI",
    "RI.1/LIRI",
    "RI.1/RIrI",
    "RI.1/IFI",
    "RI.1/CcII",
    "RI.1/RrII",
    "RI.1/II",
];

/// The reference's id of a kind.
pub(super) fn id(tile: Tile) -> &'static str {
    IDS[tile.index()]
}

/// The kind with this id.
pub(super) fn tile(id: &str) -> Result<Tile, String> {
    IDS.iter()
        .position(|known| *known == id)
        .and_then(Tile::of_any_set)
        .ok_or_else(|| format!("'{}' is no tile that is known", short(id)))
}
